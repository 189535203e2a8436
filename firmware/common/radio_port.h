/* The wires to the radio: SPI, mode 0, and the lines CSN, CE and IRQ. */
#ifndef URPI_RADIO_PORT_H
#define URPI_RADIO_PORT_H

#include <stdbool.h>
#include <stdint.h>

void radio_port_start(void);

/* Pulls CSN low: a command begins. */
void radio_port_select(void);

/* Sends a byte and gives the one that came meanwhile. */
uint8_t radio_port_transfer(uint8_t byte);

/* Lets CSN go: the command ends. */
void radio_port_release(void);

/* CE: high lets the chip send or listen. */
void radio_port_enable(bool on);

/* Whether IRQ is pulled (low): the chip has something to tell. */
bool radio_port_calls(void);

#endif
