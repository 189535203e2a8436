/* The verdict whether a die was thrown: its flight, and whether a hand held it until then.
 *
 * A hand that sets a die down, drops it or spins it about the vertical chooses the face by holding the
 * die steadily before it lets go. A die that is thrown turns or is shaken until then. So the evidence
 * is the flight, whether the die was held steadily until the release, and by how much it ended turned
 * against that hold. The limits are in settling_limits.h, and firmware/README.md (The verdict) states
 * what they accept and reject. The table decides by the evidence (FORMATS.md, Serial lines); the die's
 * own verdict is the lenient one.
 *
 * In flight the sensor shows the spin's centrifugal acceleration, which is constant in the die's own
 * axes and of any size, because the sensor of a hand-built die is up to 15 mm off the middle.
 */
#ifndef URPI_VERDICT_H
#define URPI_VERDICT_H

#include <stdbool.h>
#include <stdint.h>

#include "faces.h"

enum { VERDICT_NOT_HELD = 180 };

struct verdict_evidence {
    uint16_t flight_ms; /* the longest flight since the release; 0 without one */
    uint8_t edges;      /* rolled over since the die hit the table; saturates */
    uint8_t turned_deg; /* between the hold and the end; VERDICT_NOT_HELD without a hold */
};

/* How a run of samples that are alike began: it can be a flight. */
struct verdict_start {
    struct vector held; /* gravity's direction in the last hold */
    bool calm;          /* the die was held steadily until then */
    bool bounces;       /* it was not released, but hit the table just before */
};

struct verdict {
    const struct faces *faces;
    struct vector previous;      /* the previous sample */
    struct vector steady;        /* slow mean of the samples since `steady_samples`, times 8 */
    struct vector held;          /* the last hold */
    struct vector anchor;        /* the sample to which those of the run are compared */
    struct verdict_start begun;  /* the run, */
    struct verdict_start ended;  /* ... the last flight, which has not landed yet, */
    struct verdict_start thrown; /* ... and the flight that counts */
    uint8_t steady_samples; /* samples close to their slow mean; saturates, like all counts here */
    uint8_t since_hold;     /* samples with weight since the last hold */
    uint8_t run;            /* samples of the run */
    uint8_t anchored;       /* samples since the anchor */
    uint8_t ended_run;      /* samples of the last flight */
    bool ended_rests;       /* ... whether they were like gravity, */
    uint8_t landing;        /* ... and how many samples its landing can still take */
    uint8_t since_impact;   /* samples since the last impact */
    uint8_t flight;         /* samples of the longest flight that counts */
    uint8_t edges;          /* rolled over since it landed */
    uint8_t face, seen;     /* the last face that it lay on, and of the last sample; 0: none */
    bool steady_jumped;     /* these began with a jump and did not tremble since */
    bool jumped;            /* the run began with a jump */
    bool rests;             /* the run's first sample is like gravity */
    bool falls;             /* all samples of the run are without weight */
};

/* `rest` is the acceleration at rest before the motion, 0 if unknown: the first hold. */
void verdict_reset(struct verdict *it, const struct faces *faces, const struct vector *rest);

/* Discards the evidence of a throw, because the die is in a hand. */
void verdict_forget(struct verdict *it);

/* Processes the next sample in milli-g, of which `square` is the squared length. */
void verdict_add(struct verdict *it, const struct vector *sample, uint32_t square);

/* Returns the evidence for a die that came to rest with gravity along `end`. Slow (2 ms) after a
 * hold. */
struct verdict_evidence verdict_at(const struct verdict *it, const struct vector *end);

/* Returns whether a die with this evidence was thrown, leniently. */
bool verdict_is_throw(const struct verdict_evidence *evidence);

#endif
