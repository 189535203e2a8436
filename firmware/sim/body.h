/* A die as a rigid body on a table: gravity, bounces and friction at its rounded corners.
 *
 * Owns mechanics alone; who throws, and what a sensor makes of it, is told elsewhere. SI units.
 * The table is the plane z = 0. A sloping table is a table that lies flat under gravity that
 * does not point straight down.
 */
#ifndef SIM_BODY_H
#define SIM_BODY_H

#include "vec.h"

#include <stdbool.h>

enum { BODY_CORNERS_MAX = 8, BODY_FACES_MAX = 6 };

/* What a die is made like. `up[n]` is the direction in the body that points up when the die
 * shows n + 1: the tip of a tetrahedron, the face's normal of a cube. */
struct body_shape {
    const char *name;
    int faces;
    int corners;
    struct vec corner[BODY_CORNERS_MAX]; /* middles of the round corners, m from the centre */
    struct vec up[BODY_FACES_MAX];
    double corner_radius; /* m */
    double mass;          /* kg */
    double inertia;       /* kg m^2, alike about every axis as in any even tetrahedron or cube */
};

/* The table's and the die's skins, and which way gravity pulls. */
struct body_table {
    struct vec gravity; /* m/s^2 */
    double friction;    /* Coulomb's */
    double restitution; /* speed after over speed before, of one corner's straight bounce */
    double drag;        /* 1/s: what the die lies among, which slows it where it touches; 0 on
                           a bare table */
};

struct body {
    const struct body_shape *shape;
    struct body_table table;
    struct vec place, speed;
    struct quat attitude;
    struct vec spin;                   /* rad/s, in the world */
    struct vec grip[BODY_CORNERS_MAX]; /* how far a touching corner is sheared, m */
    bool touching[BODY_CORNERS_MAX];
    struct vec felt;  /* what an accelerometer at the centre feels, m/s^2,
                         in the world: acceleration less gravity */
    struct vec twist; /* angular acceleration, rad/s^2, in the world */
};

const struct body_shape *body_tetrahedron(void);
const struct body_shape *body_cube(void);

/* The longest step in seconds after which the body is still told right: short while a corner
 * touches or is about to, long in free fall. */
double body_step_limit(const struct body *body);

/* Goes on by `step` seconds, at most body_step_limit(). */
void body_step(struct body *body, double step);

/* How high the lowest corner is above the table, m; negative when it is pressed in. */
double body_clearance(const struct body *body);

/* Lifts or lowers the body so that its lowest corner is `clearance` above the table. */
void body_set_clearance(struct body *body, double clearance);

/* Which face points up most, from 1, and how many degrees it is off straight up. */
int body_face(const struct body_shape *shape, struct quat attitude, struct vec gravity,
              double *angle_deg);

#endif
