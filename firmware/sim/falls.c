/* Free bodies from given states, for tools/body_comparison: `falls BODY` reads a line for each fall,
 *
 *     clearance w x y z  vx vy vz  sx sy sz  friction restitution
 *
 * (SI units; attitude, speed and spin in the world), and prints a line for each millisecond until it
 * rests: whether it touched the table, its speed in m/s, its spin in rad/s, and its attitude. An empty
 * line ends each fall.
 */
#include "body.h"

#include <stdio.h>
#include <string.h>

#define TICK_S 1.0e-3
#define LONGEST_TICKS 4000
#define REST_TICKS 200
#define REST_SPEED 0.005
#define REST_SPIN 0.1

static bool touches(const struct body *body)
{
    for (int i = 0; i < body->shape->corners; i++)
        if (body->touching[i])
            return true;
    return false;
}

static bool advance(struct body *body)
{
    bool touched = false;
    for (double left = TICK_S; left > 1e-9;) {
        double limit = body_step_limit(body), step = left < limit ? left : limit;
        body_step(body, step);
        touched |= touches(body);
        left -= step;
    }
    return touched;
}

static void fall(struct body *body)
{
    int rests = 0;
    for (int tick = 0; tick < LONGEST_TICKS && rests < REST_TICKS; tick++) {
        bool touched = advance(body);
        double speed = vec_length(body->speed), spin = vec_length(body->spin);
        rests = touched && speed < REST_SPEED && spin < REST_SPIN ? rests + 1 : 0;
        printf("%d %.5f %.4f %.5f %.5f %.5f %.5f\n", touched, speed, spin, body->attitude.w,
               body->attitude.x, body->attitude.y, body->attitude.z);
    }
    putchar('\n');
}

int main(int argc, char **argv)
{
    const struct body_shape *shape = argc == 2 ? body_named(argv[1]) : NULL;
    struct body body = {.shape = shape, .table = {.gravity = {0, 0, -SIM_GRAVITY}}};
    struct body start = body;
    double clearance;
    if (!shape) {
        fputs("usage: falls tetrahedron-57|tetrahedron-80|cube-42\n", stderr);
        return 2;
    }
    while (scanf("%lf %lf %lf %lf %lf %lf %lf %lf %lf %lf %lf %lf %lf", &clearance, &start.attitude.w,
                 &start.attitude.x, &start.attitude.y, &start.attitude.z, &start.speed.x,
                 &start.speed.y, &start.speed.z, &start.spin.x, &start.spin.y, &start.spin.z,
                 &start.table.friction, &start.table.restitution) == 13) {
        body = start;
        body_set_clearance(&body, clearance);
        fall(&body);
    }
    return 0;
}
