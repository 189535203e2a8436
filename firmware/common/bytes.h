/* Little-endian numbers of two and four bytes, as in radio frames and in the EEPROM. */
#ifndef URPI_BYTES_H
#define URPI_BYTES_H

#include <stdint.h>

static inline void bytes_put16(uint8_t *at, uint16_t value)
{
    at[0] = (uint8_t)value;
    at[1] = (uint8_t)(value >> 8);
}

static inline uint16_t bytes_get16(const uint8_t *at)
{
    return (uint16_t)(at[0] | (uint16_t)((uint16_t)at[1] << 8));
}

static inline void bytes_put32(uint8_t *at, uint32_t value)
{
    bytes_put16(at, (uint16_t)value);
    bytes_put16(at + 2, (uint16_t)(value >> 16));
}

static inline uint32_t bytes_get32(const uint8_t *at)
{
    return bytes_get16(at) | (uint32_t)bytes_get16(at + 2) << 16;
}

#endif
