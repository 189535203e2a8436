/* The contents of a chip's EEPROM as written by a maker (common/eeprom_layout.h). */
#ifndef SIM_EEPROM_PICTURE_H
#define SIM_EEPROM_PICTURE_H

#include "specimen.h"

/* The identity of a die or hub. */
struct eeprom_identity {
    char role;  /* EEPROM_ROLE_DIE or EEPROM_ROLE_HUB */
    int number; /* die number from 1 */
    int set;    /* number of the board */
    int kind;   /* number of the die's faces */
    int hub_id;
    int reference_mv;
};

/* Writes the identity record into the image. */
void eeprom_put_identity(uint8_t *picture, const struct eeprom_identity *identity);

/* Writes the record of a key of SIGNATURE_KEY_BYTES, with the pairing of a hub. */
void eeprom_put_key(uint8_t *picture, const uint8_t *key, uint32_t pairing);

/* Writes the calibration of all faces of this specimen. */
void eeprom_put_calibration(uint8_t *picture, const struct specimen *specimen);

#endif
