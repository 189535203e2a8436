/* The cell's voltage. */
#ifndef URPI_BATTERY_H
#define URPI_BATTERY_H

#include <stdint.h>

/* Measures the voltage in millivolts against the chip's reference of `reference_mv`. Takes 1 ms. */
uint16_t battery_measure(uint16_t reference_mv);

#endif
