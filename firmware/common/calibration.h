/* The learnt faces in the EEPROM, where a write may be torn by a falling cell.
 *
 * Two slots (eeprom_layout.h). The older one is overwritten, its CRC last, so that at every
 * moment one whole slot stands; the newer whole one counts. Storage is passed in.
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

/* Takes the newest whole record of a die of `faces->kind` faces. False when there is none;
 * `faces` is then as it was. */
bool calibration_load(const struct calibration_storage *storage, struct faces *faces);

/* Writes `faces`, and reads them back. False when the memory does not keep them. */
bool calibration_save(const struct calibration_storage *storage, const struct faces *faces);

#endif
