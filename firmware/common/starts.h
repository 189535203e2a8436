/* The number of starts of a die with a key, in its EEPROM: it must never go back, or the hub would
 * reject the die's reports as old ones. So there are two slots, of which one is always valid.
 */
#ifndef URPI_STARTS_H
#define URPI_STARTS_H

#include <stdint.h>

#include "calibration.h"

/* Returns the stored number, 0 if there is none. */
uint16_t starts_load(const struct calibration_storage *storage);

/* Stores a greater number. */
void starts_save(const struct calibration_storage *storage, uint16_t starts);

#endif
