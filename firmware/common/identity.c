#include "identity.h"

#include <string.h>

#include "bytes.h"
#include "crc16.h"
#include "protocol.h"

enum { CRC_AT = EEPROM_IDENTITY_BYTES - 2, KEY_CRC_AT = EEPROM_KEY_BYTES - 2 };
enum { NOMINAL_MV = 1100, MIN_MV = 900, MAX_MV = 1300 };

static uint8_t channel_of_set(uint16_t set)
{
    return (uint8_t)(AIR_CHANNEL_FIRST + AIR_CHANNEL_STEP * (set % AIR_CHANNEL_COUNT));
}

static bool is_die(const struct identity *it)
{
    return it->number >= PROTOCOL_DIE_MIN && it->number <= PROTOCOL_DIE_MAX &&
           (it->kind == 4 || it->kind == 6);
}

bool identity_is_reference(uint32_t reference_mv)
{
    return reference_mv >= MIN_MV && reference_mv <= MAX_MV;
}

static bool is_allowed(const struct identity *it)
{
    bool node = it->role == EEPROM_ROLE_DIE ? is_die(it) : it->number == 0;
    return node && it->channel <= AIR_CHANNEL_MAX && identity_is_reference(it->reference_mv);
}

static struct identity decoded(const uint8_t *record)
{
    struct identity it = {
        .role = record[2],
        .number = record[3],
        .set = bytes_get16(record + 4),
        .channel = record[6],
        .kind = record[7],
        .hub_id = bytes_get16(record + 8),
        .reference_mv = bytes_get16(record + 10),
    };
    if (it.channel == EEPROM_CHANNEL_OF_SET)
        it.channel = channel_of_set(it.set);
    return it;
}

bool identity_read(struct identity *identity, uint8_t role,
                   const uint8_t record[EEPROM_IDENTITY_BYTES])
{
    *identity = decoded(record);
    if (record[0] == EEPROM_IDENTITY_MARK && record[1] == EEPROM_LAYOUT &&
        identity->role == role && is_allowed(identity) &&
        crc16_add(PROTOCOL_CRC_START, record, CRC_AT) == bytes_get16(record + CRC_AT))
        return true;
    *identity = (struct identity){
        .role = role, .channel = channel_of_set(0), .reference_mv = NOMINAL_MV};
    return false;
}

void identity_read_key(struct identity *identity, const uint8_t record[EEPROM_KEY_BYTES])
{
    identity->has_key = record[0] == EEPROM_KEY_MARK && record[1] == EEPROM_LAYOUT &&
                        crc16_add(PROTOCOL_CRC_START, record, KEY_CRC_AT) ==
                            bytes_get16(record + KEY_CRC_AT);
    memcpy(identity->key, record + 2, SIGNATURE_KEY_BYTES);
    identity->pairing = bytes_get32(record + 2 + SIGNATURE_KEY_BYTES);
}

static void write_address(uint8_t *address, uint16_t set, uint8_t node)
{
    /* Data sheet 7.3.2: an address should neither have few transitions nor continue the preamble's
     * alternation, so its ends are fixed and only its middle depends on the set. */
    address[0] = node;
    address[1] = (uint8_t)((uint8_t)set ^ 0x6BU);
    address[2] = (uint8_t)((uint8_t)(set >> 8) ^ 0xD3U);
    address[3] = 0x37;
    address[4] = 0xC9;
}

void identity_hub_address(uint8_t address[AIR_ADDRESS_BYTES], uint16_t set, uint8_t die)
{
    write_address(address, set, (uint8_t)(AIR_NODE_HUB_FIRST + (die - 1) % AIR_NODE_HUB_COUNT));
}

void identity_die_address(uint8_t address[AIR_ADDRESS_BYTES], uint16_t set, uint8_t die)
{
    write_address(address, set, (uint8_t)(AIR_NODE_DIE_FIRST + die - 1));
}
