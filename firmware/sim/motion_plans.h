/* The plans of motion.h, drawn by chance: what people do with dice, in figures. */
#ifndef SIM_MOTION_PLANS_H
#define SIM_MOTION_PLANS_H

#include "motion.h"

struct motion_plan {
    struct motion_stage stage[MOTION_STAGES_MAX];
    int stages;
};

/* Picked up, shaken, let go: onto the table, or, by `slope_deg` above 0, onto something that
 * leaves it leaning by as much. */
struct motion_plan motion_plan_throw(struct chance *chance, double slope_deg);

/* Lifted a little, turned until the body's direction `up` points up, and put down. */
struct motion_plan motion_plan_place(struct chance *chance, struct vec up, struct quat attitude);

/* Carried about, for ever. */
struct motion_plan motion_plan_pocket(void);

/* Pushed aside by a neighbour, as it lies. */
struct motion_plan motion_plan_nudge(struct chance *chance);

#endif
