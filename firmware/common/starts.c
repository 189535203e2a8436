#include "starts.h"

#include "bytes.h"
#include "crc16.h"
#include "eeprom_layout.h"
#include "protocol.h"

static uint16_t slot_address(uint8_t slot)
{
    return (uint16_t)(EEPROM_KEYED_STARTS_AT + slot * EEPROM_KEYED_STARTS_STRIDE);
}

/* Returns 0 if the slot is empty or damaged. */
static uint16_t starts_in(const struct calibration_storage *storage, uint8_t slot)
{
    uint8_t record[EEPROM_KEYED_STARTS_BYTES];
    storage->read(slot_address(slot), record, sizeof record);
    bool whole = crc16_add(PROTOCOL_CRC_START, record, 2) == bytes_get16(record + 2);
    return whole ? bytes_get16(record) : 0;
}

uint16_t starts_load(const struct calibration_storage *storage)
{
    uint16_t first = starts_in(storage, 0), second = starts_in(storage, 1);
    return first > second ? first : second;
}

void starts_save(const struct calibration_storage *storage, uint16_t starts)
{
    uint8_t record[EEPROM_KEYED_STARTS_BYTES];
    uint8_t older = starts_in(storage, 0) > starts_in(storage, 1);
    bytes_put16(record, starts);
    bytes_put16(record + 2, crc16_add(PROTOCOL_CRC_START, record, 2));
    storage->write(slot_address(older), record, sizeof record);
}
