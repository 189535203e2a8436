/* The motion of one die, as a plan of holds and falls drawn from a seed.
 *
 * It defines the sequence: picked up, shaken, released, at rest. Time is virtual, in nanoseconds,
 * and advances only by motion_advance().
 */
#ifndef SIM_MOTION_H
#define SIM_MOTION_H

#include "body.h"
#include "chance.h"
#include "hand.h"

#include <stdint.h>
#include <stdio.h>

enum { MOTION_STAGES_MAX = 5 };

struct motion_trick; /* motion_plans.h */

/* One stage: held by a hand, or, if `hand.lasts_s` is 0, released until it is at rest. */
struct motion_stage {
    struct hand_move hand;
    double clearance_m;     /* height of the release above the table */
    struct vec speed, spin; /* speed and spin of the release, m/s and rad/s */
    double slope_deg;       /* slope of the table, by which the die finally leans */
};

struct motion {
    struct body body;
    struct hand hand;
    struct chance chance;
    struct vec sensor_at; /* the accelerometer's position in the body, m from the centre */
    double level_deg;     /* the table's tilt */
    const struct motion_trick *trick; /* the ranges of set_down, drop and twirl */
    struct motion_stage stage[MOTION_STAGES_MAX];
    int stages, at_stage;
    uint64_t now_ns;
    uint64_t still_since_ns;
    uint64_t slow_since_ns; /* while released: slower than visible since then */
    struct {
        double size, hz;
        uint64_t from_ns;
    } knock; /* a knock on the table, which acts while the die is at rest */
    struct {
        FILE *file; /* null if nothing is recorded */
        uint64_t row_ends_ns;
        double sum[3];
    } recording;
};

/* Lays the die on the table with this face up, from 1. */
void motion_begin(struct motion *motion, const struct body_shape *shape, uint64_t seed, int face);

/* Each of these begins at the motion's current time (see motion_advance()), and ends the previous
 * motion. */
void motion_throw(struct motion *motion);
void motion_lean(struct motion *motion, double angle_deg);
void motion_place(struct motion *motion, int face);
void motion_pocket(struct motion *motion);
void motion_nudge(struct motion *motion);
void motion_knock(struct motion *motion);
void motion_gentle(struct motion *motion);
void motion_spun(struct motion *motion);
void motion_set_down(struct motion *motion, int face);
void motion_drop(struct motion *motion, int face);
void motion_twirl(struct motion *motion, int face);
void motion_tip(struct motion *motion);
void motion_hold(struct motion *motion);

/* Advances to `until_ns`. Sets `mean_g` to the mean specific force in g in the body's axes during
 * this time, with each axis limited to `limit_g` before averaging; at rest it is one g along the
 * upper face's direction. `mean_g` may be null. */
void motion_advance(struct motion *motion, uint64_t until_ns, double limit_g, double *mean_g);

/* Writes the specific force in mg along the body's axes into a file from now on, one line per
 * millisecond, or ends that if `file` is null, and closes the file before. Steps end with the
 * milliseconds then, so a throw differs from one that is not recorded. */
void motion_record(struct motion *motion, FILE *file);

/* Returns whether the die is at rest, since `still_since_ns`. */
bool motion_is_still(const struct motion *motion);

/* Returns the face that is up (from 1), and sets its tilt. */
int motion_face(const struct motion *motion, double *angle_deg);

#endif
