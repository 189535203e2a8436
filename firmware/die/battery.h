/* The cell's voltage. */
#ifndef URPI_BATTERY_H
#define URPI_BATTERY_H

#include <stdint.h>

/* Measures it against the chip's own reference, which gives `reference_mv`. Millivolts. Takes
 * 1 ms. */
uint16_t battery_measure(uint16_t reference_mv);

#endif
