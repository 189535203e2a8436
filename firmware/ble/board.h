/* The board: time, sleep, the watchdog, the lamps and the sensor's pins.
 *
 * No interrupt handler runs. The chip sleeps until an event of a peripheral makes an interrupt
 * pending, which stays disabled; then the program looks at the events themselves. */
#ifndef URPI_BLE_BOARD_H
#define URPI_BLE_BOARD_H

#include <stdbool.h>
#include <stdint.h>

enum board_lamp { BOARD_RED = 26, BOARD_GREEN = 30 };

void board_start(void);

/* Milliseconds since the start, mod 2^32. It must be called at least every eight minutes. */
uint32_t board_now(void);

/* Sleeps until an event or that time, at most nine seconds. */
void board_sleep_until(uint32_t ms);

void board_wait_ms(uint32_t ms);

/* Sleeps until the event, clears it, and returns true; false if it has not come within `ms`. */
bool board_await(volatile uint32_t *event, uint32_t ms);

void board_feed_watchdog(void);

void board_lamp(enum board_lamp lamp, bool on);

/* Returns whether the accelerometer's INT1 is high; a rising edge ends the sleep. */
bool board_accel_irq(void);

/* Switches the accelerometer's supply. */
void board_accel_power(bool on);

/* Returns whether USB supplies the board. */
bool board_has_usb(void);

/* Switches off all but what starts the chip again: USB that is connected, or the board's button. The
 * bus of the accelerometer must not have been started. */
void board_off(void);

#endif
