/* The motions by their names, with the ranges of the tricks: what the benches of all dice play. */
#ifndef SIM_MOTION_ACTIONS_H
#define SIM_MOTION_ACTIONS_H

#include "motion_plans.h"

#include <stdbool.h>

#define MOTION_ACTIONS "throw gentle spun place set drop twirl tip hold nudge knock pocket lean"

struct motion_options {
    struct motion_range lean_deg;
    struct motion_trick trick;
};

/* Sets a lean of 25 degrees, and everything that a hand can do. */
void motion_options_start(struct motion_options *options);

/* Reads an option, KEY=NUMBER or KEY=LOW..HIGH: lean and tilt in degrees, drop in cm, hold in s, spin in
 * rad/s. Returns false if it is none. */
bool motion_options_read(struct motion_options *options, const char *text);

bool motion_is_action(const char *name);

/* Draws the face that is up before the motion with this seed, and then for how long more than usual, up
 * to 100 ms, the die lies so. */
int motion_face_before(struct chance *chance, uint64_t seed, const struct body_shape *shape);
double motion_more_ms(struct chance *chance);

/* Begins an action, and returns the face that was drawn for it, 0 if it is for none. The options must
 * remain valid. */
int motion_act(struct motion *motion, const char *name, struct chance *chance,
               const struct motion_options *options);

#endif
