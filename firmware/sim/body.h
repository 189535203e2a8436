/* A die as a rigid body on a table: gravity, bounces and friction at its rounded corners.
 *
 * Mechanics only: the hands and the sensor are modelled elsewhere. SI units. The table is the plane
 * z = 0. A sloping table is modelled as a level one with gravity that is not perpendicular.
 */
#ifndef SIM_BODY_H
#define SIM_BODY_H

#include "vec.h"

#include <stdbool.h>

enum { BODY_CORNERS_MAX = 8, BODY_FACES_MAX = 6, BODY_SHAPES = 5 };

/* A die that can be built: shape, mass and sensor. The origin is the centre of mass. `up[n]` is the
 * direction in the body that points up when the die shows n + 1: the tip of a tetrahedron, the
 * face's normal of a cube. */
struct body_shape {
    const char *name;
    int faces;
    int corners;
    struct vec corner[BODY_CORNERS_MAX]; /* centres of the rounded corners, m */
    struct vec up[BODY_FACES_MAX];
    double corner_radius; /* m */
    double mass;          /* kg */
    struct vec inertia[3], inverse_inertia[3]; /* rows, kg m^2 and its inverse */
    struct vec sensor;         /* nominal place of the accelerometer, m */
    struct vec sensor_axes[3]; /* it is within plus or minus these from there, m */
};

/* The dice of wiring/bodies (body_shapes.c, generated from the same files). */
extern const struct body_shape body_shapes[BODY_SHAPES];

/* The surfaces of the table and the die, and the direction of gravity. */
struct body_table {
    struct vec gravity; /* m/s^2 */
    double friction;    /* Coulomb's */
    double restitution; /* speed after over speed before, of one corner's straight bounce */
    double drag;        /* 1/s: damping by surrounding objects where the die touches; 0 on a bare
                           table */
};

struct body {
    const struct body_shape *shape;
    struct body_table table;
    struct vec place, speed;
    struct quat attitude;
    struct vec spin;                   /* rad/s, in the world */
    struct vec grip[BODY_CORNERS_MAX]; /* how far a touching corner is sheared, m */
    bool touching[BODY_CORNERS_MAX];
    struct vec felt;  /* specific force at the centre, as an accelerometer measures it, m/s^2,
                         in the world: acceleration minus gravity */
    struct vec twist; /* angular acceleration, rad/s^2, in the world */
};

/* Returns the body of this name, such as "tetrahedron-80", or null. */
const struct body_shape *body_named(const char *name);

/* Returns the body of the parts list's hand-wired die with this number of faces, 4 or 6. */
const struct body_shape *body_of_kind(int faces);

/* Returns the longest step in seconds that is accurate: short while a corner touches or is about
 * to, long in free fall. */
double body_step_limit(const struct body *body);

/* Advances by `step` seconds, at most body_step_limit(). */
void body_step(struct body *body, double step);

/* Returns the height of the lowest corner above the table in m; negative if it is pressed in. */
double body_clearance(const struct body *body);

/* Moves the body vertically so that its lowest corner is `clearance` above the table. */
void body_set_clearance(struct body *body, double clearance);

/* Returns the face (from 1) that is nearest to pointing up, and sets its tilt in degrees. */
int body_face(const struct body_shape *shape, struct quat attitude, struct vec gravity,
              double *angle_deg);

#endif
