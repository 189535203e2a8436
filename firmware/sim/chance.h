/* Repeatable random numbers: every draw depends on a seed, never on a clock. */
#ifndef SIM_CHANCE_H
#define SIM_CHANCE_H

#include "vec.h"

#include <stdint.h>

struct chance {
    uint64_t state;
    double spare; /* normal draws are computed in pairs */
    int has_spare;
};

/* Starts a stream of draws; equal seed and lane give equal draws, different lanes differ. */
void chance_seed(struct chance *chance, uint64_t seed, uint64_t lane);

/* Returns 64 random bits (splitmix64, Steele, Lea and Flood 2014). */
uint64_t chance_bits(struct chance *chance);

/* Returns a number from `low` (inclusive) to `high` (exclusive). */
double chance_between(struct chance *chance, double low, double high);

/* Returns a whole number from 0 to `count` - 1; `count` is at least 1. */
int chance_below(struct chance *chance, int count);

/* Returns a normally distributed number with mean 0 and standard deviation 1. */
double chance_normal(struct chance *chance);

/* Returns a uniformly distributed direction. */
struct vec chance_direction(struct chance *chance);

/* Returns a uniformly distributed attitude. */
struct quat chance_attitude(struct chance *chance);

#endif
