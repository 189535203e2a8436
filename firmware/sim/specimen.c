#include "specimen.h"

#include <stddef.h>

#define OFFSET_G 0.040     /* data sheet table 4, TyOff */
#define MISALIGNED_DEG 3.0 /* soldered and glued by hand */
#define CLOCK_OFF 0.03     /* error of the sensor's own clock */

static void feel(void *context, uint64_t from_ns, uint64_t to_ns, double limit_g, double *mean_g)
{
    struct specimen *specimen = context;
    motion_advance(&specimen->motion, from_ns, limit_g, NULL);
    motion_advance(&specimen->motion, to_ns, limit_g, mean_g);
}

static struct vec within(struct chance *chance, double size)
{
    return vec_scale(chance_direction(chance), chance_between(chance, 0, size));
}

/* The sensor of this die, within the space that its body leaves for it. */
static struct vec sensor_place(const struct body_shape *shape, struct chance *chance)
{
    struct vec place = shape->sensor;
    for (int i = 0; i < 3; i++)
        place = vec_add(place, vec_scale(shape->sensor_axes[i], chance_between(chance, -1, 1)));
    return place;
}

void specimen_begin(struct specimen *specimen, const struct body_shape *shape, uint64_t seed,
                    int face, lis3dh_chip_int1 *int1, void *context)
{
    struct chance chance;
    chance_seed(&chance, seed, 4);
    struct lis3dh_chip_part part = {
        .mounting = quat_about(within(&chance, MISALIGNED_DEG * SIM_PI / 180.0)),
        .offset_g = {chance_between(&chance, -OFFSET_G, OFFSET_G),
                     chance_between(&chance, -OFFSET_G, OFFSET_G),
                     chance_between(&chance, -OFFSET_G, OFFSET_G)},
        .rate = chance_between(&chance, 1 - CLOCK_OFF, 1 + CLOCK_OFF),
    };
    motion_begin(&specimen->motion, shape, seed, face);
    specimen->motion.sensor_at = sensor_place(shape, &chance);
    lis3dh_chip_begin(&specimen->accel, &part, feel, int1, specimen, context, seed);
}

void specimen_calibrated_mg(const struct specimen *specimen, int face, int16_t mg[ACCEL_AXES])
{
    const struct lis3dh_chip_part *part = &specimen->accel.part;
    struct vec up = quat_turn(part->mounting, specimen->motion.body.shape->up[face - 1]);
    struct vec shown = vec_add(up, part->offset_g);
    mg[0] = (int16_t)lround(shown.x * 1000);
    mg[1] = (int16_t)lround(shown.y * 1000);
    mg[2] = (int16_t)lround(shown.z * 1000);
}
