/* The two-wire bus (I2C) of the die's accelerometer, as master at 400 kHz. */
#ifndef URPI_TWI_H
#define URPI_TWI_H

#include <stdbool.h>
#include <stdint.h>

/* Initializes the pins, and frees a bus held by a slave whose transfer was interrupted. */
void twi_start(void);

/* Writes `size` bytes (1 or more) to the slave `address` (7 bits). Returns false within a
 * millisecond if it does not respond or the bus is stuck. */
bool twi_write(uint8_t address, const uint8_t *bytes, uint8_t size);

/* Writes one byte, and reads `size` bytes (1 or more) after a repeated start. Returns false as
 * twi_write() does; `bytes` are then undefined. */
bool twi_read(uint8_t address, uint8_t first, uint8_t *bytes, uint8_t size);

#endif
