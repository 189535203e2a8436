/* Chance that can be had again: every draw follows from a seed, never from a clock. */
#ifndef SIM_CHANCE_H
#define SIM_CHANCE_H

#include "vec.h"

#include <stdint.h>

struct chance {
    uint64_t state;
    double spare; /* a normal draw comes in pairs */
    int has_spare;
};

/* Starts a stream of draws; equal seed and lane give equal draws, different lanes differ. */
void chance_seed(struct chance *chance, uint64_t seed, uint64_t lane);

/* 64 random bits (splitmix64, Steele, Lea and Flood 2014). */
uint64_t chance_bits(struct chance *chance);

/* A number from `low` up to, not including, `high`. */
double chance_between(struct chance *chance, double low, double high);

/* A whole number from 0 to `count` - 1; `count` is at least 1. */
int chance_below(struct chance *chance, int count);

/* A draw of mean 0 and standard deviation 1. */
double chance_normal(struct chance *chance);

/* A direction, all alike. */
struct vec chance_direction(struct chance *chance);

/* An attitude, all alike. */
struct quat chance_attitude(struct chance *chance);

#endif
