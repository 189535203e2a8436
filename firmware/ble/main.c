/* The die's main loop: asleep until it moves, and awake until it is at rest. common/die.c processes the
 * samples, and common/follow.c the motions; this file handles sleep, as die/main.c does for the other
 * board. */
#include "air_protocol.h"
#include "battery.h"
#include "board.h"
#include "flash.h"
#include "follow.h"
#include "link.h"
#include "lsm6ds3tr.h"
#include "twi.h"

enum {
    TICK_IN_MOTION_S = 1,
    ANNOUNCE_MS = 2000,
    ANNOUNCES_MS = 600000, /* for so long without USB, until it sleeps */
    UNPLUGGED_MS = 5000,   /* a plug that is pulled out makes and breaks contact */
    BLINK_MS = 120,
};

static uint32_t arm_ms, tick_ms;
static uint8_t tick_s;

/* No command reaches this die, so nothing is ever written: its settings have the calibration. */
static void keep_settings(uint16_t at, const uint8_t *bytes, uint8_t size)
{
    (void)at;
    (void)bytes;
    (void)size;
}

static const struct calibration_storage storage = {flash_read_settings, keep_settings};

static bool has_come(uint32_t ms, uint32_t now_ms)
{
    return (int32_t)(now_ms - ms) >= 0;
}

static void blink(enum board_lamp lamp)
{
    board_lamp(lamp, true);
    board_wait_ms(BLINK_MS);
    board_lamp(lamp, false);
}

static void set_tick(uint32_t now_ms)
{
    tick_s = activity == MOVING ? TICK_IN_MOTION_S : die_sleep_s(&die);
    tick_ms = now_ms + tick_s * 1000U;
}

/* --- the accelerometer (follow.h) --- */

uint32_t main_now(void)
{
    return board_now();
}

uint16_t main_battery_mv(void)
{
    return battery_measure();
}

void main_keep_time(void)
{
}

void main_start_supply(void)
{
    board_accel_power(false);
    board_wait_ms(LSM6DS3TR_STARTS_MS);
    board_accel_power(true);
    board_wait_ms(LSM6DS3TR_STARTS_MS);
    twi_start();
}

void main_moves(void)
{
}

void main_rests(void)
{
    uint32_t now_ms = board_now();
    arm_ms = now_ms + LSM6DS3TR_RESTING_MS;
    set_tick(now_ms);
}

void main_accel_failed(void)
{
    board_accel_power(false);
}

static void serve_accel(uint32_t now_ms)
{
    if (die.accel_dead)
        return;
    if (activity == TURNING_ON && has_come(arm_ms, now_ms))
        follow_arm();
    else if (activity == RESTING && board_accel_irq())
        follow_move(false);
    if (activity == MOVING && board_accel_irq())
        follow_samples();
}

/* --- the tick --- */

static void serve_tick(uint32_t now_ms)
{
    if (!has_come(tick_ms, now_ms))
        return;
    follow_tick(tick_s);
    set_tick(board_now());
}

/* --- main loop --- */

/* Returns when the next thing is to be done, if the sensor does not interrupt. */
static uint32_t due_ms(void)
{
    uint32_t due = tick_ms, sending;
    if (activity == TURNING_ON && has_come(arm_ms, due))
        due = arm_ms;
    if (link_is_busy(&die, &sending) && has_come(sending, due))
        due = sending;
    return due;
}

static bool has_work(void)
{
    return !die.accel_dead && (activity == RESTING || activity == MOVING) && board_accel_irq();
}

/* After 65,536 reports the number of starts has advanced, and must not be used again. */
static void keep_starts(void)
{
    uint16_t starts = (uint16_t)(die.outbox.next_number >> 16);
    if (starts == die.starts)
        return;
    die.starts = starts;
    flash_save_starts(starts);
}

/* Its sensor stays off. The boot loader starts it again when the settings have been copied. */
static void announce(const struct identity *identity)
{
    uint32_t since_ms = board_now();
    link_start(identity, 0);
    while (!has_come(since_ms + ANNOUNCES_MS, board_now())) {
        board_feed_watchdog();
        link_announce(battery_measure());
        board_wait_ms(ANNOUNCE_MS);
        if (board_has_usb())
            since_ms = board_now();
    }
    board_off();
}

/* Both lamps until the plug is out: what wakes the die is that USB is connected. */
static void sleep(void)
{
    uint32_t since_ms = board_now();
    board_lamp(BOARD_RED, true);
    board_lamp(BOARD_GREEN, true);
    while (!has_come(since_ms + UNPLUGGED_MS, board_now())) {
        board_feed_watchdog();
        board_wait_ms(BLINK_MS);
        if (board_has_usb())
            since_ms = board_now();
    }
    board_lamp(BOARD_RED, false);
    board_lamp(BOARD_GREEN, false);
    flash_has_slept();
    board_off();
}

static void start(void)
{
    uint8_t record[EEPROM_KEY_BYTES];
    struct identity identity;
    board_start();
    battery_start();
    if (flash_is_to_sleep())
        sleep();
    flash_read_settings(EEPROM_IDENTITY_AT, record, EEPROM_IDENTITY_BYTES);
    bool known = identity_read(&identity, EEPROM_ROLE_DIE, record);
    blink(known ? BOARD_GREEN : BOARD_RED);
    if (!known)
        announce(&identity);
    flash_read_settings(EEPROM_KEY_AT, record, EEPROM_KEY_BYTES);
    identity_read_key(&identity, record);
    uint16_t starts = (uint16_t)(flash_starts() + 1U);
    flash_save_starts(starts);
    die_start(&die, &identity, starts, &storage);
    link_start(&die.identity, starts);
    follow_restart();
    set_tick(board_now());
}

int main(void)
{
    start();
    for (;;) {
        board_feed_watchdog();
        serve_accel(board_now());
        serve_tick(board_now());
        link_step(&die, board_now());
        keep_starts();
        if (!has_work())
            board_sleep_until(due_ms());
    }
}
