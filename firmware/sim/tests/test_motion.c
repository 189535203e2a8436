/* Thrown, placed and leaning dice: their final faces, and the acceleration until then. */
#include "../motion.h"
#include "check.h"

#include <stddef.h>

#define MS UINT64_C(1000000)
#define THROWS 300

static const struct body_shape *shapes[2];

/* Simulates until the die is at rest; returns the longest time without weight, in ms. */
static double run_to_rest(struct motion *motion)
{
    double longest = 0, falling = 0;
    uint64_t give_up = motion->now_ns + 20000 * MS;
    while (!motion_is_still(motion) && motion->now_ns < give_up) {
        double g[3];
        motion_advance(motion, motion->now_ns + 5 * MS, 16, g);
        double size = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
        falling = size < 0.35 ? falling + 5 : 0;
        longest = falling > longest ? falling : longest;
    }
    return longest;
}

static struct motion start(const struct body_shape *shape, uint64_t seed)
{
    struct motion motion;
    motion_begin(&motion, shape, seed, 1);
    return motion;
}

static void ends_flat_and_on_every_face_equally_often(void)
{
    for (int s = 0; s < 2; s++) {
        int count[7] = {0};
        for (int i = 0; i < THROWS; i++) {
            struct motion motion = start(shapes[s], (uint64_t)i);
            double angle;
            motion_throw(&motion);
            run_to_rest(&motion);
            int face = motion_face(&motion, &angle);
            CHECK(motion_is_still(&motion) && angle < 1, "%s %d: %f", shapes[s]->name, i, angle);
            count[face]++;
        }
        double expected = (double)THROWS / shapes[s]->faces, chi_square = 0;
        for (int face = 1; face <= shapes[s]->faces; face++)
            chi_square += pow(count[face] - expected, 2) / expected;
        CHECK(chi_square < 20.5, "%s: chi-square %f", shapes[s]->name, chi_square); /* p 0.001 */
    }
}

static void falls_freely_when_released(void)
{
    for (int s = 0; s < 2; s++)
        for (int i = 0; i < 40; i++) {
            struct motion motion = start(shapes[s], (uint64_t)i);
            motion_throw(&motion);
            double fall = run_to_rest(&motion);
            CHECK(fall >= 60, "%s %d falls for %f ms", shapes[s]->name, i, fall);
        }
}

static void measures_one_g_along_the_face_up(void)
{
    for (int s = 0; s < 2; s++)
        for (int face = 1; face <= shapes[s]->faces; face++) {
            struct motion motion = start(shapes[s], 3);
            double g[3];
            motion_place(&motion, face);
            run_to_rest(&motion);
            motion_advance(&motion, motion.now_ns + 100 * MS, 16, g);
            struct vec measured = {g[0], g[1], g[2]};
            CHECK(fabs(vec_length(measured) - 1) < 1e-6, "%f g", vec_length(measured));
            CHECK(motion_face(&motion, NULL) == face, "placed on %d", face);
            double off = vec_angle_deg(vec_unit(measured), shapes[s]->up[face - 1]);
            CHECK(off < 1, "measured %f degrees off", off);
        }
}

static void is_never_without_weight_in_a_hand(void)
{
    for (int i = 0; i < 60; i++) {
        struct motion motion = start(shapes[i % 2], (uint64_t)i);
        motion_place(&motion, 1 + i % 4);
        double fall = run_to_rest(&motion);
        CHECK(fall < 40, "placing %d falls for %f ms", i, fall);
    }
}

static void leans_by_the_requested_angle(void)
{
    static const double angle[] = {12, 20, 25, 30};
    for (int s = 0; s < 2; s++)
        for (int i = 0; i < 40; i++) {
            struct motion motion = start(shapes[s], (uint64_t)i);
            double off;
            motion_lean(&motion, angle[i % 4]);
            run_to_rest(&motion);
            motion_face(&motion, &off);
            CHECK(fabs(off - angle[i % 4]) < 0.5, "%s %d: %f", shapes[s]->name, i, off);
        }
}

static void a_push_or_a_knock_does_not_change_the_face(void)
{
    for (int i = 0; i < 60; i++) {
        struct motion motion = start(shapes[i % 2], (uint64_t)i);
        if (i % 3)
            motion_nudge(&motion);
        else
            motion_knock(&motion);
        run_to_rest(&motion);
        CHECK(motion_face(&motion, NULL) == 1, "seed %d", i);
    }
}

static void is_independent_of_the_number_of_runs(void)
{
    struct motion once = start(shapes[0], 9), often = start(shapes[0], 9);
    motion_throw(&once);
    motion_throw(&often);
    for (int i = 0; i < 1000; i++)
        motion_advance(&often, (uint64_t)(i + 1) * 5 * MS, 16, NULL);
    motion_advance(&once, 5000 * MS, 16, NULL);
    CHECK(motion_is_still(&once) && motion_is_still(&often), "both rest");
}

/* A fall from rest is exact for all step sizes. */
static void falls_by_the_law_of_free_fall(void)
{
    struct body body = {.shape = shapes[1], .attitude = {1, 0, 0, 0}};
    body.table =
        (struct body_table){.gravity = {0, 0, -SIM_GRAVITY}, .friction = 0.3, .restitution = 0.5};
    body_set_clearance(&body, 2);
    for (int i = 0; i < 1000; i++)
        body_step(&body, 0.0005);
    CHECK(fabs(body_clearance(&body) - (2 - SIM_GRAVITY * 0.125)) < 1e-9, "%f",
          body_clearance(&body));
}

/* A fall flat onto all corners bounces straight, with the speed left by the restitution. */
static void bounces_by_its_restitution(void)
{
    for (int i = 0; i < 2; i++) {
        struct body body = {.shape = shapes[1], .attitude = {1, 0, 0, 0}, .speed = {0, 0, -1}};
        body.table = (struct body_table){
            .gravity = {0, 0, -SIM_GRAVITY}, .friction = 0.3, .restitution = 0.3 + 0.2 * i};
        body_set_clearance(&body, 0.0001);
        double fastest = 0;
        for (int step = 0; step < 200; step++) {
            body_step(&body, 25e-6);
            fastest = body.speed.z > fastest ? body.speed.z : fastest;
        }
        CHECK(fastest > 0.05 && fastest < 1, "it comes back with %f m/s", fastest);
    }
}

int main(void)
{
    shapes[0] = body_of_kind(4);
    shapes[1] = body_of_kind(6);
    ends_flat_and_on_every_face_equally_often();
    falls_freely_when_released();
    measures_one_g_along_the_face_up();
    is_never_without_weight_in_a_hand();
    leans_by_the_requested_angle();
    a_push_or_a_knock_does_not_change_the_face();
    is_independent_of_the_number_of_runs();
    falls_by_the_law_of_free_fall();
    bounces_by_its_restitution();
    return check_result();
}
