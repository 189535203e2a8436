/* What one chip took from the battery, and how long it was in which state. */
#ifndef SIM_METER_H
#define SIM_METER_H

#include <stdint.h>

enum { METER_STATES_MAX = 8 };

struct meter {
    uint64_t since_ns;
    int state;
    double microamps;     /* now */
    double microcoulombs; /* so far, up to since_ns */
    uint64_t in_state_ns[METER_STATES_MAX];
};

/* From `now_ns` on the chip is in this state and draws so much. */
static inline void meter_enter(struct meter *meter, uint64_t now_ns, int state, double microamps)
{
    uint64_t lasted = now_ns - meter->since_ns;
    meter->in_state_ns[meter->state] += lasted;
    meter->microcoulombs += meter->microamps * (double)lasted * 1e-9;
    meter->since_ns = now_ns;
    meter->state = state;
    meter->microamps = microamps;
}

/* Brings the sums up to `now_ns`. */
static inline void meter_read(struct meter *meter, uint64_t now_ns)
{
    meter_enter(meter, now_ns, meter->state, meter->microamps);
}

#endif
