/* Determination of the face that is up: the nearest of the calibrated directions.
 *
 * A direction is the acceleration measured at rest while that face (a d4's tip) is up. It is stored
 * as measured, including the zero-g offset, so that the offset cancels out.
 */
#ifndef URPI_FACES_H
#define URPI_FACES_H

#include <stdbool.h>
#include <stdint.h>

#include "vector.h"

enum { FACES_MAX = 6, FACES_UNIT_BITS = 10, FACES_UNIT = 1 << FACES_UNIT_BITS };

struct faces {
    uint8_t kind;                   /* 4 or 6 */
    uint8_t calibrated;             /* bit 0 for face 1 */
    struct vector up[FACES_MAX];    /* milli-g, as measured */
    struct vector unit[FACES_MAX];  /* the same, FACES_UNIT long */
};

struct faces_sight {
    uint8_t face;          /* from 1 */
    uint16_t angle;        /* to it, tenths of a degree */
    uint16_t other_angle;  /* to the next nearest one */
};

/* Initializes an uncalibrated die of `kind` faces, with the board mounted as in the body's drawing.
 * A d4's tips are at (+++), (+--), (-+-), (--+); a d6's faces at +z, +y, +x, -x, -y, -z. */
void faces_start(struct faces *faces, uint8_t kind);

/* Sets calibrated directions; `up` is in milli-g. */
void faces_set(struct faces *faces, uint8_t calibrated, const struct vector up[FACES_MAX]);

/* Returns whether every face is calibrated. */
bool faces_are_calibrated(const struct faces *faces);

/* Calibrates `face` (from 1): it is up when the sensor measures `up`. If another face had that
 * direction, the two are swapped. */
void faces_calibrate(struct faces *faces, uint8_t face, const struct vector *up);

struct faces_order {
    uint8_t face;  /* the nearest, from 1 */
    uint8_t other; /* the next nearest */
    int16_t lead;  /* difference of the acceleration along the two, in milli-g */
};

/* Returns the two nearest faces; fast enough for every sample. */
struct faces_order faces_nearest(const struct faces *faces, const struct vector *v);

/* Returns the nearest face and the angles to it and to the next one. Slow (2 ms), for a die at
 * rest. */
struct faces_sight faces_look(const struct faces *faces, const struct vector *v);

#endif
