/* The wires to the radio: SPI, mode 0, and the lines CSN, CE and IRQ. */
#ifndef URPI_RADIO_PORT_H
#define URPI_RADIO_PORT_H

#include <stdbool.h>
#include <stdint.h>

void radio_port_start(void);

/* Pulls CSN low: a command begins. */
void radio_port_select(void);

/* Sends a byte and returns the byte received at the same time. */
uint8_t radio_port_transfer(uint8_t byte);

/* Sets CSN high: the command ends. */
void radio_port_release(void);

/* Sets CE; the chip sends or listens while it is high. */
void radio_port_enable(bool on);

/* Returns whether IRQ is active (low). */
bool radio_port_irq(void);

#endif
