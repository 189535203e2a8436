#include "faces.h"

#include <string.h>

/* A face that lies nearer than this to what another one learns is that other one, misnamed:
 * half of the least angle between two directions (90 degrees on a d6) leaves room for a table
 * that is not level. Tenths of a degree. */
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
    faces->kind = kind;
    faces_set(faces, 0, kind == 4 ? d4 : d6);
}

void faces_set(struct faces *faces, uint8_t learnt, const struct vector up[FACES_MAX])
{
    faces->learnt = learnt;
    memcpy(faces->up, up, sizeof faces->up);
    find_units(faces);
}

bool faces_are_learnt(const struct faces *faces)
{
    uint8_t all = faces->kind == 4 ? ALL_D4 : ALL_D6;
    return (faces->learnt & all) == all;
}

static void change_places(struct faces *faces, uint8_t from, uint8_t to)
{
    uint8_t known = (uint8_t)(faces->learnt >> from & 1U);
    faces->up[to] = faces->up[from];
    faces->learnt = (uint8_t)((faces->learnt & ~(1U << to)) | (unsigned)known << to);
}

void faces_learn(struct faces *faces, uint8_t face, const struct vector *up)
{
    uint8_t index = (uint8_t)(face - 1);
    struct faces_sight sight = faces_look(faces, up);
    if (sight.face != face && sight.angle < SAME_DIRECTION)
        change_places(faces, index, (uint8_t)(sight.face - 1));
    faces->up[index] = *up;
    faces->learnt |= (uint8_t)(1U << index);
    find_units(faces);
}

uint8_t faces_nearest(const struct faces *faces, const struct vector *v, int16_t *lead)
{
    int32_t best = INT32_MIN;
    int32_t second = INT32_MIN;
    uint8_t face = 0;
    for (uint8_t i = 0; i < faces->kind; i++) {
        int32_t dot = vector_dot(&faces->unit[i], v);
        if (dot > best) {
            second = best;
            best = dot;
            face = (uint8_t)(i + 1);
        } else if (dot > second) {
            second = dot;
        }
    }
    *lead = (int16_t)((best - second) / FACES_UNIT);
    return face;
}

struct faces_sight faces_look(const struct faces *faces, const struct vector *v)
{
    struct faces_sight sight = {0, UINT16_MAX, UINT16_MAX};
    for (uint8_t i = 0; i < faces->kind; i++) {
        uint16_t angle = vector_angle(&faces->up[i], v);
        if (angle < sight.angle) {
            sight.other_angle = sight.angle;
            sight.angle = angle;
            sight.face = (uint8_t)(i + 1);
        } else if (angle < sight.other_angle) {
            sight.other_angle = angle;
        }
    }
    return sight;
}
