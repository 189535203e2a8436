#include "follow.h"

#include "accel.h"

enum {
    PATIENCE_MS = 30000, /* a die that moves for this long is in a bag: it dozes ... */
    LOOK_MS = 2000,      /* ... and checks its motion for this long after each tick */
    BATCH = 8,
    STARVED = 2,         /* ticks in motion without a sample until the sensor is started again */
};

struct die die;
enum follow_activity activity;
static uint32_t patient_until_ms;
static uint8_t starved;

static void fail(void)
{
    activity = RESTING;
    main_accel_failed();
    die_accel_failed(&die, main_now());
}

static void follow(uint16_t patience_ms)
{
    if (!accel_move()) {
        fail();
        return;
    }
    die.battery_mv = main_battery_mv();
    main_moves();
    activity = MOVING;
    patient_until_ms = main_now() + patience_ms;
    starved = 0;
}

void follow_move(bool forced)
{
    die_begin(&die, forced);
    follow(PATIENCE_MS);
}

void follow_restart(void)
{
    main_start_supply();
    if (!accel_start()) {
        fail();
        return;
    }
    die_accel_recovered(&die);
    follow_move(true);
}

void follow_rest(enum follow_activity next)
{
    activity = next;
    if (!accel_rest())
        fail();
    else
        main_rests();
}

void follow_arm(void)
{
    struct vector sample;
    activity = RESTING;
    if (!accel_arm(&sample))
        follow_restart();
    else if (die_is_stirred(&die, &sample))
        follow_move(false);
}

static bool add_samples(const struct vector *samples, uint8_t count)
{
    for (uint8_t i = 0; i < count; i++) {
        main_keep_time();
        if (die_on_sample(&die, &samples[i], main_now()))
            return true;
    }
    return false;
}

void follow_samples(void)
{
    struct vector samples[BATCH];
    uint8_t count;
    do {
        if (!accel_fetch(samples, BATCH, &count)) {
            follow_restart();
            return;
        }
        starved = count ? 0 : starved;
        if (add_samples(samples, count)) {
            follow_rest(die_is_restless(&die) ? PAUSING : TURNING_ON);
            return;
        }
    } while (count == BATCH);
    if ((int32_t)(main_now() - patient_until_ms) >= 0)
        follow_rest(DOZING);
}

static void check_rest(void)
{
    struct vector sample;
    bool waits = activity == TURNING_ON || activity == ARMING;
    if (die.accel_dead || waits || !accel_glance(&sample))
        follow_restart();
    else if (die_is_stirred(&die, &sample))
        follow_move(false);
    else if (activity == PAUSING)
        follow_rest(TURNING_ON);
}

void follow_tick(uint8_t seconds)
{
    if (activity == MOVING) {
        /* The FIFO fills every 40 ms. A sensor without samples has lost its supply or mode. */
        if (++starved >= STARVED)
            follow_restart();
        return;
    }
    die.battery_mv = main_battery_mv();
    if (activity == RESTING)
        die_slept(&die);
    die_tick(&die, seconds, main_now());
    if (activity == DOZING) {
        die_look_again(&die);
        follow(LOOK_MS);
    } else {
        check_rest();
    }
}
