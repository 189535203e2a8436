/* The die's lamp, sleep, watchdog and wake lines. */
#ifndef URPI_BOARD_H
#define URPI_BOARD_H

#include <stdbool.h>
#include <stdint.h>

void board_start(void);

void board_lamp(bool on);

/* Returns whether the accelerometer's INT1 is high. */
bool board_accel_irq(void);

/* Sets whether INT1 wakes the chip. */
void board_enable_accel_irq(bool on);

/* Sets the watchdog's period to 1 or 8 seconds. After each period it wakes the chip, and it resets
 * the chip if the main loop has not fed it by the end of the next period. */
void board_set_watchdog(uint8_t seconds);

/* Feeds the watchdog. */
void board_feed_watchdog(void);

/* Returns whether a watchdog period has elapsed since the last call. */
bool board_watchdog_elapsed(void);

/* Idles until an interrupt. If the clock runs, this is at most a millisecond. */
void board_idle(void);

/* Powers down until a wake line or the watchdog, or returns at once if one is active already. */
void board_power_down(void);

#endif
