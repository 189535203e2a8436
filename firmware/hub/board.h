/* The hub's lamp, sleep and watchdog. */
#ifndef URPI_BOARD_H
#define URPI_BOARD_H

#include <stdbool.h>

void board_start(void);
void board_lamp(bool on);

/* Feeds the watchdog, which otherwise resets the chip after a second. */
void board_feed_watchdog(void);

/* Idles until an interrupt, at most a millisecond because of the clock. */
void board_idle(void);

/* Waits AIR_COMMAND_DELAY_US, in which a die switches from sending to listening. */
void board_wait_for_die(void);

#endif
