#include "vector.h"

uint16_t vector_root(uint32_t value)
{
    uint32_t root = 0;
    for (uint32_t bit = 1UL << 30; bit; bit >>= 2) {
        if (value >= root + bit) {
            value -= root + bit;
            root = (root >> 1) + bit;
        } else {
            root >>= 1;
        }
    }
    return (uint16_t)root;
}

static bool is_within(int16_t a, int16_t b, int16_t limit)
{
    int16_t apart = (int16_t)(a - b);
    return apart <= limit && apart >= -limit;
}

bool vector_is_near(const struct vector *a, const struct vector *b, int16_t limit)
{
    return is_within(a->x, b->x, limit) && is_within(a->y, b->y, limit) &&
           is_within(a->z, b->z, limit);
}

int32_t vector_dot(const struct vector *a, const struct vector *b)
{
    return (int32_t)a->x * b->x + (int32_t)a->y * b->y + (int32_t)a->z * b->z;
}

uint32_t vector_square(const struct vector *v)
{
    return (uint32_t)vector_dot(v, v);
}

struct vector vector_scaled(const struct vector *v, int16_t length)
{
    int32_t now = vector_root(vector_square(v));
    if (now == 0)
        return (struct vector){0, 0, 0};
    return (struct vector){
        (int16_t)((int32_t)v->x * length / now),
        (int16_t)((int32_t)v->y * length / now),
        (int16_t)((int32_t)v->z * length / now),
    };
}

/* atan2 for 0 <= y, 0 <= x, both below 2^16, in hundredths of a degree: CORDIC, vectoring.
 * Negative numbers are shifted right too: both compilers here keep the sign, and a division of
 * 32 bits is 600 clocks on the chip. */
static uint16_t quadrant_angle(int32_t y, int32_t x)
{
    static const uint16_t steps[] = {4500, 2657, 1404, 713, 358, 179, 90, 45, 22, 11, 6, 3};
    int32_t angle = 0;
    y *= 1L << 10; /* room for the shifts below */
    x *= 1L << 10;
    for (uint8_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        int32_t across = x >> i;
        int32_t along = y >> i;
        int32_t turn = steps[i];
        if (y <= 0) {
            across = -across;
            along = -along;
            turn = -turn;
        }
        y -= across;
        x += along;
        angle += turn;
    }
    return angle > 0 ? (uint16_t)angle : 0;
}

static uint32_t magnitude(int32_t value)
{
    return value < 0 ? (uint32_t)-value : (uint32_t)value;
}

/* The cross product's length beside the dot product determines small angles as well as large ones;
 * a cosine alone would lose those below three degrees in its rounding. */
uint16_t vector_angle(const struct vector *a, const struct vector *b)
{
    struct vector u = vector_scaled(a, 4096);
    struct vector v = vector_scaled(b, 4096);
    int32_t dot = vector_dot(&u, &v) >> 12;
    int32_t x = ((int32_t)u.y * v.z - (int32_t)u.z * v.y) >> 10;
    int32_t y = ((int32_t)u.z * v.x - (int32_t)u.x * v.z) >> 10;
    int32_t z = ((int32_t)u.x * v.y - (int32_t)u.y * v.x) >> 10;
    int32_t cross = vector_root((uint32_t)(x * x) + (uint32_t)(y * y) + (uint32_t)(z * z));
    uint16_t angle = quadrant_angle(cross, (int32_t)magnitude(dot) * 4);
    return (uint16_t)(((dot < 0 ? 18000U - angle : angle) + 5U) / 10U);
}
