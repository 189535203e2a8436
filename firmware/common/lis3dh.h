/* The accelerometer LIS3DH over I2C (ST DocID17530 rev 2; application note AN3308).
 *
 * It has two ways here. At rest: 10 Hz low-power, its INT1 line goes high when the acceleration
 * changes. In motion: 200 Hz into its FIFO, INT1 goes high when there is something to fetch.
 */
#ifndef URPI_LIS3DH_H
#define URPI_LIS3DH_H

#include <stdbool.h>
#include <stdint.h>

#include "vector.h"

enum { LIS3DH_FIFO_SAMPLES = 32 };

/* Resets the registers that matter, and rests. False when the chip does not answer as a LIS3DH;
 * so do the others. */
bool lis3dh_start(void);

/* 10 Hz, low power; INT1 latches high when an axis changes by 80 mg. */
bool lis3dh_rest(void);

/* 200 Hz, +-4 g, FIFO in stream mode; INT1 is high while five samples or more wait. */
bool lis3dh_move(void);

/* Reads the samples that wait, the oldest first, milli-g; at most `size`. `count` is how many. */
bool lis3dh_fetch(struct vector *samples, uint8_t size, uint8_t *count);

/* One sample at rest, +-16 mg, and whether the chip is still set to rest: a chip that lost its
 * supply for a moment is not. */
bool lis3dh_glance(struct vector *sample);

#endif
