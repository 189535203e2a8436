/* The die's main loop: asleep until it moves, and awake until it is at rest. common/die.c processes
 * the samples, and common/follow.c the motions; this file handles sleep and the peripherals. */
#include "accel.h"
#include "air_protocol.h"
#include "battery.h"
#include "board.h"
#include "clock.h"
#include "follow.h"
#include "link.h"
#include "radio_port.h"
#include "starts.h"
#include "storage.h"
#include "twi.h"

enum {
    PARTS_START_MS = 100,  /* the radio's power-on reset (table 16); the LIS3DH boots in 5 ms */
    BLINKS_NO_NUMBER = 2,  /* lamp codes, every 8 s, for errors that the hub cannot receive */
    BLINKS_NO_RADIO = 3,
    BLINK_MS = 120,
};

static const struct calibration_storage storage = {storage_read, storage_write};
static uint8_t sleep_s; /* the watchdog's current period */

/* --- time --- */

static void wait_ms(uint16_t ms)
{
    uint32_t due_ms = clock_now() + ms;
    clock_run();
    while ((int32_t)(clock_now() - due_ms) < 0) {
        board_feed_watchdog();
        board_idle();
    }
}

static void blink(uint8_t times)
{
    while (times--) {
        board_lamp(true);
        wait_ms(BLINK_MS);
        board_lamp(false);
        wait_ms(2 * BLINK_MS);
    }
}

static void set_sleep(uint8_t seconds)
{
    if (sleep_s != seconds)
        board_set_watchdog(seconds);
    sleep_s = seconds;
}

/* --- the accelerometer (follow.h) --- */

uint32_t main_now(void)
{
    return clock_now();
}

uint16_t main_battery_mv(void)
{
    return battery_measure(die.identity.reference_mv);
}

/* By the samples if the clock is stopped, because the die sleeps between them. */
void main_keep_time(void)
{
    if (!clock_is_running())
        clock_add(SETTLING_SAMPLE_MS);
}

void main_start_supply(void)
{
}

void main_moves(void)
{
    board_enable_accel_irq(true);
}

void main_rests(void)
{
    board_enable_accel_irq(activity == TURNING_ON);
}

void main_accel_failed(void)
{
    board_enable_accel_irq(false);
}

/* The data sheet gives one period of the output rate as the time to turn on (table 11), but not
 * whether a sample can come earlier. */
static void turn_on(void)
{
    struct vector ignored;
    activity = ARMING;
    if (!accel_glance(&ignored))
        follow_restart();
}

static void serve_accel(void)
{
    if (die.accel_dead || !board_accel_irq())
        return;
    if (activity == TURNING_ON)
        turn_on();
    else if (activity == ARMING)
        follow_arm();
    else if (activity == RESTING)
        follow_move(false);
    if (activity == MOVING)
        follow_samples();
}

/* --- watchdog --- */

static void check_radio(void)
{
    if (!die.identity.number)
        blink(BLINKS_NO_NUMBER);
    else if (!link_check())
        blink(BLINKS_NO_RADIO);
}

static void serve_watchdog(void)
{
    if (!board_watchdog_elapsed())
        return;
    bool moving = activity == MOVING;
    if (!moving)
        clock_add((uint16_t)(sleep_s * 1000U));
    follow_tick(sleep_s);
    if (!moving)
        check_radio();
}

/* --- main loop --- */

static void nap(void)
{
    if (link_is_busy(&die)) {
        clock_run();
        board_idle();
        return;
    }
    clock_halt();
    set_sleep(activity == MOVING ? AIR_POLL_S : die_sleep_s(&die));
    board_power_down();
}

static uint16_t count_start(bool has_key)
{
    uint8_t starts;
    if (has_key) {
        uint16_t keyed = (uint16_t)(starts_load(&storage) + 1U);
        starts_save(&storage, keyed);
        return keyed;
    }
    storage_read(EEPROM_STARTS_AT, &starts, 1);
    starts++;
    storage_write(EEPROM_STARTS_AT, &starts, 1);
    return starts;
}

/* After 65,536 reports the number of starts has advanced, and must not be used again. */
static void keep_starts(void)
{
    uint16_t starts = (uint16_t)(die.outbox.next_number >> 16);
    if (starts == die.starts)
        return;
    die.starts = starts;
    if (die.identity.has_key)
        starts_save(&storage, starts);
}

static void start(void)
{
    uint8_t record[EEPROM_KEY_BYTES];
    struct identity identity;
    board_start();
    set_sleep(AIR_POLL_S);
    twi_start();
    radio_port_start();
    wait_ms(PARTS_START_MS);
    storage_read(EEPROM_IDENTITY_AT, record, EEPROM_IDENTITY_BYTES);
    (void)identity_read(&identity, EEPROM_ROLE_DIE, record);
    storage_read(EEPROM_KEY_AT, record, EEPROM_KEY_BYTES);
    identity_read_key(&identity, record);
    uint16_t starts = count_start(identity.has_key);
    die_start(&die, &identity, starts, &storage);
    (void)link_start(&die.identity, (uint8_t)starts);
    follow_restart();
    check_radio();
}

int main(void)
{
    start();
    for (;;) {
        board_feed_watchdog();
        serve_watchdog();
        serve_accel();
        if (die.identity.number && link_step(&die, clock_now()) && activity != MOVING)
            follow_move(true);
        keep_starts();
        board_lamp(die.lamp_s > 0);
        nap();
    }
}
