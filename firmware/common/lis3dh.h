/* The accelerometer LIS3DH over I2C (ST DocID17530 rev 2; application note AN3308), as accel.h.
 *
 * At rest: 10 Hz, low power, +-16 mg. INT1 goes high with each sample until it is read. The first one can
 * still be from before; accel_arm() must be called with a later one. From then on it latches high when
 * an axis changes by 80 mg against that sample. In motion: 200 Hz into the FIFO in stream mode.
 */
#ifndef URPI_LIS3DH_H
#define URPI_LIS3DH_H

#include "accel.h"

enum { LIS3DH_FIFO_SAMPLES = 32 };

#endif
