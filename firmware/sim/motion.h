/* What happens to one die, as a plan of holds and falls drawn from a seed.
 *
 * Owns the order of things: picked up, shaken, let go, at rest. Time is virtual, in
 * nanoseconds, and goes on only when somebody asks what the die feels or how it lies.
 */
#ifndef SIM_MOTION_H
#define SIM_MOTION_H

#include "body.h"
#include "chance.h"
#include "hand.h"

#include <stdint.h>

enum { MOTION_STAGES_MAX = 4 };

/* One stage: held by a hand, or, when `hand.lasts_s` is 0, let go until it rests. */
struct motion_stage {
    struct hand_move hand;
    double clearance_m;     /* let go so high above the table */
    struct vec speed, spin; /* and with these, m/s and rad/s */
    double slope_deg;       /* the table's, so that the die ends leaning by as much */
};

struct motion {
    struct body body;
    struct hand hand;
    struct chance chance;
    struct vec sensor_at; /* the accelerometer's place in the body, m from the centre */
    double level_deg;     /* how far off level the table stands */
    struct motion_stage stage[MOTION_STAGES_MAX];
    int stages, at_stage;
    uint64_t now_ns;
    uint64_t still_since_ns;
    uint64_t slow_since_ns; /* while let go: slower than can be seen since then */
    struct {
        double size, hz;
        uint64_t from_ns;
    } knock; /* a blow on the table, felt while the die rests */
};

/* Lays the die on the table with this face up, from 1. */
void motion_begin(struct motion *motion, const struct body_shape *shape, uint64_t seed, int face);

/* Each begins at the motion's own time; move it there first with motion_advance(). What was
 * going on ends at once. */
void motion_throw(struct motion *motion);
void motion_lean(struct motion *motion, double angle_deg);
void motion_place(struct motion *motion, int face);
void motion_pocket(struct motion *motion);
void motion_nudge(struct motion *motion);
void motion_knock(struct motion *motion);

/* Goes on to `until_ns`. Returns in `mean_g` the mean specific force in g, in the body's axes,
 * of the time in between, each axis cut off at `limit_g` before the mean is taken; at rest with
 * face up it is one g along that face's up. `mean_g` may be null. */
void motion_advance(struct motion *motion, uint64_t until_ns, double limit_g, double *mean_g);

/* Whether it rests; since `still_since_ns` then. */
bool motion_is_still(const struct motion *motion);

/* Which face is up, from 1, and how far off straight up. */
int motion_face(const struct motion *motion, double *angle_deg);

#endif
