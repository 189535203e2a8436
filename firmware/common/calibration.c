#include "calibration.h"

#include <string.h>

#include "bytes.h"
#include "crc16.h"
#include "eeprom_layout.h"
#include "identity.h"
#include "protocol.h"

enum { UP_AT = 4, UP_BYTES = 6, CRC_AT = EEPROM_CALIBRATION_BYTES - 2, NO_SLOT = 0xFF };

/* The minimum acceleration of a calibrated face: half of gravity, squared. */
static const uint32_t LEAST_SQUARE = 500UL * 500UL;

static uint16_t slot_address(uint8_t slot)
{
    return (uint16_t)(EEPROM_CALIBRATION_AT + slot * EEPROM_CALIBRATION_STRIDE);
}

static struct vector decode_up(const uint8_t *record, uint8_t index)
{
    const uint8_t *at = record + UP_AT + index * UP_BYTES;
    return (struct vector){
        (int16_t)bytes_get16(at), (int16_t)bytes_get16(at + 2), (int16_t)bytes_get16(at + 4)};
}

static bool is_whole(const uint8_t *record, uint8_t kind)
{
    if (record[3] != kind ||
        crc16_add(PROTOCOL_CRC_START, record, CRC_AT) != bytes_get16(record + CRC_AT))
        return false;
    for (uint8_t i = 0; i < kind; i++) {
        struct vector up = decode_up(record, i);
        if (vector_square(&up) < LEAST_SQUARE)
            return false;
    }
    return true;
}

/* Returns the newer valid slot and its record, or NO_SLOT. */
static uint8_t newest(const struct calibration_storage *storage, uint8_t kind, uint8_t *record)
{
    uint8_t slot = NO_SLOT;
    uint8_t bytes[EEPROM_CALIBRATION_BYTES];
    for (uint8_t i = 0; i < EEPROM_CALIBRATION_SLOTS; i++) {
        storage->read(slot_address(i), bytes, sizeof bytes);
        if (!is_whole(bytes, kind))
            continue;
        if (slot == NO_SLOT || (int16_t)(bytes_get16(bytes) - bytes_get16(record)) > 0) {
            slot = i;
            memcpy(record, bytes, sizeof bytes);
        }
    }
    return slot;
}

bool calibration_load(const struct calibration_storage *storage, struct faces *faces)
{
    uint8_t record[EEPROM_CALIBRATION_BYTES] = {0};
    struct vector up[FACES_MAX];
    if (newest(storage, faces->kind, record) == NO_SLOT)
        return false;
    for (uint8_t i = 0; i < FACES_MAX; i++)
        up[i] = decode_up(record, i);
    faces_set(faces, record[2], up);
    return true;
}

static void encode(uint8_t *record, const struct faces *faces, uint16_t generation)
{
    memset(record, 0, EEPROM_CALIBRATION_BYTES);
    bytes_put16(record, generation);
    record[2] = faces->calibrated;
    record[3] = faces->kind;
    for (uint8_t i = 0; i < faces->kind; i++) {
        uint8_t *at = record + UP_AT + i * UP_BYTES;
        bytes_put16(at, (uint16_t)faces->up[i].x);
        bytes_put16(at + 2, (uint16_t)faces->up[i].y);
        bytes_put16(at + 4, (uint16_t)faces->up[i].z);
    }
    bytes_put16(record + CRC_AT, crc16_add(PROTOCOL_CRC_START, record, CRC_AT));
}

bool calibration_save(const struct calibration_storage *storage, const struct faces *faces)
{
    uint8_t old[EEPROM_CALIBRATION_BYTES] = {0};
    uint8_t record[EEPROM_CALIBRATION_BYTES];
    uint8_t back[EEPROM_CALIBRATION_BYTES];
    uint8_t slot = newest(storage, faces->kind, old);
    uint16_t at = slot_address(slot == 0 ? 1 : 0);
    encode(record, faces, (uint16_t)(bytes_get16(old) + 1U));
    storage->write(at, record, sizeof record);
    storage->read(at, back, sizeof back);
    return memcmp(record, back, sizeof back) == 0;
}

bool calibration_load_reference(const struct calibration_storage *storage, uint16_t *reference_mv)
{
    uint8_t record[EEPROM_REFERENCE_BYTES];
    storage->read(EEPROM_REFERENCE_AT, record, sizeof record);
    uint16_t value = bytes_get16(record);
    if (crc16_add(PROTOCOL_CRC_START, record, 2) != bytes_get16(record + 2) ||
        !identity_is_reference(value))
        return false;
    *reference_mv = value;
    return true;
}

void calibration_save_reference(const struct calibration_storage *storage, uint16_t reference_mv)
{
    uint8_t record[EEPROM_REFERENCE_BYTES];
    bytes_put16(record, reference_mv);
    bytes_put16(record + 2, crc16_add(PROTOCOL_CRC_START, record, 2));
    storage->write(EEPROM_REFERENCE_AT, record, sizeof record);
}
