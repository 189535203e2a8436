/* The cell's voltage. */
#ifndef URPI_BLE_BATTERY_H
#define URPI_BLE_BATTERY_H

#include <stdint.h>

void battery_start(void);

/* Measures the cell in millivolts; 0 if the converter does not respond. */
uint16_t battery_measure(void);

#endif
