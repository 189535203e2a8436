/* The accelerometer LSM6DS3TR-C (data sheet DocID030071 rev 3), as lis3dh.h describes the other one.
 * These functions return false if the chip does not respond as expected. */
#ifndef URPI_LSM6DS3TR_H
#define URPI_LSM6DS3TR_H

#include <stdbool.h>
#include <stdint.h>

#include "vector.h"

enum {
    LSM6DS3TR_STARTS_MS = 35,  /* after its supply: 15 ms to boot, doubled as a precaution */
    LSM6DS3TR_RESTING_MS = 300, /* after lsm6ds3tr_rest(): three samples, until it can be armed */
};

/* Selects the rest mode of a chip that has been supplied for LSM6DS3TR_STARTS_MS. */
bool lsm6ds3tr_start(void);

/* Selects the rest mode: 12.5 Hz, low power, +-2 g. INT1 is low. */
bool lsm6ds3tr_rest(void);

/* Reads a sample of the rest mode, from which on INT1 latches high when an axis changes by 62 mg from
 * one sample to the next. */
bool lsm6ds3tr_arm(struct vector *sample);

/* Selects the motion mode: 208 Hz, +-4 g, FIFO; INT1 is high while it holds at least five samples. */
bool lsm6ds3tr_move(void);

/* Reads at most `size` samples from the FIFO, the oldest first, in milli-g, and sets `count`. False
 * also if some were lost. */
bool lsm6ds3tr_fetch(struct vector *samples, uint8_t size, uint8_t *count);

/* Reads one sample in the rest mode. False also if the chip has lost it. */
bool lsm6ds3tr_glance(struct vector *sample);

#endif
