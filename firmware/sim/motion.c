#include "motion.h"

#include "motion_plans.h"

#include <stddef.h>

#define HAND_STEP_S 1.0e-3
#define STILL_SPEED 0.004     /* m/s: slower motion is invisible */
#define STILL_SPIN 0.12       /* rad/s */
#define STILL_FOR_NS 40000000 /* as slow for this time, on three corners, is at rest */
#define KNOCK_FADES_S 0.03
#define KNOCK_ENDS_NS 200000000 /* decayed to a thousandth */
#define NS 1.0e9
#define RECORD_NS 1000000 /* a recording's line */

static bool is_held(const struct motion *motion)
{
    return motion->at_stage < motion->stages && motion->stage[motion->at_stage].hand.lasts_s > 0;
}

bool motion_is_still(const struct motion *motion)
{
    return motion->at_stage >= motion->stages;
}

int motion_face(const struct motion *motion, double *angle_deg)
{
    struct vec down = {0, 0, -SIM_GRAVITY};
    if (is_held(motion))
        return body_face(motion->body.shape, motion->hand.attitude, down, angle_deg);
    return body_face(motion->body.shape, motion->body.attitude, motion->body.table.gravity,
                     angle_deg);
}

/* The rotation from the table's axes to the world's, where gravity points straight down. */
static struct quat table_to_world(const struct body_table *table)
{
    return quat_between(vec_unit(vec_scale(table->gravity, -1.0)), (struct vec){0, 0, 1});
}

/* The table in this room, or a steep support on which friction holds a die. */
static void set_table(struct motion *motion, double slope_deg)
{
    bool steep = slope_deg > 0;
    double slope = (steep ? slope_deg : motion->level_deg) * SIM_PI / 180.0;
    double way = steep ? chance_between(&motion->chance, 0, 2 * SIM_PI) : 0;
    struct body_table *table = &motion->body.table;
    table->gravity.x = SIM_GRAVITY * sin(slope) * cos(way);
    table->gravity.y = SIM_GRAVITY * sin(slope) * sin(way);
    table->gravity.z = -SIM_GRAVITY * cos(slope);
    table->friction = steep ? 3.0 : chance_between(&motion->chance, 0.25, 0.5);
    table->restitution = steep ? 0.2 : chance_between(&motion->chance, 0.3, 0.55);
    table->drag = steep ? 120 : 0;
}

static struct quat attitude_now(const struct motion *motion)
{
    if (is_held(motion))
        return motion->hand.attitude;
    return quat_multiply(table_to_world(&motion->body.table), motion->body.attitude);
}

/* The duration of a fall from this clearance, s. */
static double fall_time(double clearance, double up, double gravity)
{
    return (up + sqrt(up * up + 2 * gravity * clearance)) / gravity;
}

/* Releases a die so that it lands on a slope flat on a random face: a die that leans by accident
 * was caught like this, any other one rolls down. */
static void let_go_to_lean(struct motion *motion, const struct motion_stage *stage)
{
    struct body *body = &motion->body;
    struct vec up = body->shape->up[chance_below(&motion->chance, body->shape->faces)];
    struct vec twist = {0, 0, chance_between(&motion->chance, -SIM_PI, SIM_PI)};
    struct vec off = vec_scale(chance_direction(&motion->chance), 0.04);
    struct quat flat = quat_between(up, (struct vec){0, 0, 1});
    body->attitude = quat_multiply(quat_about(vec_add(off, twist)), flat);
    body_set_clearance(body, stage->clearance_m);
    double time = fall_time(stage->clearance_m, stage->speed.z, -body->table.gravity.z);
    body->speed.x -= body->table.gravity.x * time; /* it falls straight, as seen from the slope */
    body->speed.y -= body->table.gravity.y * time;
    struct quat back = quat_about(vec_scale(stage->spin, -time));
    body->attitude = quat_multiply(back, body->attitude);
}

static void let_go(struct motion *motion, const struct motion_stage *stage, struct quat attitude)
{
    struct body *body = &motion->body;
    set_table(motion, stage->slope_deg);
    body->attitude = quat_multiply(quat_inverse(table_to_world(&body->table)), attitude);
    body->speed = stage->speed;
    body->spin = stage->spin;
    body->felt = body->twist = (struct vec){0, 0, 0};
    for (int i = 0; i < BODY_CORNERS_MAX; i++)
        body->touching[i] = false;
    if (stage->slope_deg > 0)
        let_go_to_lean(motion, stage);
    else
        body_set_clearance(body, stage->clearance_m);
    motion->slow_since_ns = motion->now_ns;
}

static void begin_stage(struct motion *motion, struct quat attitude)
{
    const struct motion_stage *stage = &motion->stage[motion->at_stage];
    if (is_held(motion))
        hand_begin(&motion->hand, &stage->hand, attitude, &motion->chance);
    else
        let_go(motion, stage, attitude);
}

static void come_to_rest(struct motion *motion)
{
    motion->stages = motion->at_stage = 0;
    motion->still_since_ns = motion->slow_since_ns;
    motion->body.speed = motion->body.spin = motion->body.twist = (struct vec){0, 0, 0};
    motion->body.felt = vec_scale(motion->body.table.gravity, -1.0);
}

static int touching(const struct body *body)
{
    int count = 0;
    for (int i = 0; i < body->shape->corners; i++)
        count += body->touching[i];
    return count;
}

static void watch_for_rest(struct motion *motion)
{
    const struct body *body = &motion->body;
    bool slow = vec_length(body->speed) < STILL_SPEED && vec_length(body->spin) < STILL_SPIN;
    if (!slow || touching(body) < 3)
        motion->slow_since_ns = motion->now_ns;
    else if (motion->now_ns - motion->slow_since_ns >= STILL_FOR_NS)
        come_to_rest(motion);
}

static void hold_on(struct motion *motion, double step)
{
    hand_step(&motion->hand, step, &motion->chance);
    if (motion->hand.at_s < motion->hand.move.lasts_s - 1e-9)
        return;
    struct quat attitude = motion->hand.attitude;
    motion->at_stage++;
    begin_stage(motion, attitude);
}

/* The longest step to simulate at once, in seconds. */
static double step_limit(const struct motion *motion)
{
    if (is_held(motion))
        return fmin(HAND_STEP_S, motion->hand.move.lasts_s - motion->hand.at_s);
    if (!motion_is_still(motion))
        return body_step_limit(&motion->body);
    return motion->now_ns < motion->knock.from_ns + KNOCK_ENDS_NS ? HAND_STEP_S : 3600.0;
}

static struct vec knock_felt(const struct motion *motion)
{
    double since = (double)(motion->now_ns - motion->knock.from_ns) / NS;
    double size = motion->knock.size * exp(-since / KNOCK_FADES_S);
    double swing = size * sin(2 * SIM_PI * motion->knock.hz * since);
    return (struct vec){0.3 * swing, 0.2 * swing, swing};
}

/* The acceleration at the sensor now, in g and in the body's axes. */
static struct vec felt(const struct motion *motion)
{
    struct vec force, spin, twist = {0, 0, 0};
    struct quat attitude;
    if (is_held(motion)) {
        force = motion->hand.acceleration;
        force.z += SIM_GRAVITY;
        spin = motion->hand.spin;
        attitude = motion->hand.attitude;
    } else {
        force = motion->body.felt;
        if (motion_is_still(motion))
            force = vec_add(force, knock_felt(motion));
        spin = motion->body.spin;
        twist = motion->body.twist;
        attitude = motion->body.attitude;
    }
    struct vec arm = quat_turn(attitude, motion->sensor_at);
    force = vec_add(force, vec_cross(twist, arm));
    force = vec_add(force, vec_cross(spin, vec_cross(spin, arm)));
    return vec_scale(quat_turn(quat_inverse(attitude), force), 1.0 / SIM_GRAVITY);
}

static void step_on(struct motion *motion, uint64_t step_ns)
{
    double step = (double)step_ns / NS;
    motion->now_ns += step_ns;
    if (is_held(motion)) {
        hold_on(motion, step);
    } else if (!motion_is_still(motion)) {
        body_step(&motion->body, step);
        watch_for_rest(motion);
    }
}

static double cut(double value, double limit)
{
    return fmax(fmin(value, limit), -limit);
}

void motion_record(struct motion *motion, FILE *file)
{
    if (motion->recording.file)
        fclose(motion->recording.file);
    motion->recording.file = file;
    motion->recording.row_ends_ns = motion->now_ns + RECORD_NS;
    for (int i = 0; i < 3; i++)
        motion->recording.sum[i] = 0;
}

static void record(struct motion *motion, struct vec force, uint64_t step_ns)
{
    double *sum = motion->recording.sum;
    double share = (double)step_ns / RECORD_NS;
    sum[0] += share * force.x;
    sum[1] += share * force.y;
    sum[2] += share * force.z;
    if (motion->now_ns < motion->recording.row_ends_ns)
        return;
    fprintf(motion->recording.file, "%.1f %.1f %.1f\n", 1000 * sum[0], 1000 * sum[1], 1000 * sum[2]);
    sum[0] = sum[1] = sum[2] = 0;
    motion->recording.row_ends_ns += RECORD_NS;
}

void motion_advance(struct motion *motion, uint64_t until_ns, double limit_g, double *mean_g)
{
    double sum[3] = {0, 0, 0}, whole = 0;
    while (motion->now_ns < until_ns) {
        uint64_t step_ns = until_ns - motion->now_ns;
        double limit_ns = ceil(step_limit(motion) * NS);
        if ((double)step_ns > limit_ns)
            step_ns = limit_ns < 1 ? 1 : (uint64_t)limit_ns;
        if (motion->recording.file && step_ns > motion->recording.row_ends_ns - motion->now_ns)
            step_ns = motion->recording.row_ends_ns - motion->now_ns;
        step_on(motion, step_ns);
        struct vec force = felt(motion);
        if (motion->recording.file)
            record(motion, force, step_ns);
        double step = (double)step_ns;
        sum[0] += step * cut(force.x, limit_g);
        sum[1] += step * cut(force.y, limit_g);
        sum[2] += step * cut(force.z, limit_g);
        whole += step;
    }
    if (mean_g == NULL)
        return;
    struct vec force = felt(motion);
    mean_g[0] = whole > 0 ? sum[0] / whole : cut(force.x, limit_g);
    mean_g[1] = whole > 0 ? sum[1] / whole : cut(force.y, limit_g);
    mean_g[2] = whole > 0 ? sum[2] / whole : cut(force.z, limit_g);
}

static void begin_plan(struct motion *motion, const struct motion_plan *plan)
{
    struct quat attitude = attitude_now(motion);
    for (int i = 0; i < plan->stages; i++)
        motion->stage[i] = plan->stage[i];
    motion->stages = plan->stages;
    motion->at_stage = 0;
    begin_stage(motion, attitude);
}

void motion_begin(struct motion *motion, const struct body_shape *shape, uint64_t seed, int face)
{
    *motion = (struct motion){.body = {.shape = shape, .attitude = {1, 0, 0, 0}}};
    chance_seed(&motion->chance, seed, 1);
    motion->trick = &motion_any_trick;
    motion->level_deg = chance_between(&motion->chance, 0, 0.8);
    set_table(motion, 0);
    struct vec on_table = {0, 0, 1};
    motion->body.attitude = quat_between(shape->up[face - 1], on_table);
    body_set_clearance(&motion->body, 0);
    come_to_rest(motion);
}

void motion_throw(struct motion *motion)
{
    struct motion_plan plan = motion_plan_throw(&motion->chance, 0);
    begin_plan(motion, &plan);
}

void motion_lean(struct motion *motion, double angle_deg)
{
    struct motion_plan plan = motion_plan_throw(&motion->chance, angle_deg);
    begin_plan(motion, &plan);
}

void motion_place(struct motion *motion, int face)
{
    struct motion_plan plan =
        motion_plan_place(&motion->chance, motion->body.shape->up[face - 1], attitude_now(motion));
    begin_plan(motion, &plan);
}

void motion_gentle(struct motion *motion)
{
    struct motion_plan plan = motion_plan_gentle(&motion->chance);
    begin_plan(motion, &plan);
}

void motion_spun(struct motion *motion)
{
    struct motion_plan plan = motion_plan_spun(&motion->chance);
    begin_plan(motion, &plan);
}

void motion_set_down(struct motion *motion, int face)
{
    struct vec up = motion->body.shape->up[face - 1];
    struct motion_plan plan = motion_plan_set_down(&motion->chance, motion->trick, up,
                                                   attitude_now(motion));
    begin_plan(motion, &plan);
}

void motion_drop(struct motion *motion, int face)
{
    struct vec up = motion->body.shape->up[face - 1];
    struct motion_plan plan =
        motion_plan_drop(&motion->chance, motion->trick, up, attitude_now(motion));
    begin_plan(motion, &plan);
}

void motion_twirl(struct motion *motion, int face)
{
    struct vec up = motion->body.shape->up[face - 1];
    struct motion_plan plan =
        motion_plan_twirl(&motion->chance, motion->trick, up, attitude_now(motion));
    begin_plan(motion, &plan);
}

void motion_tip(struct motion *motion)
{
    struct motion_plan plan =
        motion_plan_tip(&motion->chance, motion->body.shape, attitude_now(motion));
    begin_plan(motion, &plan);
}

void motion_hold(struct motion *motion)
{
    struct motion_plan plan = motion_plan_hold(&motion->chance);
    begin_plan(motion, &plan);
}

void motion_pocket(struct motion *motion)
{
    struct motion_plan plan = motion_plan_pocket();
    begin_plan(motion, &plan);
}

void motion_nudge(struct motion *motion)
{
    struct motion_plan plan = motion_plan_nudge(&motion->chance);
    begin_plan(motion, &plan);
}

void motion_knock(struct motion *motion)
{
    motion->knock.size = SIM_GRAVITY * chance_between(&motion->chance, 0.05, 0.4);
    motion->knock.hz = chance_between(&motion->chance, 25, 80);
    motion->knock.from_ns = motion->now_ns;
}
