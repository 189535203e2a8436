/* Who a chip is, from its EEPROM (eeprom_layout.h), and the addresses that follow from it. */
#ifndef URPI_IDENTITY_H
#define URPI_IDENTITY_H

#include <stdbool.h>
#include <stdint.h>

#include "air_protocol.h"
#include "eeprom_layout.h"

struct identity {
    uint8_t role;          /* EEPROM_ROLE_DIE or EEPROM_ROLE_HUB */
    uint8_t number;        /* a die's, 1 to 8; a hub's is 0 */
    uint8_t kind;          /* a die's faces, 4 or 6; a hub's is 0 */
    uint8_t channel;       /* 2400 MHz + so many */
    uint16_t set;          /* which board this belongs to */
    uint16_t hub_id;       /* as the greeting says it */
    uint16_t reference_mv; /* this chip's 1.1 V reference as it was measured */
};

/* Reads a record. False when nobody wrote it, it is damaged, it is of another role, or a value
 * is not allowed; `identity` is then that of set 0, with number 0. */
bool identity_read(struct identity *identity, uint8_t role,
                   const uint8_t record[EEPROM_IDENTITY_BYTES]);

/* What the hub of a set listens to for die number `die`, lowest byte first, as the radio takes
 * it; the addresses for dice 1 to AIR_NODE_HUB_COUNT follow each other in the lowest byte, and
 * further dice share with the first ones. */
void identity_hub_address(uint8_t address[AIR_ADDRESS_BYTES], uint16_t set, uint8_t die);

/* What a die of a set listens to. */
void identity_die_address(uint8_t address[AIR_ADDRESS_BYTES], uint16_t set, uint8_t die);

#endif
