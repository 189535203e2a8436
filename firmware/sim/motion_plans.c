#include "motion_plans.h"

#include <stddef.h>

#define DEGREE (SIM_PI / 180.0)

const struct motion_trick motion_any_trick = {
    .tilt_deg = {0, 45}, .drop_m = {0.01, 0.06}, .hold_s = {0.1, 3}, .spin = {0, 20}};

static double within(struct chance *chance, const struct motion_range *range)
{
    return chance_between(chance, range->low, range->high);
}

static struct hand_move lifted(struct chance *chance, struct quat to)
{
    return (struct hand_move){
        .lasts_s = chance_between(chance, 0.2, 0.5),
        .lift_m = chance_between(chance, 0.06, 0.2),
        .to = to,
        .tremor_g = 0.02,
    };
}

/* Shaken in the hollow of the hand. */
static struct hand_move shaken(struct chance *chance)
{
    return (struct hand_move){
        .lasts_s = chance_between(chance, 0.15, 1.0),
        .tumble_rad_per_s = chance_between(chance, 3, 12),
        .shake_g = chance_between(chance, 0.3, 2.5),
        .shake_hz = chance_between(chance, 2.5, 6),
        .tremor_g = 0.05,
    };
}

struct motion_plan motion_plan_throw(struct chance *chance, double slope_deg)
{
    struct motion_plan plan = {.stages = 3};
    plan.stage[0].hand = lifted(chance, chance_attitude(chance));
    plan.stage[1].hand = shaken(chance);
    double way = chance_between(chance, 0, 2 * SIM_PI);
    double speed = chance_between(chance, 0.2, 1.4) * (slope_deg > 0 ? 0.05 : 1.0);
    plan.stage[2] = (struct motion_stage){
        .clearance_m = chance_between(chance, 0.05, slope_deg > 0 ? 0.1 : 0.25),
        .speed = {speed * cos(way), speed * sin(way), chance_between(chance, -0.3, 0.6)},
        .spin = vec_scale(chance_direction(chance),
                          chance_between(chance, 4, 30) * (slope_deg > 0 ? 0.2 : 1.0)),
        .slope_deg = slope_deg,
    };
    return plan;
}

static struct quat tilted(struct chance *chance, struct vec up, struct quat attitude, double deg)
{
    struct vec now = quat_turn(attitude, up);
    struct quat level = quat_multiply(quat_between(now, (struct vec){0, 0, 1}), attitude);
    double twist = chance_between(chance, -60, 60) * DEGREE;
    struct quat turned = quat_multiply(quat_about((struct vec){0, 0, twist}), level);
    double way = chance_between(chance, 0, 2 * SIM_PI);
    struct vec tilt = {deg * DEGREE * cos(way), deg * DEGREE * sin(way), 0};
    return quat_multiply(quat_about(tilt), turned);
}

/* Level except for the few degrees of a hand's error. */
static struct quat nearly_level(struct chance *chance, struct vec up, struct quat attitude)
{
    return tilted(chance, up, attitude, chance_between(chance, 0.5, 6));
}

struct motion_plan motion_plan_place(struct chance *chance, struct vec up, struct quat attitude)
{
    struct motion_plan plan = {.stages = 4};
    double lift = chance_between(chance, 0.01, 0.08);
    struct quat end = nearly_level(chance, up, attitude);
    struct vec whole = quat_angle(attitude, end);
    struct quat begun = quat_multiply(quat_about(vec_scale(whole, 0.15)), attitude);
    plan.stage[0].hand = (struct hand_move){
        .lasts_s = chance_between(chance, 0.3, 0.6), .lift_m = lift, .to = begun, .tremor_g = 0.03};
    plan.stage[1].hand = (struct hand_move){
        .lasts_s = chance_between(chance, 0.4, 1.4), .to = end, .tremor_g = 0.03};
    plan.stage[2].hand = (struct hand_move){
        .lasts_s = chance_between(chance, 0.3, 0.6), .lift_m = -lift, .to = end, .tremor_g = 0.02};
    plan.stage[3].clearance_m = chance_between(chance, 0.0, 0.0015);
    plan.stage[3].speed.z = chance_between(chance, -0.05, -0.01);
    return plan;
}

struct motion_plan motion_plan_pocket(void)
{
    struct motion_plan plan = {.stages = 1};
    plan.stage[0].hand = (struct hand_move){
        .lasts_s = 1e9, .tumble_rad_per_s = 0.6, .shake_g = 0.2, .shake_hz = 1.9, .tremor_g = 0.05};
    return plan;
}

struct motion_plan motion_plan_nudge(struct chance *chance)
{
    struct motion_plan plan = {.stages = 1};
    double way = chance_between(chance, 0, 2 * SIM_PI);
    double speed = chance_between(chance, 0.08, 0.22);
    plan.stage[0].speed = (struct vec){speed * cos(way), speed * sin(way), 0};
    plan.stage[0].spin.z = chance_between(chance, -3, 3);
    return plan;
}

struct motion_plan motion_plan_gentle(struct chance *chance)
{
    struct motion_plan plan = motion_plan_throw(chance, 0);
    double way = chance_between(chance, 0, 2 * SIM_PI);
    double speed = chance_between(chance, 0.1, 0.6);
    plan.stage[1].hand.shake_g = chance_between(chance, 0.1, 0.3);
    plan.stage[2].clearance_m = chance_between(chance, 0.02, 0.06);
    plan.stage[2].speed = (struct vec){speed * cos(way), speed * sin(way), 0};
    plan.stage[2].spin = vec_scale(chance_direction(chance), chance_between(chance, 3, 9));
    return plan;
}

struct motion_plan motion_plan_spun(struct chance *chance)
{
    struct motion_plan plan = motion_plan_throw(chance, 0);
    double turns_per_s = chance_between(chance, 5, 7);
    plan.stage[2].spin = vec_scale(chance_direction(chance), 2 * SIM_PI * turns_per_s);
    return plan;
}

/* Gripped with the face `end` already up: it does not turn in the hand while it is shaken. */
static struct hand_move gripped(struct chance *chance, struct quat end)
{
    struct hand_move move = shaken(chance);
    move.tumble_rad_per_s = 0;
    move.to = end;
    return move;
}

/* Picked up, shaken in one of two ways, turned so that the wanted face is up, and held so. */
static struct motion_plan held(struct chance *chance, struct quat end, double lasts_s)
{
    struct motion_plan plan = {.stages = 5};
    bool loose = chance_below(chance, 2);
    plan.stage[0].hand = lifted(chance, end);
    plan.stage[1].hand = loose ? shaken(chance) : gripped(chance, end);
    plan.stage[1].hand.calms_down = true;
    plan.stage[2].hand = (struct hand_move){
        .lasts_s = loose ? chance_between(chance, 0.3, 0.8) : 0.01, .to = end, .tremor_g = 0.03};
    plan.stage[3].hand = (struct hand_move){
        .lasts_s = lasts_s,
        .to = end,
        .tremor_g = chance_between(chance, 0.008, 0.05),
        .tremor_hz = chance_between(chance, 8, 12)};
    return plan;
}

struct motion_plan motion_plan_set_down(struct chance *chance, const struct motion_trick *trick,
                                        struct vec up, struct quat attitude)
{
    double lasts = within(chance, &trick->hold_s);
    struct quat end = tilted(chance, up, attitude, within(chance, &trick->tilt_deg));
    struct motion_plan plan = held(chance, end, lasts);
    /* A hand lowers a die with at most 0.8 g: 5.8 is the largest bend of its movement. */
    plan.stage[3].hand.lift_m =
        -fmin(chance_between(chance, 0.01, 0.1), 0.8 * SIM_GRAVITY / 5.8 * lasts * lasts);
    plan.stage[4].clearance_m = chance_between(chance, 0.0, 0.0015);
    plan.stage[4].speed.z = chance_between(chance, -0.15, -0.01);
    return plan;
}

struct motion_plan motion_plan_drop(struct chance *chance, const struct motion_trick *trick,
                                    struct vec up, struct quat attitude)
{
    double lasts = within(chance, &trick->hold_s);
    struct quat end = tilted(chance, up, attitude, within(chance, &trick->tilt_deg));
    struct motion_plan plan = held(chance, end, lasts);
    double way = chance_between(chance, 0, 2 * SIM_PI);
    double speed = chance_between(chance, 0, 0.1);
    /* Fingers open in up to 40 ms, in which they carry less and less. */
    plan.stage[3].hand.release_s = fmin(chance_between(chance, 0, 0.04), lasts);
    plan.stage[4].clearance_m = within(chance, &trick->drop_m);
    plan.stage[4].speed = (struct vec){speed * cos(way), speed * sin(way),
                                       -0.5 * SIM_GRAVITY * plan.stage[3].hand.release_s};
    plan.stage[4].spin = vec_scale(chance_direction(chance), chance_between(chance, 0, 0.7));
    return plan;
}

struct motion_plan motion_plan_twirl(struct chance *chance, const struct motion_trick *trick,
                                     struct vec up, struct quat attitude)
{
    struct motion_plan plan = motion_plan_drop(chance, trick, up, attitude);
    double spin = within(chance, &trick->spin);
    plan.stage[4].spin.z += chance_below(chance, 2) ? spin : -spin;
    return plan;
}

struct motion_plan motion_plan_tip(struct chance *chance, const struct body_shape *shape,
                                   struct quat attitude)
{
    struct motion_plan plan = {.stages = 2};
    int now = body_face(shape, attitude, (struct vec){0, 0, -1}, NULL) - 1;
    int next = chance_below(chance, shape->faces);
    while (fabs(vec_dot(shape->up[next], shape->up[now])) > 0.9)
        next = (next + 1) % shape->faces;
    /* The balance is halfway between both faces; a hand lets go a little beyond. */
    struct vec from = quat_turn(attitude, shape->up[now]);
    struct vec to = quat_turn(attitude, shape->up[next]);
    struct vec axis = vec_unit(vec_cross(to, from));
    double whole = vec_angle_deg(from, to);
    double angle = (0.5 * whole + chance_between(chance, 2, 12)) * DEGREE;
    plan.stage[0].hand = (struct hand_move){
        .lasts_s = chance_between(chance, 0.25, 0.9),
        .to = quat_multiply(quat_about(vec_scale(axis, angle)), attitude),
        .tremor_g = 0.03};
    plan.stage[1].spin = vec_scale(axis, chance_between(chance, 0.2, 2.5));
    return plan;
}

struct motion_plan motion_plan_hold(struct chance *chance)
{
    struct motion_plan plan = {.stages = 4};
    struct quat end = chance_attitude(chance);
    plan.stage[0].hand = lifted(chance, end);
    plan.stage[1].hand = chance_below(chance, 2) ? shaken(chance) : gripped(chance, end);
    plan.stage[2].hand = (struct hand_move){
        .lasts_s = chance_between(chance, 0.1, 0.4), .to = end, .tremor_g = 0.03};
    plan.stage[3].hand = (struct hand_move){
        .lasts_s = 1e9,
        .to = end,
        .tremor_g = chance_between(chance, 0.008, 0.030),
        .tremor_hz = chance_between(chance, 8, 12)};
    return plan;
}
