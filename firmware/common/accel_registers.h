/* The registers of an accelerometer, a byte each. ACCEL_ADDRESS, its address on the bus, is defined before
 * this file is included. */
#ifndef URPI_ACCEL_REGISTERS_H
#define URPI_ACCEL_REGISTERS_H

#include "twi.h"

static inline bool write_one(uint8_t at, uint8_t value)
{
    uint8_t bytes[] = {at, value};
    return twi_write(ACCEL_ADDRESS, bytes, sizeof bytes);
}

static inline bool read_one(uint8_t at, uint8_t *value)
{
    return twi_read(ACCEL_ADDRESS, at, value, 1);
}

#endif
