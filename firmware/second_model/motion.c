#include "motion.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TURN_OF_A_CIRCLE 6.283185307179586

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double out[3])
{
    double r[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
    memcpy(out, r, sizeof r);
}

static void normalize(double v[3])
{
    double length = sqrt(dot(v, v));
    for (int i = 0; i < 3; i++)
        v[i] /= length > 1e-9 ? length : 1;
}

/* Rodrigues' rotation of `v` about `axis`. */
static void rotate(const double v[3], const double axis[3], double angle, double out[3])
{
    double side[3], r[3];
    cross(axis, v, side);
    for (int i = 0; i < 3; i++)
        r[i] = v[i] * cos(angle) + side[i] * sin(angle) + axis[i] * dot(axis, v) * (1 - cos(angle));
    memcpy(out, r, sizeof r);
}

static void any_direction(struct chance *chance, double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = chance_normal(chance);
    normalize(out);
}

/* The direction that is up when a die shows this face (faces.h of the firmware has the drawing). */
static void up_of_face(int faces, int face, double out[3])
{
    static const double tip[4][3] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
    static const double side[6][3] = {{0, 0, 1},  {0, 1, 0},  {1, 0, 0},
                                      {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
    memcpy(out, faces == 4 ? tip[face - 1] : side[face - 1], 3 * sizeof *out);
    normalize(out);
}

void motion_begin(struct motion *m, uint64_t seed, int faces, int face)
{
    *m = (struct motion){.chance = {seed}, .faces = faces, .face = face};
    up_of_face(faces, face, m->up);
}

/* --- scripts --- */

static struct motion_phase *add(struct motion *m, int kind, double ms, ps *at, const double up[3])
{
    struct motion_phase *phase = &m->phase[m->phases++];
    *phase = (struct motion_phase){.start = *at, .end = *at + (ps)(ms * (double)PS_MS)};
    phase->kind = kind;
    memcpy(phase->up, up, sizeof phase->up);
    phase->axis[0] = 1;
    *at = phase->end;
    return phase;
}

static void add_turn(struct motion *m, double ms, ps *at, const double from[3], const double to[3])
{
    struct motion_phase *phase = add(m, TURN, ms, at, from);
    cross(from, to, phase->axis);
    if (dot(phase->axis, phase->axis) < 1e-6) {
        double other[3];
        any_direction(&m->chance, other);
        cross(from, other, phase->axis);
    }
    normalize(phase->axis);
    phase->angle = acos(fmax(-1, fmin(1, dot(from, to))));
}

static void add_shaking(struct motion *m, ps *at, const double up[3])
{
    struct motion_phase *phase =
        add(m, SHAKE, chance_between(&m->chance, 500, 1100), at, up);
    double size = chance_between(&m->chance, 1300, 2500);
    any_direction(&m->chance, phase->force);
    for (int i = 0; i < 3; i++)
        phase->force[i] *= size;
    phase->hz = chance_between(&m->chance, 4, 6);
}

static struct motion_phase *add_force(struct motion *m, int kind, double ms, ps *at,
                                      const double up[3], double mg)
{
    struct motion_phase *phase = add(m, kind, ms, at, up);
    any_direction(&m->chance, phase->force);
    for (int i = 0; i < 3; i++)
        phase->force[i] *= mg;
    phase->hz = chance_between(&m->chance, 8, 12);
    return phase;
}

/* It turns in the air and on the table about one axis, which is level at the end. */
static void script_throw(struct motion *m, ps *at, const double from[3], const double to[3])
{
    struct chance *chance = &m->chance;
    double axis[3], other[3], tilted[3], landing[3], release[3];
    double rock = chance_between(chance, 0.35, 0.6);
    double roll = chance_between(chance, 1.0, 1.6) * TURN_OF_A_CIRCLE;
    double spin = chance_between(chance, 14, 24); /* rad/s */
    double flight_ms = chance_between(chance, 110, 200);
    any_direction(chance, other);
    cross(to, other, axis);
    normalize(axis);
    rotate(to, axis, -rock, tilted);
    rotate(tilted, axis, -roll, landing);
    rotate(landing, axis, -spin * flight_ms / 1000, release);
    add_turn(m, chance_between(chance, 200, 350), at, from, release);
    add_shaking(m, at, release);
    /* A sensor up to 5 mm off the centre. */
    double spin_mg = spin * spin * chance_between(chance, 0, 0.005) / 9.81 * 1000;
    add_force(m, FLIGHT, flight_ms, at, release, spin_mg);
    struct motion_phase *phase =
        add_force(m, TUMBLE, roll / spin * 1000 * 1.5, at, landing, chance_between(chance, 3000, 6000));
    memcpy(phase->axis, axis, sizeof axis);
    phase->angle = roll;
    phase = add_force(m, ROCK, chance_between(chance, 150, 300), at, to, 1500);
    memcpy(phase->axis, axis, sizeof axis);
    phase->angle = -rock;
}

static void lift(struct motion *m, ps *at, const double from[3], const double to[3])
{
    add_turn(m, chance_between(&m->chance, 250, 400), at, from, to);
}

ps motion_start(struct motion *m, ps now, enum motion_kind kind, int face)
{
    double from[3], to[3];
    struct chance *chance = &m->chance;
    ps at = now;
    memcpy(from, m->up, sizeof from);
    free(m->recorded);
    m->recorded = NULL;
    m->phases = 0;
    m->face = kind == MOTION_KNOCK ? m->face : face;
    up_of_face(m->faces, m->face, to);
    switch (kind) {
    case MOTION_THROW: script_throw(m, &at, from, to); break;
    case MOTION_SET_DOWN:
        lift(m, &at, from, to);
        add_shaking(m, &at, to);
        add_force(m, TREMOR, chance_between(chance, 200, 500), &at, to, 30);
        add_force(m, BUMP, 60, &at, to, 500);
        break;
    case MOTION_DROP:
        lift(m, &at, from, to);
        add_force(m, TREMOR, chance_between(chance, 300, 700), &at, to, 30);
        add_force(m, FLIGHT, 90, &at, to, 0);
        add_force(m, BUMP, 100, &at, to, 4000);
        break;
    case MOTION_PLACE:
        add_turn(m, chance_between(chance, 700, 1000), &at, from, to);
        add_force(m, BUMP, 60, &at, to, 400);
        break;
    case MOTION_HOLD:
        lift(m, &at, from, to);
        add_force(m, TREMOR, 1e9, &at, to, chance_between(chance, 8, 30));
        break;
    default: add_force(m, BUMP, 60, &at, to, 300); break;
    }
    memcpy(m->up, to, sizeof to);
    return at;
}

bool motion_replay(struct motion *m, ps now, const char *path)
{
    FILE *file = fopen(path, "r");
    long room = 0;
    float mg[3];
    if (!file)
        return false;
    free(m->recorded);
    m->recorded = NULL;
    m->recorded_ms = 0;
    while (fscanf(file, "%f %f %f", &mg[0], &mg[1], &mg[2]) == 3) {
        if (m->recorded_ms == room) {
            room = room ? 2 * room : 4096;
            m->recorded = realloc(m->recorded, (size_t)room * sizeof mg);
        }
        memcpy(m->recorded + 3 * m->recorded_ms++, mg, sizeof mg);
    }
    bool complete = feof(file) && m->recorded_ms;
    fclose(file);
    m->recorded_from = now;
    return complete;
}

/* --- the force at a time --- */

static void add_scaled(double out[3], const double v[3], double by)
{
    for (int i = 0; i < 3; i++)
        out[i] += v[i] * by;
}

/* Impacts of 8 ms that follow each other in `every` seconds, weaker towards the end. */
static double impact(double t, double every, double x)
{
    double phase = fmod(t, every);
    return phase < 0.008 ? sin(phase / 0.008 * 3.14159) * (1 - 0.8 * x) : 0;
}

static void phase_at(const struct motion_phase *p, ps at, double mg[3])
{
    double t = (double)(at - p->start) / (double)PS_S;
    double x = (double)(at - p->start) / (double)(p->end - p->start);
    double turned = 0, weight = 1000, force = 0;
    switch (p->kind) {
    case TURN:
        turned = p->angle * x * x * (3 - 2 * x);
        weight += 120 * sin(TURN_OF_A_CIRCLE * x);
        break;
    case SHAKE: force = sin(TURN_OF_A_CIRCLE * p->hz * t); break;
    case FLIGHT:
        weight = 0;
        force = 1;
        break;
    case TUMBLE:
        turned = p->angle * (1 - pow(1 - x, 1.5));
        weight *= fmod(t, 0.075) < 0.02 ? 1.4 : 0.15 + 0.4 * x; /* hops */
        force = impact(t, 0.075, x);
        break;
    case ROCK:
        turned = p->angle * (1 - x) * cos(TURN_OF_A_CIRCLE * 2.5 * x);
        force = impact(t, (double)(p->end - p->start) / (double)PS_S / 5, x);
        break;
    case TREMOR: force = sin(TURN_OF_A_CIRCLE * p->hz * t); break;
    case BUMP: force = impact(t, 0.04, x) * (1 - x); break;
    default: break;
    }
    double up[3];
    rotate(p->up, p->axis, turned, up);
    add_scaled(mg, up, weight);
    add_scaled(mg, p->force, force);
}

void motion_at(const struct motion *m, ps at, double mg[3])
{
    mg[0] = mg[1] = mg[2] = 0;
    if (m->recorded) {
        long ms = (long)((at - m->recorded_from) / PS_MS);
        ms = ms < m->recorded_ms ? ms : m->recorded_ms - 1;
        for (int i = 0; i < 3; i++)
            mg[i] = m->recorded[3 * ms + i];
        return;
    }
    for (int i = 0; i < m->phases; i++) {
        if (at >= m->phase[i].start && at < m->phase[i].end) {
            phase_at(&m->phase[i], at, mg);
            return;
        }
    }
    add_scaled(mg, m->up, 1000);
}
