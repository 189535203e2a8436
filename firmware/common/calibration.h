/* The calibration in the EEPROM, protected against a loss of power during a write.
 *
 * There are two slots (eeprom_layout.h). The older one is overwritten, its CRC last, so that one
 * slot is valid at any time; the newer valid one counts. Storage is passed in.
 */
#ifndef URPI_CALIBRATION_H
#define URPI_CALIBRATION_H

#include <stdbool.h>
#include <stdint.h>

#include "faces.h"

struct calibration_storage {
    void (*read)(uint16_t at, uint8_t *bytes, uint8_t size);
    void (*write)(uint16_t at, const uint8_t *bytes, uint8_t size);
};

/* Loads the newest valid record of a die of `faces->kind` faces. Returns false if there is none;
 * `faces` is unchanged then. */
bool calibration_load(const struct calibration_storage *storage, struct faces *faces);

/* Writes `faces` and reads them back. Returns false if the memory does not keep them. */
bool calibration_save(const struct calibration_storage *storage, const struct faces *faces);

/* Gets the calibrated voltage of the chip's reference, in millivolts. Returns false, and changes
 * nothing, if there is none. */
bool calibration_load_reference(const struct calibration_storage *storage, uint16_t *reference_mv);

/* Stores it. */
void calibration_save_reference(const struct calibration_storage *storage, uint16_t reference_mv);

#endif
