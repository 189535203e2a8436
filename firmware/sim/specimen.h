/* One die as it came out of a maker's hands: its body, how the sensor sits in it, its faults.
 *
 * Joins motion.h and lis3dh_chip.h; no two specimens are alike, each follows from its seed.
 */
#ifndef SIM_SPECIMEN_H
#define SIM_SPECIMEN_H

#include "lis3dh_chip.h"
#include "motion.h"

struct specimen {
    struct motion motion;
    struct lis3dh_chip accel;
};

/* A tetrahedron (`kind` 4) or a cube (6) that lies with this face up. `int1` is called with
 * `context` when the sensor's interrupt line changes. */
void specimen_begin(struct specimen *specimen, int kind, uint64_t seed, int face,
                    lis3dh_chip_int1 *int1, void *context);

/* What the sensor shows, without its noise, on a level table with this face up: what the die
 * learns when it is calibrated. In milli-g. */
void specimen_learnt_mg(const struct specimen *specimen, int face, int16_t mg[ACCEL_AXES]);

#endif
