#include "model.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

uint64_t chance_bits(struct chance *chance)
{
    uint64_t z = chance->state += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

double chance_between(struct chance *chance, double low, double high)
{
    return low + (high - low) * (double)(chance_bits(chance) >> 11) / 9007199254740992.0;
}

double chance_normal(struct chance *chance)
{
    double u = chance_between(chance, 1e-12, 1.0);
    return sqrt(-2.0 * log(u)) * cos(6.283185307179586 * chance_between(chance, 0.0, 1.0));
}

void violation(struct violations *all, ps now, const char *format, ...)
{
    char text[VIOLATION_BYTES];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    for (int i = 0; i < all->count; i++) {
        if (strcmp(all->list[i].text, text) == 0) {
            all->list[i].times++;
            return;
        }
    }
    if (all->count == VIOLATIONS_MAX)
        return;
    struct violation *it = &all->list[all->count++];
    memcpy(it->text, text, sizeof text);
    it->times = 1;
    it->first = now;
}
