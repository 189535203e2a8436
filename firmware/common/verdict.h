/* The verdict whether a die was thrown: its flight, and how it turned from the release to the end.
 *
 * A hand that sets a die down, drops it flat, turns it or tips it over an edge can choose the face.
 * A throw differs from these in two ways: the die is without support for a while (or hits the table
 * many times), and it does not end as it was held. The limits are in settling_limits.h, and
 * firmware/README.md (The verdict) states what they accept and reject.
 *
 * In flight the sensor shows the spin's centrifugal acceleration, which is constant in the die's own
 * axes and of any size, because the sensor of a hand-built die is up to 15 mm off the middle.
 */
#ifndef URPI_VERDICT_H
#define URPI_VERDICT_H

#include <stdbool.h>
#include <stdint.h>

#include "faces.h"

struct verdict {
    const struct faces *faces;
    struct vector previous;    /* the previous sample */
    struct vector sum;         /* of the incomplete block of samples */
    struct vector block;       /* mean of the last complete block */
    struct vector anchor;      /* first sample of the run: consecutive samples that are alike */
    struct vector run_before;  /* the block before the run */
    struct vector ended;       /* a run that ended without a landing yet: its anchor, */
    struct vector ended_before; /* ... the block before it, */
    uint8_t ended_run;         /* ... its samples, */
    uint8_t landing;           /* ... and how many samples its landing can still take */
    struct vector calm_block;  /* the block before the last calm hold ended */
    struct vector held;        /* gravity's direction when the die was last in the hand; 0 if unknown */
    uint8_t blocked;           /* samples in the incomplete block */
    uint8_t run;               /* samples of the run; saturates, like all counts here */
    uint8_t smooth;            /* samples since the last that a hand cannot cause */
    uint8_t flight;            /* samples of the longest flight since the die was held */
    uint8_t turns;             /* faces it rolled over since then */
    uint8_t face, seen;        /* the last face that it lay on, and of the last sample */
    bool jumped;               /* the run began with a jump */
    uint8_t anchored;          /* samples since the anchor */
    uint8_t needed;            /* samples that make the run a flight */
    uint8_t since_impact;      /* samples since the last impact */
    uint8_t since_calm;        /* samples since the last calm hold ended */
    bool calm;                 /* the die was held calmly until the release */
};

void verdict_reset(struct verdict *it, const struct faces *faces);

/* Discards the evidence of a throw, because the die is in a hand. */
void verdict_forget(struct verdict *it);

/* Processes the next sample in milli-g, of which `square` is the squared length. */
void verdict_add(struct verdict *it, const struct vector *sample, uint32_t square);

/* Returns whether a die that came to rest with gravity along `end` was thrown. */
bool verdict_is_thrown(const struct verdict *it, const struct vector *end);

#endif
