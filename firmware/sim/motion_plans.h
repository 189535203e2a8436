/* The plans of motion.h, with random values typical of players. */
#ifndef SIM_MOTION_PLANS_H
#define SIM_MOTION_PLANS_H

#include "motion.h"

struct motion_plan {
    struct motion_stage stage[MOTION_STAGES_MAX];
    int stages;
};

struct motion_range {
    double low, high;
};

/* What a hand chooses when it does something else than throwing. */
struct motion_trick {
    struct motion_range tilt_deg; /* off the wanted face */
    struct motion_range drop_m;
    struct motion_range hold_s;   /* after shaking, and before the release */
    struct motion_range spin;     /* about the vertical, rad/s */
};

/* Everything that a hand can do: 0 to 45 degrees, 1 to 6 cm, 0.1 to 3 s, 0 to 20 rad/s. */
extern const struct motion_trick motion_any_trick;

/* Returns a plan to pick up, shake and release a die: onto the table, or, if `slope_deg` is above
 * 0, onto a slope on which it ends leaning by that angle. */
struct motion_plan motion_plan_throw(struct chance *chance, double slope_deg);

/* Returns a plan to lift a die, turn it until its direction `up` points up, and put it down. */
struct motion_plan motion_plan_place(struct chance *chance, struct vec up, struct quat attitude);

/* Returns a plan to carry a die without end. */
struct motion_plan motion_plan_pocket(void);

/* Returns a plan to push a die aside without turning it. */
struct motion_plan motion_plan_nudge(struct chance *chance);

/* Throws that are hard to recognize: shaken with 0.1 to 0.3 g and released 2 to 6 cm above the table
 * with 3 to 9 rad/s, or spinning five to seven times a second. */
struct motion_plan motion_plan_gentle(struct chance *chance);
struct motion_plan motion_plan_spun(struct chance *chance);

/* What a player can do instead of throwing. `up` is the direction of the wanted face, and
 * `attitude` the present one. */

/* Shake, in the hollow of the hand or gripped, and set down tilted. */
struct motion_plan motion_plan_set_down(struct chance *chance, const struct motion_trick *trick,
                                        struct vec up, struct quat attitude);

/* Hold with the wanted face up, possibly after shaking, and drop. */
struct motion_plan motion_plan_drop(struct chance *chance, const struct motion_trick *trick,
                                    struct vec up, struct quat attitude);

/* The same, but spun about the vertical by the fingers on release. */
struct motion_plan motion_plan_twirl(struct chance *chance, const struct motion_trick *trick,
                                     struct vec up, struct quat attitude);

/* Tip over the edge that separates the face that is up from a neighbour, by a finger. */
struct motion_plan motion_plan_tip(struct chance *chance, const struct body_shape *shape,
                                   struct quat attitude);

/* Shake, and hold in a calm hand for three seconds, with a tremor of 8 to 30 mg at 8 to 12 Hz. */
struct motion_plan motion_plan_hold(struct chance *chance);

#endif
