/* The die's wires: ATmega328P at 3.3 V, 8 MHz from its internal RC oscillator.
 *
 * Pin numbers are those of the 28-pin DIP. The accelerometer is a LIS3DH with CS high (I2C) and
 * SA0 low, the radio an nRF24L01+. The chip must wake without a clock, so both interrupt lines are
 * pin-change interrupts of port D, which work in power-down on either edge (INT0 and INT1 would
 * wake it on a low level only).
 */
#ifndef URPI_DIE_PINS_H
#define URPI_DIE_PINS_H

/* LIS3DH */
#define DIE_SDA_BIT 4 /* PC4, pin 27: SDA, 4.7 kOhm to 3.3 V */
#define DIE_SCL_BIT 5 /* PC5, pin 28: SCL, 4.7 kOhm to 3.3 V */
#define DIE_ACCEL_INT_BIT 2 /* PD2, pin 4: INT1, push-pull, active high; PCINT18 */
#define DIE_ACCEL_ADDRESS 0x18 /* 7 bits; SA0 to ground */

/* nRF24L01+ */
#define DIE_SCK_BIT 5 /* PB5, pin 19: SCK */
#define DIE_MISO_BIT 4 /* PB4, pin 18: MISO */
#define DIE_MOSI_BIT 3 /* PB3, pin 17: MOSI */
#define DIE_CSN_BIT 2 /* PB2, pin 16: CSN, active low (SS: an output, or SPI leaves master mode) */
#define DIE_CE_BIT 1 /* PB1, pin 15: CE, active high */
#define DIE_RADIO_IRQ_BIT 3 /* PD3, pin 5: IRQ, active low; PCINT19 */

/* LED through 1 kOhm to ground */
#define DIE_LED_BIT 6 /* PD6, pin 12: on when high */

/* The cell, before the 3.3 V regulator, through 1 MOhm, with 220 kOhm and 100 nF to ground:
 * measured against the chip's own 1.1 V reference (firmware/README.md, Electrical notes). */
#define DIE_BATTERY_ADC 0 /* ADC0, PC0, pin 23: 4.2 V of the cell are 757 mV here */
#define DIE_BATTERY_DIVIDER_PERMILLE 5545UL /* (1000 + 220) / 220 */

/* The names of the radio's pins in radio_port_avr.c, which is part of both images. */
#define RADIO_SCK_BIT DIE_SCK_BIT
#define RADIO_MOSI_BIT DIE_MOSI_BIT
#define RADIO_CSN_BIT DIE_CSN_BIT
#define RADIO_CE_BIT DIE_CE_BIT
#define RADIO_IRQ_BIT DIE_RADIO_IRQ_BIT

#endif
