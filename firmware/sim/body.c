#include "body.h"

#include <stddef.h>
#include <string.h>

/* A hard plastic die touches wood for about a millisecond; the spring follows from that, and the
 * step from the spring. */
#define CONTACT_S 1.0e-3
#define CONTACT_STEP_S 25.0e-6
#define FALL_STEP_S 500.0e-6

const struct body_shape *body_named(const char *name)
{
    for (int i = 0; i < BODY_SHAPES; i++)
        if (strcmp(body_shapes[i].name, name) == 0)
            return &body_shapes[i];
    return NULL;
}

const struct body_shape *body_of_kind(int faces)
{
    return body_named(faces == 4 ? "tetrahedron-80" : "cube-42");
}

static struct vec multiplied(const struct vec rows[3], struct vec v)
{
    return (struct vec){vec_dot(rows[0], v), vec_dot(rows[1], v), vec_dot(rows[2], v)};
}

double body_clearance(const struct body *body)
{
    double lowest = 1e9;
    for (int i = 0; i < body->shape->corners; i++) {
        double z = quat_turn(body->attitude, body->shape->corner[i]).z;
        lowest = z < lowest ? z : lowest;
    }
    return body->place.z + lowest - body->shape->corner_radius;
}

void body_set_clearance(struct body *body, double clearance)
{
    body->place.z += clearance - body_clearance(body);
}

/* Upper limit of a corner's speed on contact, m/s. */
static double fastest_down(const struct body *body)
{
    double reach = vec_length(body->shape->corner[0]);
    return fmax(-body->speed.z, 0.0) + vec_length(body->spin) * reach;
}

double body_step_limit(const struct body *body)
{
    double clearance = body_clearance(body);
    double speed = fastest_down(body) + SIM_GRAVITY * FALL_STEP_S;
    return clearance > speed * FALL_STEP_S ? FALL_STEP_S : CONTACT_STEP_S;
}

/* The part of the mass that a corner moves in a straight bounce: a corner far out turns the body
 * more than it lifts it. */
static double corner_mass(const struct body_shape *shape)
{
    double reach = vec_length(shape->corner[0]);
    double inertia = (shape->inertia[0].x + shape->inertia[1].y + shape->inertia[2].z) / 3.0;
    return shape->mass / (1.0 + 0.5 * shape->mass * reach * reach / inertia);
}

/* Spring and damper for a contact of CONTACT_S and the table's restitution. */
static void contact_constants(const struct body *body, double *spring, double *damper)
{
    double mass = corner_mass(body->shape);
    double loss = -log(body->table.restitution);
    double ratio = loss / sqrt(SIM_PI * SIM_PI + loss * loss);
    double natural = SIM_PI / CONTACT_S / sqrt(1.0 - ratio * ratio);
    *spring = mass * natural * natural;
    *damper = 2.0 * ratio * mass * natural;
}

/* Friction: a spring up to Coulomb's limit, then sliding (Cundall and Strack 1979). */
static struct vec friction_force(struct body *body, int i, struct vec sliding, double normal,
                                 double spring, double damper, double step)
{
    struct vec *grip = &body->grip[i];
    grip->x += sliding.x * step;
    grip->y += sliding.y * step;
    struct vec force = {-spring * grip->x - damper * sliding.x,
                        -spring * grip->y - damper * sliding.y, 0};
    double size = sqrt(force.x * force.x + force.y * force.y);
    double limit = body->table.friction * normal;
    if (size > limit) {
        force = vec_scale(force, size > 0 ? limit / size : 0);
        grip->x = -force.x / spring;
        grip->y = -force.y / spring;
    }
    return force;
}

/* The table's force on one corner, and where it acts relative to the centre. */
static struct vec corner_force(struct body *body, int i, struct vec *arm, double spring,
                               double damper, double step)
{
    *arm = quat_turn(body->attitude, body->shape->corner[i]);
    arm->z -= body->shape->corner_radius;
    double depth = -(body->place.z + arm->z);
    if (depth <= 0) {
        body->touching[i] = false;
        return (struct vec){0, 0, 0};
    }
    if (!body->touching[i]) {
        body->touching[i] = true;
        body->grip[i] = (struct vec){0, 0, 0};
    }
    struct vec sliding = vec_add(body->speed, vec_cross(body->spin, *arm));
    double normal = fmax(spring * depth - damper * sliding.z, 0);
    struct vec force = friction_force(body, i, sliding, normal, spring, damper, step);
    force.z = normal;
    return force;
}

/* Euler's equations: a body of uneven inertia wobbles even without a torque. */
static struct vec angular_acceleration(const struct body *body, struct vec torque)
{
    const struct body_shape *shape = body->shape;
    struct quat back = quat_inverse(body->attitude);
    struct vec spin = quat_turn(back, body->spin);
    struct vec wobble = vec_cross(spin, multiplied(shape->inertia, spin));
    struct vec rest = vec_sub(quat_turn(back, torque), wobble);
    return quat_turn(body->attitude, multiplied(shape->inverse_inertia, rest));
}

void body_step(struct body *body, double step)
{
    const struct body_shape *shape = body->shape;
    struct vec force = {0, 0, 0}, torque = {0, 0, 0};
    double spring, damper;
    contact_constants(body, &spring, &damper);
    for (int i = 0; i < shape->corners; i++) {
        struct vec arm;
        struct vec push = corner_force(body, i, &arm, spring, damper, step);
        force = vec_add(force, push);
        torque = vec_add(torque, vec_cross(arm, push));
    }
    body->felt = vec_scale(force, 1.0 / shape->mass);
    body->twist = angular_acceleration(body, torque);
    /* Half a step of gravity before and after the move keeps long falls exact. */
    struct vec change = vec_scale(vec_add(body->felt, body->table.gravity), step);
    struct vec mean = vec_add(body->speed, vec_scale(body->table.gravity, 0.5 * step));
    mean = vec_add(mean, vec_scale(body->felt, step));
    body->place = vec_add(body->place, vec_scale(mean, step));
    body->speed = vec_add(body->speed, change);
    body->spin = vec_add(body->spin, vec_scale(body->twist, step));
    if (force.z > 0) {
        body->spin = vec_scale(body->spin, exp(-body->table.drag * step));
        body->speed = vec_scale(body->speed, exp(-body->table.drag * step));
    }
    struct quat turn = quat_about(vec_scale(body->spin, step));
    body->attitude = quat_unit(quat_multiply(turn, body->attitude));
}

int body_face(const struct body_shape *shape, struct quat attitude, struct vec gravity,
              double *angle_deg)
{
    struct vec up = quat_turn(quat_inverse(attitude), vec_unit(vec_scale(gravity, -1.0)));
    int best = 0;
    for (int i = 1; i < shape->faces; i++)
        if (vec_dot(up, shape->up[i]) > vec_dot(up, shape->up[best]))
            best = i;
    if (angle_deg != NULL)
        *angle_deg = vec_angle_deg(up, shape->up[best]);
    return best + 1;
}
