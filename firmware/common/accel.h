/* A die's accelerometer, of which two modes are used: at rest INT1 goes high when the acceleration changes,
 * and in motion when samples are in its FIFO. lis3dh.h and ble/lsm6ds3tr.h describe the chips. These
 * functions return false if the chip does not respond as expected. */
#ifndef URPI_ACCEL_H
#define URPI_ACCEL_H

#include <stdbool.h>
#include <stdint.h>

#include "vector.h"

/* Sets the registers and selects the rest mode. */
bool accel_start(void);

/* Selects the rest mode. */
bool accel_rest(void);

/* Reads a sample of the rest mode, like accel_glance(). From then on INT1 latches high when an axis
 * changes. */
bool accel_arm(struct vector *sample);

/* Selects the motion mode, +-4 g; INT1 is high while the FIFO has at least five samples. */
bool accel_move(void);

/* Reads at most `size` samples from the FIFO, the oldest first, in milli-g, and sets `count`. */
bool accel_fetch(struct vector *samples, uint8_t size, uint8_t *count);

/* Reads one sample in the rest mode. Returns false also if the chip is no longer in the rest mode,
 * because its supply was interrupted. */
bool accel_glance(struct vector *sample);

#endif
