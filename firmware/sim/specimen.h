/* One die with its individual tolerances: its body, and the sensor's position and errors.
 *
 * Combines motion.h and lis3dh_chip.h. The tolerances depend on the seed.
 */
#ifndef SIM_SPECIMEN_H
#define SIM_SPECIMEN_H

#include "lis3dh_chip.h"
#include "motion.h"

struct specimen {
    struct motion motion;
    struct lis3dh_chip accel;
};

/* Begins with a die of this body lying with this face up. `int1` is called with `context` when the
 * sensor's interrupt line changes. */
void specimen_begin(struct specimen *specimen, const struct body_shape *shape, uint64_t seed,
                    int face, lis3dh_chip_int1 *int1, void *context);

/* Gets the sensor's measurement without noise on a level table with this face up, as stored by the
 * die's calibration, in milli-g. */
void specimen_calibrated_mg(const struct specimen *specimen, int face, int16_t mg[ACCEL_AXES]);

#endif
