#include "verdict.h"

#include <string.h>

#include "settling_limits.h"

enum {
    BLOCK = 8,           /* samples; their sum is at most 32768 */
    RELEASE_SAMPLES = 6, /* between the end of the calm hold and the flight */
    SMOOTH_SAMPLES = VERDICT_SMOOTH_MS / SETTLING_SAMPLE_MS,
    SLID_SAMPLES = VERDICT_SLID_MS / SETTLING_SAMPLE_MS,
    FLIGHT_SAMPLES = VERDICT_FLIGHT_MS / SETTLING_SAMPLE_MS,
    HOP_SAMPLES = VERDICT_HOP_MS / SETTLING_SAMPLE_MS,
    LANDING_SAMPLES = 2,
    ONE_G = 1000,
};

static uint32_t squared(uint16_t mg)
{
    return (uint32_t)mg * mg;
}

static bool is_near_one_g(uint32_t square, uint16_t by)
{
    return square >= squared((uint16_t)(ONE_G - by)) && square <= squared((uint16_t)(ONE_G + by));
}

static void count(uint8_t *counter)
{
    *counter += *counter < UINT8_MAX;
}

void verdict_reset(struct verdict *it, const struct faces *faces)
{
    memset(it, 0, sizeof *it);
    it->faces = faces;
}

/* The die was in a hand until now: what happened before does not count. */
static void begin_release(struct verdict *it, const struct vector *held, bool calm)
{
    it->held = *held;
    it->calm = calm;
    it->flight = it->turns = 0;
    it->face = faces_nearest(it->faces, held).face;
}

void verdict_forget(struct verdict *it)
{
    begin_release(it, &it->block, true);
}

/* Smooth motion that ends in a bump is a hand that sets the die down or lets it go. After a flight,
 * it must last longer than a die slides or balances. */
static void watch_hand(struct verdict *it, const struct vector *sample, uint32_t square)
{
    count(&it->since_calm);
    if (vector_is_near(sample, &it->previous, VERDICT_JERK_MG) &&
        is_near_one_g(square, VERDICT_SMOOTH_MG)) {
        count(&it->smooth);
        return;
    }
    if (it->smooth >= SMOOTH_SAMPLES) {
        it->since_calm = 0;
        it->calm_block = it->block;
    }
    if (it->smooth >= (it->flight >= FLIGHT_SAMPLES ? SLID_SAMPLES : SMOOTH_SAMPLES))
        begin_release(it, &it->block, true);
    it->smooth = 0;
}

/* A flight with weight: constant acceleration between two jumps is a spin in the air, or, if it is
 * 1 g, a hand that holds the die until it hits the table; then the die ends as it was held. */
static void land(struct verdict *it, const struct vector *anchor, const struct vector *before,
                 uint8_t run)
{
    bool is_held = is_near_one_g(vector_square(anchor), SETTLING_REST_TOLERANCE_MG);
    if (it->flight < FLIGHT_SAMPLES)
        begin_release(it, is_held ? anchor : before, is_held);
    else if (is_held)
        return;
    it->flight = run > it->flight ? run : it->flight;
}

/* The impact can be shared by two samples, of which the first shows only a part. */
static void end_run(struct verdict *it)
{
    if (it->run < it->needed || !it->jumped)
        return;
    it->ended = it->anchor;
    it->ended_before = it->run_before;
    it->ended_run = it->run;
    it->landing = LANDING_SAMPLES;
}

static void watch_landing(struct verdict *it, const struct vector *sample)
{
    if (!it->landing)
        return;
    it->landing--;
    if (vector_is_near(sample, &it->ended, VERDICT_LANDING_MG))
        return;
    it->landing = 0;
    land(it, &it->ended, &it->ended_before, it->ended_run);
}

static void begin_run(struct verdict *it, const struct vector *sample)
{
    it->anchor = *sample;
    it->run = it->anchored = 1;
    it->run_before = it->block;
    it->jumped = !vector_is_near(sample, &it->block, VERDICT_RELEASE_MG) ||
                 !vector_is_near(sample, &it->previous, VERDICT_RELEASE_MG);
    it->needed = it->since_impact <= HOP_SAMPLES ? HOP_SAMPLES : FLIGHT_SAMPLES;
}

/* The axis of a spin moves slowly in the die, and with it the acceleration. */
static bool goes_on(struct verdict *it, const struct vector *sample)
{
    if (vector_is_near(sample, &it->anchor, VERDICT_ALIKE_MG))
        return true;
    if (it->anchored < FLIGHT_SAMPLES || !vector_is_near(sample, &it->previous, VERDICT_ALIKE_MG))
        return false;
    it->anchor = *sample;
    it->anchored = 0;
    return true;
}

static void watch_flight(struct verdict *it, const struct vector *sample)
{
    if (!goes_on(it, sample)) {
        end_run(it);
        watch_landing(it, sample);
        begin_run(it, sample);
        return;
    }
    watch_landing(it, sample);
    count(&it->anchored);
    count(&it->run);
    if (it->run < it->needed || vector_square(&it->anchor) >= squared(SETTLING_FALL_MG))
        return;
    if (it->run == it->needed && it->since_calm < it->needed + RELEASE_SAMPLES)
        begin_release(it, &it->calm_block, true);
    else if (!it->flight)
        begin_release(it, &it->run_before, false);
    it->flight = it->run > it->flight ? it->run : it->flight;
}

static void watch_impacts(struct verdict *it, const struct vector *sample, uint32_t square)
{
    count(&it->since_impact);
    if (square > squared(ONE_G + VERDICT_SMOOTH_MG) &&
        !vector_is_near(sample, &it->previous, VERDICT_IMPACT_MG))
        it->since_impact = 0;
}

/* Two consecutive samples on another face: one alone can be an impact. */
static void watch_turns(struct verdict *it, const struct vector *sample, bool wild)
{
    struct faces_order order = faces_nearest(it->faces, sample);
    uint8_t face = wild || order.lead < SETTLING_FACE_LEAD_MG ? 0 : order.face;
    if (face && face == it->seen && face != it->face) {
        count(&it->turns);
        it->face = face;
    }
    it->seen = face;
}

static void add_to_block(struct verdict *it, const struct vector *sample)
{
    it->sum.x = (int16_t)(it->sum.x + sample->x);
    it->sum.y = (int16_t)(it->sum.y + sample->y);
    it->sum.z = (int16_t)(it->sum.z + sample->z);
    if (++it->blocked < BLOCK)
        return;
    it->block = (struct vector){it->sum.x / BLOCK, it->sum.y / BLOCK, it->sum.z / BLOCK};
    it->sum = (struct vector){0, 0, 0};
    it->blocked = 0;
}

void verdict_add(struct verdict *it, const struct vector *sample, uint32_t square)
{
    bool wild = square < squared(SETTLING_WILD_LOW_MG) || square > squared(SETTLING_WILD_HIGH_MG);
    watch_impacts(it, sample, square);
    watch_hand(it, sample, square);
    watch_flight(it, sample);
    watch_turns(it, sample, wild);
    add_to_block(it, sample);
    it->previous = *sample;
}

bool verdict_is_thrown(const struct verdict *it, const struct vector *end)
{
    return it->flight >= FLIGHT_SAMPLES &&
           (it->turns || !it->calm || vector_angle(&it->held, end) >= VERDICT_TURNED_ANGLE);
}
