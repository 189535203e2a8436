/* Milliseconds since the start, mod 2^32, by Timer 0. */
#ifndef URPI_CLOCK_H
#define URPI_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/* Starts the clock, an interrupt every millisecond. It needs the I/O clock: idle sleep only. */
void clock_run(void);

/* Stops the clock for power-down. */
void clock_halt(void);

bool clock_is_running(void);

uint32_t clock_now(void);

/* Adds the milliseconds that elapsed while the clock was stopped. */
void clock_add(uint16_t ms);

#endif
