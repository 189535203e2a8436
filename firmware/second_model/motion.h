/* What a die's sensor feels: a script of phases, each a formula of time, or a recorded file.
 *
 * This is no physics: the phases have the accelerations and durations of real ones, and end with a
 * known face up at a known time.
 */
#ifndef SECOND_MOTION_H
#define SECOND_MOTION_H

#include "model.h"

enum motion_kind {
    MOTION_THROW,    /* shaken, thrown, tumbles and rocks until it lies */
    MOTION_SET_DOWN, /* shaken, held calmly, and set down */
    MOTION_DROP,     /* held, and dropped flat from 4 cm */
    MOTION_PLACE,    /* turned slowly by a hand, and put down */
    MOTION_HOLD,     /* lifted, and held with a tremor */
    MOTION_KNOCK,    /* lies, and the table is knocked on */
    MOTION_KINDS
};

enum { MOTION_PHASES_MAX = 8 };

struct motion_phase {
    enum { STILL, TURN, SHAKE, FLIGHT, TUMBLE, ROCK, TREMOR, BUMP } kind;
    ps start, end;
    double up[3];   /* at its start (ROCK: at its end), in the sensor's axes */
    double axis[3]; /* it turns about this ... */
    double angle;   /* ... by this, rad */
    double force[3]; /* mg: of shaking, of impacts, by the spin */
    double hz;
};

struct motion {
    struct chance chance;
    int faces;
    struct motion_phase phase[MOTION_PHASES_MAX];
    int phases;
    double up[3];   /* at the end */
    int face;       /* that is up at the end */
    float *recorded; /* mg, three per millisecond */
    long recorded_ms;
    ps recorded_from;
};

/* Lays the die down. */
void motion_begin(struct motion *motion, uint64_t seed, int faces, int face);

/* Begins a motion at `now` that ends with this face up, and returns when it has come to rest. */
ps motion_start(struct motion *motion, ps now, enum motion_kind kind, int face);

/* Plays a file with three numbers in mg per millisecond and line. Returns false if it is unusable. */
bool motion_replay(struct motion *motion, ps now, const char *path);

/* The specific force at a time, in mg in the sensor's axes. */
void motion_at(const struct motion *motion, ps at, double mg[3]);

#endif
