/* Little-endian numbers of two bytes, as in radio frames and in the EEPROM. */
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

#endif
