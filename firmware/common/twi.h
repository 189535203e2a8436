/* The two-wire bus (I2C) as its master: a die's accelerometer hangs on it. 400 kHz. */
#ifndef URPI_TWI_H
#define URPI_TWI_H

#include <stdbool.h>
#include <stdint.h>

/* Takes the pins; frees a bus that a slave holds because it was cut off in mid-byte. */
void twi_start(void);

/* Writes `size` bytes (1 or more) to the slave `address` (7 bits). False when it does not
 * answer or the bus is stuck; that is found out within a millisecond. */
bool twi_write(uint8_t address, const uint8_t *bytes, uint8_t size);

/* Writes one byte, and reads `size` bytes (1 or more) after a repeated start. False likewise;
 * `bytes` are then worthless. */
bool twi_read(uint8_t address, uint8_t first, uint8_t *bytes, uint8_t size);

#endif
