/* What a maker writes into a chip's EEPROM (common/eeprom_layout.h). */
#ifndef SIM_EEPROM_PICTURE_H
#define SIM_EEPROM_PICTURE_H

#include "specimen.h"

/* What makes a chip this die, or this hub. */
struct eeprom_identity {
    char role;  /* EEPROM_ROLE_DIE or EEPROM_ROLE_HUB */
    int number; /* a die's, from 1 */
    int set;    /* the board's that it belongs to */
    int kind;   /* a die's faces */
    int hub_id;
    int reference_mv;
};

/* Writes the identity record into the picture. */
void eeprom_put_identity(uint8_t *picture, const struct eeprom_identity *identity);

/* Writes what this specimen would have learnt of all its faces. */
void eeprom_put_calibration(uint8_t *picture, const struct specimen *specimen);

#endif
