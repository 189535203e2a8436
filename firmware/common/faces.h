/* Which face of a die is up: the nearest of the directions that it learnt.
 *
 * A direction is the acceleration that the sensor shows at rest while that face (a d4's tip) is
 * up. It is kept as it was measured, zero-g offset included, so that the offset cancels.
 */
#ifndef URPI_FACES_H
#define URPI_FACES_H

#include <stdbool.h>
#include <stdint.h>

#include "vector.h"

enum { FACES_MAX = 6, FACES_UNIT_BITS = 10, FACES_UNIT = 1 << FACES_UNIT_BITS };

struct faces {
    uint8_t kind;                   /* 4 or 6 */
    uint8_t learnt;                 /* bit 0 for face 1 */
    struct vector up[FACES_MAX];    /* milli-g, as measured */
    struct vector unit[FACES_MAX];  /* the same, FACES_UNIT long */
};

struct faces_sight {
    uint8_t face;          /* from 1 */
    uint16_t angle;        /* to it, tenths of a degree */
    uint16_t other_angle;  /* to the next nearest one */
};

/* A die of `kind` faces that has learnt nothing: as the board lies in the body's drawing. A d4's
 * tips are at (+++), (+--), (-+-), (--+); a d6's faces at +z, +y, +x, -x, -y, -z. */
void faces_start(struct faces *faces, uint8_t kind);

/* Takes learnt directions, `up` in milli-g. */
void faces_set(struct faces *faces, uint8_t learnt, const struct vector up[FACES_MAX]);

/* Whether every face was learnt. */
bool faces_are_learnt(const struct faces *faces);

/* Learns that `face` (from 1) is up when the sensor shows `up`. A face that was taken to lie
 * there gets the learner's former direction: the two change places. */
void faces_learn(struct faces *faces, uint8_t face, const struct vector *up);

struct faces_order {
    uint8_t face;  /* the nearest, from 1 */
    uint8_t other; /* the next nearest */
    int16_t lead;  /* so many milli-g more point along the one than along the other */
};

/* The two nearest faces; quick, for every sample. */
struct faces_order faces_nearest(const struct faces *faces, const struct vector *v);

/* The nearest face and the angles to it and to the next one; slow (2 ms), for a die at rest. */
struct faces_sight faces_look(const struct faces *faces, const struct vector *v);

#endif
