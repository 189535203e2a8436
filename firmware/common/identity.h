/* A chip's identity in its EEPROM (eeprom_layout.h), and the radio addresses derived from it. */
#ifndef URPI_IDENTITY_H
#define URPI_IDENTITY_H

#include <stdbool.h>
#include <stdint.h>

#include "air_protocol.h"
#include "eeprom_layout.h"
#include "signature.h"

struct identity {
    uint8_t role;          /* EEPROM_ROLE_DIE or EEPROM_ROLE_HUB */
    uint8_t number;        /* die number, 1 to 8; 0 for a hub */
    uint8_t kind;          /* number of the die's faces, 4 or 6; 0 for a hub */
    uint8_t channel;       /* in MHz above 2400 */
    uint16_t set;          /* number of the board to which the chip belongs */
    uint16_t hub_id;       /* the id in the hub's greeting */
    uint16_t reference_mv; /* measured voltage of the chip's 1.1 V reference */
    bool has_key;          /* the following are valid */
    uint8_t key[SIGNATURE_KEY_BYTES];
    uint32_t pairing;      /* of a hub: random, chosen when it was flashed */
};

/* Reads a record. Returns false if it is empty, damaged, of another role, or has an invalid value;
 * `identity` is then set 0 with number 0. */
bool identity_read(struct identity *identity, uint8_t role,
                   const uint8_t record[EEPROM_IDENTITY_BYTES]);

/* Reads a key's record into `identity`. Without a valid one, it has no key. */
void identity_read_key(struct identity *identity, const uint8_t record[EEPROM_KEY_BYTES]);

/* Returns whether this can be the voltage of a chip's 1.1 V reference, in millivolts. */
bool identity_is_reference(uint32_t reference_mv);

/* Gets the address at which the hub of a set receives die number `die`, lowest byte first, as the
 * radio requires. The addresses for dice 1 to AIR_NODE_HUB_COUNT have consecutive lowest bytes, and
 * further dice share the first ones. */
void identity_hub_address(uint8_t address[AIR_ADDRESS_BYTES], uint16_t set, uint8_t die);

/* Gets the address at which a die of a set listens. */
void identity_die_address(uint8_t address[AIR_ADDRESS_BYTES], uint16_t set, uint8_t die);

#endif
