/* What became of a die that moved: samples in, one word out now and then.
 *
 * An episode begins when the sensor's interrupt wakes the die (settling_start) and ends when it
 * lies still (settled, cocked, or quiet: nothing worth telling). Time is counted in samples, of
 * SETTLING_SAMPLE_MS each. Thresholds: settling_limits.h.
 */
#ifndef URPI_SETTLING_H
#define URPI_SETTLING_H

#include <stdbool.h>
#include <stdint.h>

#include "faces.h"
#include "settling_limits.h"

enum settling_event {
    SETTLING_NOTHING,
    SETTLING_ROLLING, /* falls, tumbles, or is shaken: a throw begins */
    SETTLING_HANDLED, /* moved, but no throw */
    SETTLING_SETTLED, /* still, on a face: the episode is over */
    SETTLING_COCKED,  /* still, leaning: the episode is over */
    SETTLING_QUIET,   /* still where it was and hardly moved: over, and nothing to tell */
};

enum settling_told { SETTLING_TOLD_NOTHING, SETTLING_TOLD_HANDLED, SETTLING_TOLD_ROLLING };

struct settling_sum {
    int32_t x, y, z;
    uint16_t count;
};

struct settling {
    const struct faces *faces;
    struct vector rest;    /* where it lay before; 0 when that is not known */
    struct vector mean;    /* where it lies, once it is still */
    struct faces_sight sight; /* what is up, once it is settled or cocked */
    bool forced;           /* tell how it lies even if it did not move */
    uint8_t before;        /* how the last episode ended, enum settling_event */
    bool sequel;           /* this one may still belong to the throw of the last one, whose ... */
    uint8_t first_tumbles; /* ... tumbles these were, */
    uint16_t first_fall;   /* and this its longest fall */
    uint8_t told;          /* enum settling_told */
    uint16_t samples;      /* of this episode, stays at 65535 */

    struct vector anchor;       /* the still window: where it is, ... */
    struct settling_sum still;  /* its samples, ... */
    struct settling_sum part;   /* those of its piece that runs, ... */
    struct vector part_before;  /* where the piece before lay, ... */
    uint8_t parts;              /* and how many whole ones there are; stays at 255 */

    uint16_t fall_run;     /* samples of the fall that lasts */
    uint16_t fall_best;    /* of the longest one */
    uint8_t agitation;
    uint8_t face;          /* the last one that a sample named, 0 before */
    uint8_t tumbles;       /* stays at 255 */
    uint8_t bumps;         /* samples far from gravity, stays at 255 */

    struct settling_sum piece; /* the tame piece that runs */
    uint8_t pieces;        /* whole tame ones before it, 1: piece_before is one */
    uint8_t turned;        /* of them, how many in a row were turned against the one before */
    struct vector piece_before;
    uint16_t tame;         /* samples since the last wild one, stays at 65535 */
};

/* A die that knows nothing yet of where it lies. */
void settling_reset(struct settling *it, const struct faces *faces);

/* It woke. `forced`: it is asked to tell how it lies even when it did not move. */
void settling_start(struct settling *it, bool forced);

/* It woke soon after a throw had settled or was cocked: this may still be the same throw. */
void settling_go_on(struct settling *it);

/* The next sample, milli-g. After settled, cocked or quiet `mean` is where it lies, and after
 * the first two `sight` what is up. */
enum settling_event settling_add(struct settling *it, const struct vector *sample);

/* Whether so far there is reason to call the motion a throw. */
bool settling_is_thrown(const struct settling *it);

/* The longest free fall since the throw began, milliseconds. */
uint16_t settling_fall_ms(const struct settling *it);

#endif
