/* The cell's voltage. */
#ifndef URPI_BATTERY_H
#define URPI_BATTERY_H

#include <stdint.h>

/* Measures the voltage in millivolts against the chip's reference of `reference_mv`. Takes 0.9 ms, or up to
 * 17 ms with a capacitor at AREF. */
uint16_t battery_measure(uint16_t reference_mv);

#endif
