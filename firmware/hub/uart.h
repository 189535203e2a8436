/* The serial line to the Pi, with interrupts and a ring buffer for each direction. */
#ifndef URPI_UART_H
#define URPI_UART_H

#include <stdbool.h>
#include <stdint.h>

void uart_start(void);

/* Reads the next received byte. Returns false if there is none. */
bool uart_read(char *byte);

/* Returns whether there is room to send `size` bytes. */
bool uart_has_room(uint8_t size);

/* Queues bytes to be sent. Bytes without room are lost; check uart_has_room() before. */
void uart_send(const char *bytes, uint8_t size);

/* Returns the number of received bytes lost since the last call because the main loop was slow. */
uint8_t uart_get_lost(void);

#endif
