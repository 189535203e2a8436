/* Vectors and turns in space. A quaternion turns what is fixed in the body into the world. */
#ifndef SIM_VEC_H
#define SIM_VEC_H

#include <math.h>

#define SIM_PI 3.14159265358979323846
#define SIM_GRAVITY 9.80665 /* m/s^2, one g */

struct vec {
    double x, y, z;
};

struct quat {
    double w, x, y, z;
};

static inline struct vec vec_add(struct vec a, struct vec b)
{
    return (struct vec){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline struct vec vec_sub(struct vec a, struct vec b)
{
    return (struct vec){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline struct vec vec_scale(struct vec a, double by)
{
    return (struct vec){a.x * by, a.y * by, a.z * by};
}

static inline double vec_dot(struct vec a, struct vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline struct vec vec_cross(struct vec a, struct vec b)
{
    return (struct vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline double vec_length(struct vec a)
{
    return sqrt(vec_dot(a, a));
}

/* The same direction, one long; `a` is not nought. */
static inline struct vec vec_unit(struct vec a)
{
    return vec_scale(a, 1.0 / vec_length(a));
}

/* Degrees between two directions, each one long. */
static inline double vec_angle_deg(struct vec a, struct vec b)
{
    return atan2(vec_length(vec_cross(a, b)), vec_dot(a, b)) * 180.0 / SIM_PI;
}

static inline struct quat quat_multiply(struct quat a, struct quat b)
{
    return (struct quat){
        a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
        a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
        a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
        a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
    };
}

static inline struct quat quat_inverse(struct quat a)
{
    return (struct quat){a.w, -a.x, -a.y, -a.z};
}

static inline struct quat quat_unit(struct quat a)
{
    double by = 1.0 / sqrt(a.w * a.w + a.x * a.x + a.y * a.y + a.z * a.z);
    return (struct quat){a.w * by, a.x * by, a.y * by, a.z * by};
}

static inline struct vec quat_turn(struct quat q, struct vec v)
{
    struct vec axis = {q.x, q.y, q.z};
    struct vec twice = vec_scale(vec_cross(axis, v), 2.0);
    return vec_add(vec_add(v, vec_scale(twice, q.w)), vec_cross(axis, twice));
}

/* The turn by the length of `angle`, in radians, about its direction. */
static inline struct quat quat_about(struct vec angle)
{
    double length = vec_length(angle);
    double by = length > 1e-9 ? sin(0.5 * length) / length : 0.5;
    return (struct quat){cos(0.5 * length), angle.x * by, angle.y * by, angle.z * by};
}

/* The shortest turn that brings direction `from` to direction `to`, each one long. */
static inline struct quat quat_between(struct vec from, struct vec to)
{
    struct vec axis = vec_cross(from, to);
    double w = 1.0 + vec_dot(from, to);
    if (w < 1e-9) { /* opposite: any axis across will do */
        struct vec across = fabs(from.x) < 0.9 ? (struct vec){1, 0, 0} : (struct vec){0, 1, 0};
        axis = vec_unit(vec_cross(from, across));
        return (struct quat){0, axis.x, axis.y, axis.z};
    }
    return quat_unit((struct quat){w, axis.x, axis.y, axis.z});
}

/* The turn from the first attitude to the second as an angle vector, the shorter way. */
static inline struct vec quat_angle(struct quat from, struct quat to)
{
    struct quat turn = quat_multiply(to, quat_inverse(from));
    double sign = turn.w < 0 ? -1.0 : 1.0;
    struct vec axis = {turn.x * sign, turn.y * sign, turn.z * sign};
    double sine = vec_length(axis);
    double by = sine > 1e-9 ? 2.0 * atan2(sine, turn.w * sign) / sine : 2.0;
    return vec_scale(axis, by);
}

#endif
