/* What all parts of the second model share: time, chance and the list of violations. */
#ifndef SECOND_MODEL_H
#define SECOND_MODEL_H

#include <stdbool.h>
#include <stdint.h>

/* Time is in picoseconds since the start, because a clock of 8 MHz that is 10 % fast has a period
 * of 113,636 of them. */
typedef uint64_t ps;

#define PS_US 1000000ull
#define PS_MS (1000u * PS_US)
#define PS_S (1000u * PS_MS)
#define PS_NEVER UINT64_MAX

/* A generator of random numbers (SplitMix64). */
struct chance {
    uint64_t state;
};

uint64_t chance_bits(struct chance *chance);

/* Returns a number from `low` to `high`. */
double chance_between(struct chance *chance, double low, double high);

/* Returns a number of the normal distribution with standard deviation 1. */
double chance_normal(struct chance *chance);

enum { VIOLATIONS_MAX = 40, VIOLATION_BYTES = 120 };

/* What the firmware did against a data sheet. Equal texts are counted once. */
struct violations {
    int count;
    struct violation {
        char text[VIOLATION_BYTES];
        unsigned times;
        ps first;
    } list[VIOLATIONS_MAX];
};

void violation(struct violations *all, ps now, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
