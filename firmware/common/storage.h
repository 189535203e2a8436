/* The chip's EEPROM. A write takes 3.4 ms per changed byte. */
#ifndef URPI_STORAGE_H
#define URPI_STORAGE_H

#include <stdint.h>

void storage_read(uint16_t at, uint8_t *bytes, uint8_t size);
void storage_write(uint16_t at, const uint8_t *bytes, uint8_t size);

/* Reads flash. */
void storage_read_flash(uint16_t at, uint8_t *bytes, uint8_t size);

#endif
