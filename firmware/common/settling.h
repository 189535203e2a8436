/* Classification of a die's motion: accelerometer samples in, an event out now and then.
 *
 * An episode begins when the sensor's interrupt wakes the die (settling_start) and ends when the
 * die is at rest (settled, cocked, or quiet if there is nothing to report). Time is counted in
 * samples of SETTLING_SAMPLE_MS. The thresholds are in settling_limits.h.
 */
#ifndef URPI_SETTLING_H
#define URPI_SETTLING_H

#include <stdbool.h>
#include <stdint.h>

#include "faces.h"
#include "settling_limits.h"
#include "verdict.h"

enum settling_event {
    SETTLING_NOTHING,
    SETTLING_ROLLING, /* falling, tumbling or shaken: a throw begins */
    SETTLING_HANDLED, /* moved, but not thrown */
    SETTLING_SETTLED, /* at rest on a face: the episode is over */
    SETTLING_COCKED,  /* at rest, leaning: the episode is over */
    SETTLING_QUIET,   /* at rest, hardly moved: the episode is over, with nothing to report */
};

enum settling_reported {
    SETTLING_REPORTED_NOTHING,
    SETTLING_REPORTED_HANDLED,
    SETTLING_REPORTED_ROLLING,
};

struct settling_sum {
    int32_t x, y, z;
    uint16_t count;
};

struct settling {
    const struct faces *faces;
    struct vector rest;    /* direction of gravity before the episode; 0 if unknown */
    struct vector mean;    /* direction of gravity, once at rest */
    struct faces_sight sight; /* the face up, once settled or cocked */
    bool forced;           /* report the face even if the die did not move */
    uint8_t before;        /* how the last episode ended, enum settling_event */
    bool sequel;           /* this episode can still belong to the throw of the last one */
    bool thrown;           /* once at rest: whether the die was thrown (verdict.h) */
    struct verdict_evidence evidence; /* ... and the evidence; before it is at rest in a sequel, that
                                       * of the throw */
    struct verdict verdict;
    uint8_t reported;      /* the motion reported so far, enum settling_reported */
    uint16_t samples;      /* of this episode; saturates */

    /* The window of samples at rest, divided into parts of SETTLING_PIECE_MS. */
    struct vector anchor;       /* the direction around which the samples stay */
    struct settling_sum still;  /* the window's samples */
    struct settling_sum part;   /* the samples of its incomplete part */
    struct vector part_before;  /* mean of its last complete part */
    uint8_t parts;              /* number of complete parts; saturates */

    uint16_t fall_run;     /* samples of the current free fall */
    uint16_t fall_best;    /* samples of the longest free fall */
    uint8_t agitation;
    uint8_t face;          /* the last face that a sample pointed to, 0 at first */
    uint8_t tumbles;       /* saturates */
    uint8_t bumps;         /* number of samples far from 1 g; saturates */

    /* Calm motion, divided into pieces of SETTLING_PIECE_MS, from which a hand is detected. */
    struct settling_sum piece; /* samples of the incomplete piece */
    uint8_t pieces;        /* 1 if piece_before is valid */
    uint8_t turned;        /* pieces in a row that are turned against the one before */
    struct vector piece_before;
    uint16_t tame;         /* samples since the last wild one; saturates */
};

/* Initializes the state of a die whose position is unknown. */
void settling_reset(struct settling *it, const struct faces *faces);

/* Begins an episode. `forced`: report the face even if the die does not move. */
void settling_start(struct settling *it, bool forced);

/* Begins an episode soon after a throw ended: it can still belong to that throw. */
void settling_go_on(struct settling *it);

/* Processes the next sample, in milli-g. After settled, cocked or quiet, `mean` is the direction
 * of gravity; after settled and cocked, `sight` is the face up. */
enum settling_event settling_add(struct settling *it, const struct vector *sample);

#endif
