/* The numbers of the last signed reports in the hub's EEPROM, so that none is accepted twice, also
 * after the hub has restarted.
 *
 * Each die has EEPROM_NUMBER_SLOTS slots that are written in turn, which multiplies the 100,000 writes
 * that a cell endures. A slot is valid with its signature, which includes the hub's pairing: when the
 * hub is flashed again, all former numbers are forgotten.
 */
#ifndef URPI_NUMBERS_H
#define URPI_NUMBERS_H

#include <stdbool.h>
#include <stdint.h>

#include "calibration.h"
#include "identity.h"
#include "protocol.h"

/* A number that is being written, a byte at a time: a whole one would stop the hub for 27 ms. */
struct numbers {
    const struct calibration_storage *storage;
    const struct identity *identity;
    uint16_t at;
    uint8_t bytes[EEPROM_NUMBER_BYTES];
    uint8_t left;
    uint8_t slot[PROTOCOL_DIE_MAX]; /* the next one of each die */
};

/* Initializes it. `storage` and `identity`, which has a key, must stay. */
void numbers_start(struct numbers *numbers, const struct calibration_storage *storage,
                   const struct identity *identity);

/* Returns the stored number of a die (1 to 8), 0 if there is none. */
uint32_t numbers_load(struct numbers *numbers, uint8_t die);

/* Returns whether a number is still being written. */
bool numbers_are_busy(const struct numbers *numbers);

/* Begins to write a die's number. Nothing else may be in progress. */
void numbers_save(struct numbers *numbers, uint8_t die, uint32_t number);

/* Writes the next byte. */
void numbers_step(struct numbers *numbers);

#endif
