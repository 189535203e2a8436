/* CRC-16/CCITT-FALSE, the one sum of serial lines, air frames and EEPROM records. */
#ifndef URPI_CRC16_H
#define URPI_CRC16_H

#include <stddef.h>
#include <stdint.h>

/* The sum of `crc` (PROTOCOL_CRC_START at first) and one more byte. */
uint16_t crc16_update(uint16_t crc, uint8_t byte);

/* The sum of `crc` and `size` more bytes. */
uint16_t crc16_add(uint16_t crc, const uint8_t *bytes, size_t size);

#endif
