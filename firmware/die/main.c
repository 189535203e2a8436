/* The die's main loop: asleep until it moves, and awake until it is at rest. common/die.c processes
 * the samples; this file handles sleep and the peripherals. */
#include "air_protocol.h"
#include "battery.h"
#include "board.h"
#include "clock.h"
#include "die.h"
#include "link.h"
#include "lis3dh.h"
#include "radio_port.h"
#include "starts.h"
#include "storage.h"
#include "twi.h"

enum {
    PARTS_START_MS = 100,  /* the radio's power-on reset (table 16); the LIS3DH boots in 5 ms */
    PATIENCE_MS = 30000,   /* a die that moves for this long is in a bag: it dozes ... */
    LOOK_MS = 2000,        /* ... and checks its motion for this long after each watchdog period */
    BATCH = 8,
    STARVED = 2,           /* watchdog periods in motion without a sample until it restarts */
    BLINKS_NO_NUMBER = 2,  /* lamp codes, every 8 s, for errors that the hub cannot receive */
    BLINKS_NO_RADIO = 3,
    BLINK_MS = 120,
};

/* RESTING waits for the sensor's interrupt; TURNING_ON for its first sample, which can be from before
 * the mode changed; ARMING for the next one, with which the interrupt starts; PAUSING and DOZING
 * ignore it until the watchdog's period is over. */
enum activity { RESTING, TURNING_ON, ARMING, PAUSING, MOVING, DOZING };

static const struct calibration_storage storage = {storage_read, storage_write};
static struct die die;
static enum activity activity;
static uint32_t patient_until_ms;
static uint8_t starved;
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

/* --- the accelerometer --- */

static void accel_failed(void)
{
    activity = RESTING;
    board_enable_accel_irq(false);
    die_accel_failed(&die, clock_now());
}

static void follow(uint16_t patience_ms)
{
    if (!lis3dh_move()) {
        accel_failed();
        return;
    }
    die.battery_mv = battery_measure(die.identity.reference_mv);
    board_enable_accel_irq(true);
    activity = MOVING;
    patient_until_ms = clock_now() + patience_ms;
    starved = 0;
}

static void move(bool forced)
{
    die_begin(&die, forced);
    follow(PATIENCE_MS);
}

static void look_again(void)
{
    die_look_again(&die);
    follow(LOOK_MS);
}

static void restart_accel(void)
{
    if (!lis3dh_start()) {
        accel_failed();
        return;
    }
    die_accel_recovered(&die);
    move(true);
}

static void rest(enum activity next)
{
    activity = next;
    if (!lis3dh_rest())
        accel_failed();
    else
        board_enable_accel_irq(next == TURNING_ON);
}

/* The data sheet gives one period of the output rate as the time to turn on (table 11), but not
 * whether a sample can come earlier. */
static void turn_on(void)
{
    struct vector ignored;
    activity = ARMING;
    if (!lis3dh_glance(&ignored))
        restart_accel();
}

static void arm(void)
{
    struct vector sample;
    activity = RESTING;
    if (!lis3dh_arm(&sample))
        restart_accel();
    else if (die_is_stirred(&die, &sample))
        move(false);
}

/* Advances the clock by the samples if it is stopped, because the die sleeps between them. */
static bool add_samples(const struct vector *samples, uint8_t count)
{
    for (uint8_t i = 0; i < count; i++) {
        if (!clock_is_running())
            clock_add(SETTLING_SAMPLE_MS);
        if (die_on_sample(&die, &samples[i], clock_now()))
            return true;
    }
    return false;
}

static void follow_motion(void)
{
    struct vector samples[BATCH];
    uint8_t count;
    do {
        if (!lis3dh_fetch(samples, BATCH, &count)) {
            restart_accel();
            return;
        }
        starved = count ? 0 : starved;
        if (add_samples(samples, count)) {
            rest(die_is_restless(&die) ? PAUSING : TURNING_ON);
            return;
        }
    } while (count == BATCH);
    if ((int32_t)(clock_now() - patient_until_ms) >= 0)
        rest(DOZING);
}

static void serve_accel(void)
{
    if (die.accel_dead || !board_accel_irq())
        return;
    if (activity == TURNING_ON)
        turn_on();
    else if (activity == ARMING)
        arm();
    else if (activity == RESTING)
        move(false);
    if (activity == MOVING)
        follow_motion();
}

/* --- watchdog --- */

static void check_rest(void)
{
    struct vector sample;
    bool waits = activity == TURNING_ON || activity == ARMING;
    if (die.accel_dead || waits || !lis3dh_glance(&sample))
        restart_accel();
    else if (die_is_stirred(&die, &sample))
        move(false);
    else if (activity == PAUSING)
        rest(TURNING_ON);
}

/* In motion the FIFO fills every 40 ms. A sensor without samples has lost its supply or mode. */
static void check_motion(void)
{
    if (++starved < STARVED)
        return;
    restart_accel();
}

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
    if (activity == MOVING) {
        check_motion();
        return;
    }
    clock_add((uint16_t)(sleep_s * 1000U));
    die.battery_mv = battery_measure(die.identity.reference_mv);
    if (activity == RESTING)
        die_slept(&die);
    die_tick(&die, sleep_s, clock_now());
    if (activity == DOZING)
        look_again();
    else
        check_rest();
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
    restart_accel();
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
            move(true);
        keep_starts();
        board_lamp(die.lamp_s > 0);
        nap();
    }
}
