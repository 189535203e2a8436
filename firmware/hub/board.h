/* The hub's lamp, sleep and watchdog. */
#ifndef URPI_BOARD_H
#define URPI_BOARD_H

#include <stdbool.h>

void board_start(void);
void board_lamp(bool on);

/* The main loop is alive; it must say so at least every second, or the chip starts anew. */
void board_feed_watchdog(void);

/* Idles until an interrupt: at the latest the clock's, within a millisecond. */
void board_idle(void);

/* Gives a die the time to turn from sending to listening: AIR_COMMAND_DELAY_US. */
void board_wait_for_die(void);

#endif
