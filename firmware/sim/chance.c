#include "chance.h"

void chance_seed(struct chance *chance, uint64_t seed, uint64_t lane)
{
    *chance = (struct chance){.state = seed};
    chance->state = chance_bits(chance) ^ (lane * UINT64_C(0xD1342543DE82EF95));
    chance_bits(chance);
}

uint64_t chance_bits(struct chance *chance)
{
    uint64_t z = chance->state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

double chance_between(struct chance *chance, double low, double high)
{
    return low + (high - low) * ((double)(chance_bits(chance) >> 11) * 0x1.0p-53);
}

int chance_below(struct chance *chance, int count)
{
    return (int)(((chance_bits(chance) >> 32) * (uint64_t)count) >> 32);
}

double chance_normal(struct chance *chance)
{
    if (chance->has_spare) {
        chance->has_spare = 0;
        return chance->spare;
    }
    double radius = sqrt(-2.0 * log(1.0 - chance_between(chance, 0.0, 1.0)));
    double angle = chance_between(chance, 0.0, 2.0 * SIM_PI);
    chance->spare = radius * sin(angle);
    chance->has_spare = 1;
    return radius * cos(angle);
}

struct vec chance_direction(struct chance *chance)
{
    double z = chance_between(chance, -1.0, 1.0);
    double angle = chance_between(chance, 0.0, 2.0 * SIM_PI);
    double across = sqrt(1.0 - z * z);
    return (struct vec){across * cos(angle), across * sin(angle), z};
}

struct quat chance_attitude(struct chance *chance)
{
    struct quat draw = {chance_normal(chance), chance_normal(chance), chance_normal(chance),
                        chance_normal(chance)};
    return quat_unit(draw);
}
