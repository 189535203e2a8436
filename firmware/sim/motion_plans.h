/* The plans of motion.h, with random values typical of players. */
#ifndef SIM_MOTION_PLANS_H
#define SIM_MOTION_PLANS_H

#include "motion.h"

struct motion_plan {
    struct motion_stage stage[MOTION_STAGES_MAX];
    int stages;
};

/* Returns a plan to pick up, shake and release a die: onto the table, or, if `slope_deg` is above
 * 0, onto a slope on which it ends leaning by that angle. */
struct motion_plan motion_plan_throw(struct chance *chance, double slope_deg);

/* Returns a plan to lift a die, turn it until its direction `up` points up, and put it down. */
struct motion_plan motion_plan_place(struct chance *chance, struct vec up, struct quat attitude);

/* Returns a plan to carry a die without end. */
struct motion_plan motion_plan_pocket(void);

/* Returns a plan to push a die aside without turning it. */
struct motion_plan motion_plan_nudge(struct chance *chance);

#endif
