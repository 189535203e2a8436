/* The die's lamp, sleep, watchdog and wake lines. */
#ifndef URPI_BOARD_H
#define URPI_BOARD_H

#include <stdbool.h>
#include <stdint.h>

void board_start(void);

void board_lamp(bool on);

/* Whether the accelerometer's INT1 is high. */
bool board_accel_calls(void);

/* Lets INT1 wake the chip, or not. */
void board_heed_accel(bool on);

/* The watchdog's period, 1 or 8 seconds: it wakes the chip, and, unless the main loop has heard
 * of it by the next one, starts it anew. */
void board_set_watchdog(uint8_t seconds);

/* The main loop is alive. */
void board_feed_watchdog(void);

/* Whether the watchdog's period went by since the last call. */
bool board_take_watchdog(void);

/* Idles until an interrupt, at the latest the clock's, if it runs. */
void board_idle(void);

/* Power-down until a wake line or the watchdog; not at all when one of them waits already. */
void board_power_down(void);

#endif
