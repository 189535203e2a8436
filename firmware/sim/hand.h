/* The movement of a die held by a hand, which lifts, turns and shakes it. */
#ifndef SIM_HAND_H
#define SIM_HAND_H

#include "chance.h"

#include <stdbool.h>

/* One movement. Lifting and turning start and end at rest, as in natural movements of a hand
 * (minimum jerk, Flash and Hogan 1985). */
struct hand_move {
    double lasts_s;
    double lift_m;           /* height gained by its end */
    struct quat to;          /* the attitude at its end, if it does not tumble */
    double tumble_rad_per_s; /* angular speed of the die in the hollow of the hand, or 0 */
    double shake_g;          /* amplitude of the shaking along each axis */
    double shake_hz;
    double tremor_g;
    double tremor_hz;        /* 8 to 12; 0 for the usual 9 */
    bool calms_down;         /* the shaking ends gradually, as it begins */
    double release_s;        /* at the end, in which the fingers carry less and less */
};

struct hand {
    struct hand_move move;
    double at_s; /* since the movement began */
    struct quat from, attitude;
    struct vec spin;         /* rad/s, in the world */
    struct vec acceleration; /* m/s^2, in the world, without gravity */
    struct vec phase;        /* initial phase of the shaking along each axis, rad */
};

/* Begins to hold a die of this attitude. */
void hand_begin(struct hand *hand, const struct hand_move *move, struct quat attitude,
                struct chance *chance);

/* Advances by `step` seconds, about a millisecond. */
void hand_step(struct hand *hand, double step, struct chance *chance);

#endif
