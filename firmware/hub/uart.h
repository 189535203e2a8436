/* The serial line to the Pi, by interrupts, with a ring for either direction. */
#ifndef URPI_UART_H
#define URPI_UART_H

#include <stdbool.h>
#include <stdint.h>

void uart_start(void);

/* The next byte that came. False when there is none. */
bool uart_take(char *byte);

/* Whether `size` bytes can be sent without waiting. */
bool uart_has_room(uint8_t size);

/* Sends; what has no room is lost, so ask first. */
void uart_send(const char *bytes, uint8_t size);

/* Bytes that came and were lost since the last call: the main loop was too slow. */
uint8_t uart_take_lost(void);

#endif
