/* What a hand does to a die that it holds: lifts, turns, shakes. Owns the movement alone. */
#ifndef SIM_HAND_H
#define SIM_HAND_H

#include "chance.h"

/* One movement. Lifting and turning start and end at rest, as a hand moves by itself
 * (minimum jerk, Flash and Hogan 1985). */
struct hand_move {
    double lasts_s;
    double lift_m;           /* how much higher it ends */
    struct quat to;          /* the attitude at its end, when it does not tumble */
    double tumble_rad_per_s; /* how fast the die turns over in the hollow of the hand, or 0 */
    double shake_g;          /* how hard it is shaken to and fro, each way */
    double shake_hz;
    double tremor_g;
};

struct hand {
    struct hand_move move;
    double at_s; /* since the movement began */
    struct quat from, attitude;
    struct vec spin;         /* rad/s, in the world */
    struct vec acceleration; /* m/s^2, in the world, gravity left out */
    struct vec phase;        /* where in its swing each way begins, rad */
};

/* Takes hold of a die of this attitude. */
void hand_begin(struct hand *hand, const struct hand_move *move, struct quat attitude,
                struct chance *chance);

/* Goes on by `step` seconds, a millisecond or so. */
void hand_step(struct hand *hand, double step, struct chance *chance);

#endif
