/* The hub's wires: an Arduino Nano (ATmega328P, 5 V, 16 MHz quartz, USB serial on UART0).
 *
 * D-numbers are those printed on the board. The nRF24L01+ is supplied by the Nano's 3.3 V pin with
 * 10 uF next to it; its inputs tolerate 5 V (data sheet 3, absolute maximum: VI up to 5.25 V), and
 * its 3.3 V outputs are above the ATmega's input threshold of 3.0 V (0.6 VCC), so that no level
 * shifter is needed.
 */
#ifndef URPI_HUB_PINS_H
#define URPI_HUB_PINS_H

/* nRF24L01+ */
#define HUB_SCK_BIT 5 /* PB5, D13: SCK (the Nano's own LED flickers with it) */
#define HUB_MISO_BIT 4 /* PB4, D12: MISO */
#define HUB_MOSI_BIT 3 /* PB3, D11: MOSI */
#define HUB_CSN_BIT 2 /* PB2, D10: CSN, active low (SS: an output, or SPI leaves master mode) */
#define HUB_CE_BIT 1 /* PB1, D9: CE, active high */
#define HUB_RADIO_IRQ_BIT 2 /* PD2, D2: IRQ, active low */

/* UART0 goes to the USB serial chip */
#define HUB_RXD_BIT 0 /* PD0, D0 */
#define HUB_TXD_BIT 1 /* PD1, D1 */

/* LED through 1 kOhm to ground */
#define HUB_LED_BIT 6 /* PD6, D6: on when high */

/* The names of the radio's pins in radio_port_avr.c, which is part of both images. */
#define RADIO_SCK_BIT HUB_SCK_BIT
#define RADIO_MOSI_BIT HUB_MOSI_BIT
#define RADIO_CSN_BIT HUB_CSN_BIT
#define RADIO_CE_BIT HUB_CE_BIT
#define RADIO_IRQ_BIT HUB_RADIO_IRQ_BIT

#endif
