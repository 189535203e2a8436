/* Integer vectors: an acceleration in milli-g, and the angle between two. */
#ifndef URPI_VECTOR_H
#define URPI_VECTOR_H

#include <stdbool.h>
#include <stdint.h>

/* Milli-g along the accelerometer's axes, -16000 to 16000. At rest it points up, 1000 long. */
struct vector {
    int16_t x, y, z;
};

/* Returns the square root of `value`, rounded down. */
uint16_t vector_root(uint32_t value);

/* Returns the squared length in milli-g squared. */
uint32_t vector_square(const struct vector *v);

/* Returns whether two vectors differ by at most `limit` in every axis. */
bool vector_is_near(const struct vector *a, const struct vector *b, int16_t limit);

int32_t vector_dot(const struct vector *a, const struct vector *b);

/* Returns `v` scaled to the length `length` (1 to 4096); a zero vector is returned unchanged. */
struct vector vector_scaled(const struct vector *v, int16_t length);

/* Returns the angle between two vectors in tenths of a degree, 0 to 1800, accurate to about 0.2
 * degrees. */
uint16_t vector_angle(const struct vector *a, const struct vector *b);

#endif
