#include "eeprom_picture.h"

#include "../common/bytes.h"
#include "../common/crc16.h"
#include "../common/eeprom_layout.h"
#include "../common/protocol.h"
#include "../common/signature.h"

#include <string.h>

static void put_sum(uint8_t *record, size_t size)
{
    bytes_put16(record + size - 2, crc16_add(PROTOCOL_CRC_START, record, size - 2));
}

void eeprom_put_identity(uint8_t *picture, const struct eeprom_identity *identity)
{
    uint8_t *record = picture + EEPROM_IDENTITY_AT;
    record[0] = EEPROM_IDENTITY_MARK;
    record[1] = EEPROM_LAYOUT;
    record[2] = (uint8_t)identity->role;
    record[3] = (uint8_t)identity->number;
    bytes_put16(record + 4, (uint16_t)identity->set);
    record[6] = EEPROM_CHANNEL_OF_SET;
    record[7] = (uint8_t)identity->kind;
    bytes_put16(record + 8, (uint16_t)identity->hub_id);
    bytes_put16(record + 10, (uint16_t)identity->reference_mv);
    put_sum(record, EEPROM_IDENTITY_BYTES);
}

void eeprom_put_key(uint8_t *picture, const uint8_t *key, uint32_t pairing)
{
    uint8_t *record = picture + EEPROM_KEY_AT;
    record[0] = EEPROM_KEY_MARK;
    record[1] = EEPROM_LAYOUT;
    memcpy(record + 2, key, SIGNATURE_KEY_BYTES);
    bytes_put32(record + 2 + SIGNATURE_KEY_BYTES, pairing);
    put_sum(record, EEPROM_KEY_BYTES);
}

void eeprom_put_calibration(uint8_t *picture, const struct specimen *specimen)
{
    uint8_t *record = picture + EEPROM_CALIBRATION_AT;
    int kind = specimen->motion.body.shape->faces;
    memset(record, 0, EEPROM_CALIBRATION_BYTES);
    bytes_put16(record, 1);
    record[2] = (uint8_t)((1 << kind) - 1);
    record[3] = (uint8_t)kind;
    for (int face = 1; face <= kind; face++) {
        int16_t mg[ACCEL_AXES];
        specimen_calibrated_mg(specimen, face, mg);
        for (int i = 0; i < ACCEL_AXES; i++)
            bytes_put16(record + 4 + 6 * (face - 1) + 2 * i, (uint16_t)mg[i]);
    }
    put_sum(record, EEPROM_CALIBRATION_BYTES);
}
