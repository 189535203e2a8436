/* The charge that one chip has used, and the time that it spent in each state. */
#ifndef SIM_METER_H
#define SIM_METER_H

#include <stdint.h>

enum { METER_STATES_MAX = 8 };

struct meter {
    uint64_t since_ns;
    int state;
    double microamps;     /* current */
    double microcoulombs; /* total up to since_ns */
    uint64_t in_state_ns[METER_STATES_MAX];
};

/* Enters a state with its current at `now_ns`. */
static inline void meter_enter(struct meter *meter, uint64_t now_ns, int state, double microamps)
{
    uint64_t lasted = now_ns - meter->since_ns;
    meter->in_state_ns[meter->state] += lasted;
    meter->microcoulombs += meter->microamps * (double)lasted * 1e-9;
    meter->since_ns = now_ns;
    meter->state = state;
    meter->microamps = microamps;
}

/* Updates the sums to `now_ns`. */
static inline void meter_read(struct meter *meter, uint64_t now_ns)
{
    meter_enter(meter, now_ns, meter->state, meter->microamps);
}

#endif
