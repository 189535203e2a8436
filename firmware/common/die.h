/* A die's behaviour: it processes samples, commands of the hub, and the time spent asleep.
 *
 * Pure: die/main.c handles registers, sleep and the radio. Time is the die's own clock in
 * milliseconds, which counts while awake and is advanced by the watchdog's period after sleep.
 */
#ifndef URPI_DIE_H
#define URPI_DIE_H

#include <stdbool.h>
#include <stdint.h>

#include "air_frame.h"
#include "calibration.h"
#include "faces.h"
#include "identity.h"
#include "outbox.h"
#include "settling.h"

enum {
    DIE_LAMP_S = 30,          /* timeout of the lamp, whose 1 mA would drain the cell */
    DIE_BATTERY_STEP_MV = 100, /* change of the cell's voltage at rest that is reported */
    DIE_STIRRED_MG = 150,     /* change at rest that means the die was moved */
    DIE_RESTLESS_WAKES = 16,  /* wakes in a row without motion, of a second each, until the
                               * interrupt is ignored for a period of the watchdog each time */
};

struct die {
    struct identity identity;
    const struct calibration_storage *storage;
    struct faces faces;
    struct settling settling;
    struct outbox outbox;
    struct air_report last;  /* the last report */
    uint16_t throws;
    uint16_t battery_mv;     /* as last measured */
    uint16_t starts;         /* number of starts; mod 256 without a key */
    uint8_t calibrating;     /* the face to calibrate once at rest, or 0 */
    uint8_t polls;           /* remaining short sleeps, after each of which it fetches commands */
    uint8_t wakes;           /* number of wakes since its last report */
    uint8_t restless;        /* wakes without motion since it slept or moved; up to the limit */
    uint8_t lamp_s;          /* seconds until the lamp goes out */
    bool accel_dead;
    bool just_rested;        /* no watchdog period has elapsed since it came to rest */
};

/* Starts the die and loads its calibration. A forced episode (die_begin) must follow. */
void die_start(struct die *die, const struct identity *identity, uint16_t starts,
               const struct calibration_storage *storage);

/* Begins an episode, because the die moved or must report its face (`forced`). Samples follow. */
void die_begin(struct die *die, bool forced);

/* Begins another episode after dozing during long motion. Nothing is reported until the die is at
 * rest or thrown. */
void die_look_again(struct die *die);

/* Processes the next sample. Returns true if the die is at rest and may sleep. */
bool die_on_sample(struct die *die, const struct vector *sample, uint32_t now_ms);

/* Processes a command of the hub. Returns true if a forced episode must begin. */
bool die_on_order(struct die *die, const struct air_order *order);

/* The accelerometer has failed, or responds again. */
void die_accel_failed(struct die *die, uint32_t now_ms);
void die_accel_recovered(struct die *die);

/* Returns whether the interrupt wakes the die again and again without motion: the table trembles,
 * or the sensor or its wire is faulty. */
bool die_is_restless(const struct die *die);

/* A period of the watchdog has elapsed without an interrupt. */
void die_slept(struct die *die);

/* Processes `seconds` of sleep without events, and sends a heartbeat if it is due. */
void die_tick(struct die *die, uint8_t seconds, uint32_t now_ms);

/* Returns how long the die may sleep, in seconds: AIR_POLL_S while a command is likely. */
uint8_t die_sleep_s(const struct die *die);

/* Returns whether a sample at rest differs from the die's position: its interrupt was missed. */
bool die_is_stirred(const struct die *die, const struct vector *sample);

#endif
