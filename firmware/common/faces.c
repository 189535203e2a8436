#include "faces.h"

#include <string.h>

/* If a face is calibrated at less than this angle from another face's direction, the two were
 * confused. The smallest angle between two directions is 90 degrees (d6), so a third of it leaves
 * room for a table that is not level. In tenths of a degree. */
enum { SAME_DIRECTION = 300, ONE_G = 1000, THIRD_G = 577, ALL_D4 = 0x0F, ALL_D6 = 0x3F };

static void find_units(struct faces *faces)
{
    for (uint8_t i = 0; i < FACES_MAX; i++)
        faces->unit[i] = vector_scaled(&faces->up[i], FACES_UNIT);
}

void faces_start(struct faces *faces, uint8_t kind)
{
    static const struct vector d4[FACES_MAX] = {
        {THIRD_G, THIRD_G, THIRD_G},
        {THIRD_G, -THIRD_G, -THIRD_G},
        {-THIRD_G, THIRD_G, -THIRD_G},
        {-THIRD_G, -THIRD_G, THIRD_G},
    };
    static const struct vector d6[FACES_MAX] = {
        {0, 0, ONE_G}, {0, ONE_G, 0}, {ONE_G, 0, 0}, {-ONE_G, 0, 0}, {0, -ONE_G, 0}, {0, 0, -ONE_G},
    };
    faces->kind = kind == 4 ? 4 : 6; /* also if the EEPROM is empty and the kind is 0 */
    faces_set(faces, 0, kind == 4 ? d4 : d6);
}

void faces_set(struct faces *faces, uint8_t calibrated, const struct vector up[FACES_MAX])
{
    faces->calibrated = calibrated;
    memcpy(faces->up, up, sizeof faces->up);
    find_units(faces);
}

bool faces_are_calibrated(const struct faces *faces)
{
    uint8_t all = faces->kind == 4 ? ALL_D4 : ALL_D6;
    return (faces->calibrated & all) == all;
}

static void change_places(struct faces *faces, uint8_t from, uint8_t to)
{
    uint8_t known = (uint8_t)(faces->calibrated >> from & 1U);
    faces->up[to] = faces->up[from];
    faces->calibrated = (uint8_t)((faces->calibrated & ~(1U << to)) | (unsigned)known << to);
}

void faces_calibrate(struct faces *faces, uint8_t face, const struct vector *up)
{
    uint8_t index = (uint8_t)(face - 1);
    struct faces_sight sight = faces_look(faces, up);
    if (sight.face != face && sight.angle < SAME_DIRECTION)
        change_places(faces, index, (uint8_t)(sight.face - 1));
    faces->up[index] = *up;
    faces->calibrated |= (uint8_t)(1U << index);
    find_units(faces);
}

struct faces_order faces_nearest(const struct faces *faces, const struct vector *v)
{
    struct faces_order order = {0, 0, 0};
    int32_t best = INT32_MIN;
    int32_t second = INT32_MIN;
    for (uint8_t i = 0; i < faces->kind; i++) {
        int32_t dot = vector_dot(&faces->unit[i], v);
        if (dot > best) {
            second = best;
            best = dot;
            order.other = order.face;
            order.face = (uint8_t)(i + 1);
        } else if (dot > second) {
            second = dot;
            order.other = (uint8_t)(i + 1);
        }
    }
    order.lead = (int16_t)((best >> FACES_UNIT_BITS) - (second >> FACES_UNIT_BITS));
    return order;
}

struct faces_sight faces_look(const struct faces *faces, const struct vector *v)
{
    struct faces_order order = faces_nearest(faces, v);
    return (struct faces_sight){order.face, vector_angle(&faces->up[order.face - 1], v),
                                vector_angle(&faces->up[order.other - 1], v)};
}
