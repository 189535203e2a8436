/* CRC-16/CCITT-FALSE, used for serial lines, radio frames and EEPROM records. */
#ifndef URPI_CRC16_H
#define URPI_CRC16_H

#include <stddef.h>
#include <stdint.h>

/* Returns `crc` (initially PROTOCOL_CRC_START) updated by one byte. */
uint16_t crc16_update(uint16_t crc, uint8_t byte);

/* Returns `crc` updated by `size` bytes. */
uint16_t crc16_add(uint16_t crc, const uint8_t *bytes, size_t size);

#endif
