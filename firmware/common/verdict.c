#include "verdict.h"

#include <string.h>

#include "settling_limits.h"

enum {
    ONE_G = 1000,
    STEADY_PARTS = 8, /* the slow mean follows with an eighth of each sample; 8 times 1.2 g fits */
    HOLD_SAMPLES = VERDICT_HOLD_MS / SETTLING_SAMPLE_MS,
    JUMPED_HOLD_SAMPLES = VERDICT_JUMPED_HOLD_MS / SETTLING_SAMPLE_MS,
    SLID_SAMPLES = VERDICT_SLID_MS / SETTLING_SAMPLE_MS,
    RELEASE_SAMPLES = VERDICT_RELEASE_MS / SETTLING_SAMPLE_MS,
    FLIGHT_SAMPLES = VERDICT_FLIGHT_MS / SETTLING_SAMPLE_MS,
    HOP_SAMPLES = VERDICT_HOP_MS / SETTLING_SAMPLE_MS,
    HOP_AFTER_SAMPLES = VERDICT_HOP_AFTER_MS / SETTLING_SAMPLE_MS,
    BOUNCE_SAMPLES = VERDICT_BOUNCE_MS / SETTLING_SAMPLE_MS,
    REBOUND_SAMPLES = VERDICT_REBOUND_MS / SETTLING_SAMPLE_MS,
    LANDING_SAMPLES = 3, /* the sensor can miss an impact, and an impact be shared by two samples */
};

static uint32_t squared(uint16_t mg)
{
    return (uint32_t)mg * mg;
}

static bool is_near_one_g(uint32_t square)
{
    return square >= squared(ONE_G - SETTLING_REST_TOLERANCE_MG) &&
           square <= squared(ONE_G + SETTLING_REST_TOLERANCE_MG);
}

static void count(uint8_t *counter)
{
    *counter += *counter < UINT8_MAX;
}

void verdict_reset(struct verdict *it, const struct faces *faces, const struct vector *rest)
{
    memset(it, 0, sizeof *it);
    it->faces = faces;
    it->held = it->previous = it->anchor = *rest;
    it->since_impact = UINT8_MAX;
}

void verdict_forget(struct verdict *it)
{
    it->flight = it->edges = it->face = it->landing = 0;
}

/* --- in the hand --- */

static void begin_hold(struct verdict *it, const struct vector *sample)
{
    it->steady = (struct vector){(int16_t)(sample->x * STEADY_PARTS),
                                 (int16_t)(sample->y * STEADY_PARTS),
                                 (int16_t)(sample->z * STEADY_PARTS)};
    it->steady_samples = 0;
    /* Within a flight, too: its constant acceleration can seem to be like gravity only from then on. */
    it->steady_jumped = !vector_is_near(sample, &it->previous, VERDICT_JUMP_MG) ||
                        (it->jumped && vector_is_near(sample, &it->anchor, VERDICT_ALIKE_MG));
}

static void add_to_hold(struct verdict *it, const struct vector *sample, const struct vector *mean)
{
    it->steady.x = (int16_t)(it->steady.x + sample->x - mean->x);
    it->steady.y = (int16_t)(it->steady.y + sample->y - mean->y);
    it->steady.z = (int16_t)(it->steady.z + sample->z - mean->z);
    count(&it->steady_samples);
    it->steady_jumped = it->steady_jumped && vector_is_near(sample, mean, VERDICT_QUIET_MG);
    if (it->steady_samples >= (it->steady_jumped ? JUMPED_HOLD_SAMPLES : HOLD_SAMPLES)) {
        it->held = *mean;
        it->since_hold = 0;
    }
    /* One that lasts longer than a die slides is not on the table. */
    if (it->steady_samples >= SLID_SAMPLES)
        verdict_forget(it);
}

/* A hold: samples close to their slow mean. A slow turn by a hand stays close, a die that rolls in
 * the hand does not. */
static void watch_hold(struct verdict *it, const struct vector *sample, uint32_t square)
{
    struct vector mean = {it->steady.x / STEADY_PARTS, it->steady.y / STEADY_PARTS,
                          it->steady.z / STEADY_PARTS};
    if (square >= squared(SETTLING_FALL_MG))
        count(&it->since_hold);
    if (is_near_one_g(square) && vector_is_near(sample, &mean, VERDICT_HOLD_MG))
        add_to_hold(it, sample, &mean);
    else
        begin_hold(it, sample);
}

/* --- in the air --- */

static void begin_run(struct verdict *it, const struct vector *sample, uint32_t square, bool falls)
{
    it->anchor = *sample;
    it->run = it->anchored = 1;
    it->falls = falls;
    it->rests = is_near_one_g(square);
    it->jumped = !vector_is_near(sample, &it->previous, VERDICT_JUMP_MG);
    it->begun.held = it->held;
    it->begun.calm = it->since_hold <= RELEASE_SAMPLES;
    /* A spin on the table can look like a hold. */
    it->begun.bounces = it->begun.calm ? it->flight && it->since_impact <= REBOUND_SAMPLES
                                       : it->since_impact <= BOUNCE_SAMPLES;
}

/* The axis of a spin moves slowly in the die, and with it the acceleration. */
static bool goes_on(struct verdict *it, const struct vector *sample)
{
    int16_t limit = it->rests ? VERDICT_QUIET_MG : VERDICT_ALIKE_MG;
    if (vector_is_near(sample, &it->anchor, limit))
        return true;
    if (it->anchored < FLIGHT_SAMPLES || !vector_is_near(sample, &it->previous, limit))
        return false;
    it->anchor = *sample;
    it->anchored = 0;
    return true;
}

/* A flight has no weight or, with the sensor off the middle, a constant one between two jumps. 1 g is
 * a hold, unless it begins with a jump, is short, and does not tremble. */
static void end_run(struct verdict *it)
{
    bool hops = it->begun.bounces && it->since_impact <= it->run + HOP_AFTER_SAMPLES;
    bool spins = it->jumped && !(it->rests && it->run >= JUMPED_HOLD_SAMPLES);
    if (it->run < (hops ? HOP_SAMPLES : FLIGHT_SAMPLES) || !(it->falls || spins))
        return;
    it->ended = it->begun;
    it->ended_run = it->run;
    it->ended_rests = it->rests;
    it->landing = LANDING_SAMPLES;
}

static void watch_flight(struct verdict *it, const struct vector *sample, uint32_t square)
{
    bool falls = square < squared(SETTLING_FALL_MG);
    bool alike = goes_on(it, sample);
    if ((falls && it->falls) || alike) {
        it->falls = it->falls && falls;
        count(&it->anchored);
        count(&it->run);
        return;
    }
    end_run(it);
    begin_run(it, sample, square, falls);
}

/* --- on the table --- */

/* Shaking in a hand ends a moment without weight gradually. The sensor can miss the impact itself, so
 * that a spin is followed by any other. One of 1 g can also be a hold that a bump ends. */
static bool has_landed(const struct verdict *it, const struct vector *sample)
{
    int16_t jump = it->ended_rests ? VERDICT_IMPACT_MG : VERDICT_LANDED_MG;
    return !vector_is_near(sample, &it->previous, jump);
}

/* The last release counts. A bounce is none. */
static void land(struct verdict *it)
{
    if (!it->flight || !it->ended.bounces) {
        verdict_forget(it);
        it->thrown = it->ended;
    }
    it->landing = it->since_impact = 0;
    it->flight = it->ended_run > it->flight ? it->ended_run : it->flight;
}

static void watch_impacts(struct verdict *it, const struct vector *sample, uint32_t square)
{
    count(&it->since_impact);
    if (it->landing) {
        it->landing--;
        if (has_landed(it, sample))
            land(it);
    }
    if (square >= squared(ONE_G + VERDICT_IMPACT_MG) &&
        !vector_is_near(sample, &it->previous, VERDICT_IMPACT_MG))
        it->since_impact = 0;
}

/* Two consecutive samples on another face: one alone can be an impact. */
static void watch_edges(struct verdict *it, const struct vector *sample, uint32_t square)
{
    bool wild = square < squared(SETTLING_WILD_LOW_MG) || square > squared(SETTLING_WILD_HIGH_MG);
    struct faces_order order = faces_nearest(it->faces, sample);
    uint8_t face = wild || order.lead < SETTLING_FACE_LEAD_MG ? 0 : order.face;
    if (it->flight && face && face == it->seen && face != it->face) {
        if (it->face)
            count(&it->edges);
        it->face = face;
    }
    it->seen = face;
}

void verdict_add(struct verdict *it, const struct vector *sample, uint32_t square)
{
    watch_hold(it, sample, square);
    watch_flight(it, sample, square);
    watch_impacts(it, sample, square);
    watch_edges(it, sample, square);
    it->previous = *sample;
}

struct verdict_evidence verdict_at(const struct verdict *it, const struct vector *end)
{
    struct verdict_evidence evidence = {(uint16_t)(it->flight * SETTLING_SAMPLE_MS), it->edges,
                                        VERDICT_NOT_HELD};
    if (it->flight && it->thrown.calm)
        evidence.turned_deg = (uint8_t)(vector_angle(&it->thrown.held, end) / 10);
    return evidence;
}

bool verdict_is_throw(const struct verdict_evidence *evidence)
{
    return evidence->flight_ms && (evidence->turned_deg >= VERDICT_TURNED_DEG ||
                                   evidence->edges >= VERDICT_ROLLED_EDGES);
}
