/* The accelerometer LIS3DH over I2C (ST DocID17530 rev 2; application note AN3308).
 *
 * Two modes are used. At rest: 10 Hz, low power, INT1 goes high when the acceleration changes. In
 * motion: 200 Hz into the FIFO, INT1 goes high when samples are ready.
 */
#ifndef URPI_LIS3DH_H
#define URPI_LIS3DH_H

#include <stdbool.h>
#include <stdint.h>

#include "vector.h"

enum { LIS3DH_FIFO_SAMPLES = 32 };

/* Sets the registers and selects the rest mode. This function and the following ones return false
 * if the chip does not respond as a LIS3DH. */
bool lis3dh_start(void);

/* Selects the rest mode: 10 Hz, low power. INT1 goes high with each sample until it is read. The first
 * one can still be from before; lis3dh_arm() must be called with a later one. */
bool lis3dh_rest(void);

/* Reads a sample of the rest mode, like lis3dh_glance(). From then on INT1 latches high
 * when an axis changes by 80 mg against that sample. */
bool lis3dh_arm(struct vector *sample);

/* Selects the motion mode: 200 Hz, +-4 g, FIFO in stream mode; INT1 is high while the FIFO has at
 * least five samples. */
bool lis3dh_move(void);

/* Reads at most `size` samples from the FIFO, the oldest first, in milli-g, and sets `count`. */
bool lis3dh_fetch(struct vector *samples, uint8_t size, uint8_t *count);

/* Reads one sample in the rest mode (+-16 mg). Returns false also if the chip is no longer in the
 * rest mode, because its supply was interrupted. */
bool lis3dh_glance(struct vector *sample);

#endif
