/* What a die makes of its samples, of the hub's commands, and of time that passes asleep.
 *
 * Pure: registers, sleep and radio are die/main.c's. Time is the die's own clock in
 * milliseconds, which counts while it is awake and takes the watchdog's word while it sleeps.
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
    DIE_LAMP_S = 30,          /* a lamp that nobody turns off: 1 mA must not empty the cell */
    DIE_BATTERY_STEP_MV = 100, /* at rest a cell is told anew when it changed so much */
    DIE_STIRRED_MG = 150,     /* at rest: farther than this from where it lay, it was moved */
};

struct die {
    struct identity identity;
    const struct calibration_storage *storage;
    struct faces faces;
    struct settling settling;
    struct outbox outbox;
    struct air_report last;  /* what it told last */
    uint16_t throws;
    uint16_t battery_mv;     /* as last measured */
    uint8_t starts;          /* how often it was started, mod 256 */
    uint8_t learning;        /* the face to learn once it lies still, or 0 */
    uint8_t polls;           /* wakes in which it still asks for commands soon */
    uint8_t wakes;           /* since it last spoke, whatever woke it */
    uint8_t lamp_s;          /* how long its lamp still burns */
    bool accel_dead;
    bool just_rested;        /* the watchdog has not barked since it came to rest */
};

/* Starts: loads what it learnt. The first look at how it lies is to follow. */
void die_start(struct die *die, const struct identity *identity, uint8_t starts,
               const struct calibration_storage *storage);

/* It moved, or is to look how it lies (`forced`): samples follow. */
void die_begin(struct die *die, bool forced);

/* It has moved for so long that it dozed, and now has another look: nothing is told again until
 * it lies still or is thrown. */
void die_look_again(struct die *die);

/* The next sample. True when it lies still and may sleep. */
bool die_take_sample(struct die *die, const struct vector *sample, uint32_t now_ms);

/* A command of the hub. True when it is to look how it lies. */
bool die_take_order(struct die *die, const struct air_order *order);

/* Its accelerometer fell silent, or answers again. */
void die_lose_accel(struct die *die, uint32_t now_ms);
void die_find_accel(struct die *die);

/* It woke after `seconds` in which nothing happened, and says that it is there when that is due. */
void die_pass(struct die *die, uint8_t seconds, uint32_t now_ms);

/* How long it may sleep now, seconds: AIR_POLL_S while somebody may want something. */
uint8_t die_sleep_s(const struct die *die);

/* Whether a sample at rest lies elsewhere than the die did: its interrupt was missed. */
bool die_is_stirred(const struct die *die, const struct vector *sample);

#endif
