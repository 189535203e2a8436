/* The accelerometer LSM6DS3TR-C (data sheet DocID030071 rev 3), as accel.h.
 *
 * accel_start() must be called when it has been supplied for LSM6DS3TR_STARTS_MS. At rest: 12.5 Hz, low
 * power; INT1 is low until accel_arm(), and then latches high when an axis changes by 62 mg from one
 * sample to the next. In motion: 208 Hz into the FIFO. accel_fetch() returns false also if samples were
 * lost.
 */
#ifndef URPI_LSM6DS3TR_H
#define URPI_LSM6DS3TR_H

#include "accel.h"

enum {
    LSM6DS3TR_STARTS_MS = 35,  /* after its supply: 15 ms to boot, doubled as a precaution */
    LSM6DS3TR_RESTING_MS = 300, /* after accel_rest(): three samples, until it can be armed */
};

#endif
