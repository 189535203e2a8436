#include "numbers.h"

#include <string.h>

#include "bytes.h"
#include "signature.h"

void numbers_start(struct numbers *numbers, const struct calibration_storage *storage,
                   const struct identity *identity)
{
    memset(numbers, 0, sizeof *numbers);
    numbers->storage = storage;
    numbers->identity = identity;
}

static uint16_t slot_address(uint8_t die, uint8_t slot)
{
    return (uint16_t)(EEPROM_NUMBERS_AT +
                      ((die - 1) * EEPROM_NUMBER_SLOTS + slot) * EEPROM_NUMBER_BYTES);
}

/* The first byte is that of no frame, so that a slot's signature is never one of a frame. */
static uint32_t slot_signature(const struct identity *identity, uint8_t die, uint32_t number)
{
    uint8_t block[SIGNATURE_BLOCK_BYTES] = {0, die};
    bytes_put32(block + 2, number);
    bytes_put32(block + 6, identity->pairing);
    return signature_of(identity->key, block);
}

uint32_t numbers_load(struct numbers *numbers, uint8_t die)
{
    uint8_t bytes[EEPROM_NUMBER_BYTES];
    uint32_t last = 0;
    for (uint8_t slot = 0; slot < EEPROM_NUMBER_SLOTS; slot++) {
        numbers->storage->read(slot_address(die, slot), bytes, sizeof bytes);
        uint32_t number = bytes_get32(bytes);
        if (number <= last ||
            bytes_get32(bytes + 4) != slot_signature(numbers->identity, die, number))
            continue;
        last = number;
        numbers->slot[die - 1] = (uint8_t)((slot + 1) % EEPROM_NUMBER_SLOTS);
    }
    return last;
}

bool numbers_are_busy(const struct numbers *numbers)
{
    return numbers->left > 0;
}

void numbers_save(struct numbers *numbers, uint8_t die, uint32_t number)
{
    uint8_t *slot = &numbers->slot[die - 1];
    numbers->at = slot_address(die, *slot);
    *slot = (uint8_t)((*slot + 1) % EEPROM_NUMBER_SLOTS);
    bytes_put32(numbers->bytes, number);
    bytes_put32(numbers->bytes + 4, slot_signature(numbers->identity, die, number));
    numbers->left = EEPROM_NUMBER_BYTES;
}

void numbers_step(struct numbers *numbers)
{
    uint8_t done = (uint8_t)(EEPROM_NUMBER_BYTES - numbers->left);
    numbers->storage->write((uint16_t)(numbers->at + done), numbers->bytes + done, 1);
    numbers->left--;
}
