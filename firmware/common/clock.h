/* Milliseconds since the start, mod 2^32, by Timer 0. */
#ifndef URPI_CLOCK_H
#define URPI_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/* Lets the clock run: an interrupt each millisecond. It needs the I/O clock: idle sleep only. */
void clock_run(void);

/* Halts it, so that power-down does not count. */
void clock_halt(void);

bool clock_is_running(void);

uint32_t clock_now(void);

/* Adds milliseconds that passed while it was halted. */
void clock_add(uint16_t ms);

#endif
