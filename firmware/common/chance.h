/* Pseudo-random numbers for delays, with a different seed for each die. */
#ifndef URPI_CHANCE_H
#define URPI_CHANCE_H

#include <stdint.h>

/* Returns the next of 65535 numbers (Marsaglia's xorshift, 7/9/8). `state` must not be 0. */
static inline uint16_t chance_next(uint16_t *state)
{
    uint16_t x = *state;
    x ^= (uint16_t)(x << 7);
    x ^= (uint16_t)(x >> 9);
    x ^= (uint16_t)(x << 8);
    return *state = x;
}

#endif
