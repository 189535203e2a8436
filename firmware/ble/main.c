/* The die's main loop: asleep until it moves, and awake until it is at rest. common/die.c processes the
 * samples; this file handles sleep and the sensor, as die/main.c does for the other board. */
#include "air_protocol.h"
#include "battery.h"
#include "board.h"
#include "die.h"
#include "flash.h"
#include "link.h"
#include "lsm6ds3tr.h"
#include "twi.h"

enum {
    PATIENCE_MS = 30000, /* a die that moves for this long is in a bag: it dozes ... */
    LOOK_MS = 2000,      /* ... and checks its motion for this long after each tick */
    BATCH = 8,
    STARVED_MS = 2000,   /* in motion without a sample until the sensor is started again */
    TICK_IN_MOTION_S = 1,
    ANNOUNCE_MS = 2000,
    ANNOUNCES_MS = 600000, /* for so long without USB, until it sleeps */
    UNPLUGGED_MS = 5000,   /* a plug that is pulled out makes and breaks contact */
    BLINK_MS = 120,
};

/* RESTING waits for the sensor's interrupt, and ARMING for the time at which it may be enabled;
 * PAUSING and DOZING ignore it until the next tick. */
enum activity { RESTING, ARMING, PAUSING, MOVING, DOZING };

static struct die die;
static enum activity activity;
static uint32_t patient_until_ms, heard_ms, arm_ms, tick_ms;
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

/* --- the accelerometer --- */

static void accel_failed(void)
{
    activity = RESTING;
    board_accel_power(false);
    die_accel_failed(&die, board_now());
}

static void follow(uint16_t patience_ms)
{
    if (!lsm6ds3tr_move()) {
        accel_failed();
        return;
    }
    die.battery_mv = battery_measure();
    activity = MOVING;
    heard_ms = board_now();
    patient_until_ms = heard_ms + patience_ms;
}

static void move(bool forced)
{
    die_begin(&die, forced);
    follow(PATIENCE_MS);
}

static void restart_accel(void)
{
    board_accel_power(false);
    board_wait_ms(LSM6DS3TR_STARTS_MS);
    board_accel_power(true);
    board_wait_ms(LSM6DS3TR_STARTS_MS);
    twi_start();
    if (!lsm6ds3tr_start()) {
        accel_failed();
        return;
    }
    die_accel_recovered(&die);
    move(true);
}

static void rest(enum activity next)
{
    activity = next;
    arm_ms = board_now() + LSM6DS3TR_RESTING_MS;
    if (!lsm6ds3tr_rest())
        accel_failed();
    else
        set_tick(board_now());
}

static void arm(void)
{
    struct vector sample;
    activity = RESTING;
    if (!lsm6ds3tr_arm(&sample))
        restart_accel();
    else if (die_is_stirred(&die, &sample))
        move(false);
}

static bool add_samples(const struct vector *samples, uint8_t count, uint32_t now_ms)
{
    for (uint8_t i = 0; i < count; i++)
        if (die_on_sample(&die, &samples[i], now_ms))
            return true;
    return false;
}

static void follow_motion(uint32_t now_ms)
{
    struct vector samples[BATCH];
    uint8_t count;
    do {
        if (!lsm6ds3tr_fetch(samples, BATCH, &count)) {
            restart_accel();
            return;
        }
        if (count)
            heard_ms = now_ms;
        if (add_samples(samples, count, now_ms)) {
            rest(die_is_restless(&die) ? PAUSING : ARMING);
            return;
        }
    } while (count == BATCH);
    if (has_come(patient_until_ms, now_ms))
        rest(DOZING);
}

static void serve_accel(uint32_t now_ms)
{
    if (die.accel_dead)
        return;
    if (activity == ARMING && has_come(arm_ms, now_ms))
        arm();
    else if (activity == RESTING && board_accel_irq())
        move(false);
    if (activity == MOVING && board_accel_irq())
        follow_motion(board_now());
}

/* --- the tick --- */

static void check_rest(void)
{
    struct vector sample;
    if (die.accel_dead || (activity != ARMING && !lsm6ds3tr_glance(&sample)))
        restart_accel();
    else if (activity != ARMING && die_is_stirred(&die, &sample))
        move(false);
    else if (activity == PAUSING)
        rest(ARMING);
}

static void serve_tick(uint32_t now_ms)
{
    if (!has_come(tick_ms, now_ms))
        return;
    if (activity == MOVING) {
        if (now_ms - heard_ms >= STARVED_MS)
            restart_accel();
        set_tick(board_now());
        return;
    }
    die.battery_mv = battery_measure();
    if (activity == RESTING)
        die_slept(&die);
    die_tick(&die, tick_s, now_ms);
    if (activity == DOZING) {
        die_look_again(&die);
        follow(LOOK_MS);
    } else {
        check_rest();
    }
    set_tick(board_now());
}

/* --- main loop --- */

/* Returns when the next thing is to be done, if the sensor does not interrupt. */
static uint32_t due_ms(void)
{
    uint32_t due = tick_ms, sending;
    if (activity == ARMING && has_come(arm_ms, due))
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
    restart_accel();
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
