#include "storage.h"

#include <avr/eeprom.h>
#include <avr/pgmspace.h>
#include <avr/wdt.h>

void storage_read(uint16_t at, uint8_t *bytes, uint8_t size)
{
    /* Byte by byte: avr-libc's block functions would add a second loop. */
    while (size--)
        *bytes++ = eeprom_read_byte((const uint8_t *)(uintptr_t)at++);
}

void storage_write(uint16_t at, const uint8_t *bytes, uint8_t size)
{
    while (size--) {
        eeprom_update_byte((uint8_t *)(uintptr_t)at++, *bytes++);
        wdt_reset();
    }
}

void storage_read_flash(uint16_t at, uint8_t *bytes, uint8_t size)
{
    while (size--)
        *bytes++ = pgm_read_byte(at++);
}
