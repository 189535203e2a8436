#include "settling.h"

#include <string.h>

enum {
    ONE_G = 1000,
    STILL_PARTS = SETTLING_STILL_MS / SETTLING_PIECE_MS,
    STILL_UNTHROWN_PARTS = SETTLING_STILL_UNTHROWN_MS / SETTLING_PIECE_MS,
    FALL_REPORTED_SAMPLES = SETTLING_FALL_REPORTED_MS / SETTLING_SAMPLE_MS,
    PIECE_SAMPLES = SETTLING_PIECE_MS / SETTLING_SAMPLE_MS,
    CARRIED_SAMPLES = SETTLING_CARRIED_MS / SETTLING_SAMPLE_MS,
    HANDLED_SAMPLES = SETTLING_HANDLED_MS / SETTLING_SAMPLE_MS,
    BUMP_SAMPLES = SETTLING_BUMP_MS / SETTLING_SAMPLE_MS,
    SEQUEL_SAMPLES = SETTLING_SEQUEL_MS / SETTLING_SAMPLE_MS,
};

static uint32_t squared(uint16_t mg)
{
    return (uint32_t)mg * mg;
}

static bool is_between(uint32_t square, uint16_t low_mg, uint16_t high_mg)
{
    return square >= squared(low_mg) && square <= squared(high_mg);
}

void settling_reset(struct settling *it, const struct faces *faces)
{
    memset(it, 0, sizeof *it);
    it->faces = faces;
    verdict_reset(&it->verdict, faces, &it->rest);
}

void settling_start(struct settling *it, bool forced)
{
    const struct faces *faces = it->faces;
    /* What the die showed before this motion outlives the reset: it decides whether the die has
     * moved. */
    struct vector mean = it->mean;
    struct faces_sight sight = it->sight;
    uint8_t before = it->before;
    settling_reset(it, faces);
    it->rest = it->mean = mean;
    it->sight = sight;
    it->before = before;
    it->forced = forced;
    verdict_reset(&it->verdict, faces, &it->rest);
}

void settling_go_on(struct settling *it)
{
    /* Only a motion that was reported as a throw can have a sequel that belongs to it. */
    bool rolled = it->reported == SETTLING_REPORTED_ROLLING;
    bool thrown = it->thrown;
    struct verdict_evidence evidence = it->evidence;
    settling_start(it, false);
    it->sequel = rolled;
    it->thrown = thrown;
    it->evidence = evidence;
}

/* Returns whether the motion so far looks like a throw; the verdict follows at rest. */
static bool is_rolling(const struct settling *it)
{
    return it->tumbles >= SETTLING_TUMBLES_REPORTED || it->fall_best >= FALL_REPORTED_SAMPLES ||
           it->agitation >= SETTLING_WILD_REPORTED;
}

/* --- rest --- */

/* Sums have at most a few thousand samples of up to 4096 mg, so 32 bits do not overflow. */
static void add_up(struct settling_sum *sum, const struct vector *sample)
{
    sum->x += sample->x;
    sum->y += sample->y;
    sum->z += sample->z;
    sum->count++;
}

static struct vector mean_of(const struct settling_sum *sum)
{
    int16_t count = (int16_t)sum->count;
    return (struct vector){(int16_t)(sum->x / count), (int16_t)(sum->y / count),
                           (int16_t)(sum->z / count)};
}

static void begin_window(struct settling *it, const struct vector *sample)
{
    it->anchor = *sample;
    it->still = it->part = (struct settling_sum){0, 0, 0, 0};
    it->parts = 0;
}

/* Ends a part of the window. If it has drifted from the part before, the window restarts with it:
 * slow motion passes the limit of single samples, but not this one. */
static void end_part(struct settling *it)
{
    struct vector mean = mean_of(&it->part);
    if (it->parts && !vector_is_near(&mean, &it->part_before, SETTLING_DRIFT_MG)) {
        it->still = it->part;
        it->anchor = mean;
        it->parts = 0;
    }
    /* Saturating, so that a long rest does not become a short one. */
    it->parts += it->parts < UINT8_MAX;
    it->part_before = mean;
    it->part = (struct settling_sum){0, 0, 0, 0};
}

static void watch_stillness(struct settling *it, const struct vector *sample)
{
    if (!vector_is_near(sample, &it->anchor, SETTLING_STILL_MG))
        begin_window(it, sample);
    add_up(&it->still, sample);
    add_up(&it->part, sample);
    /* The first sample is noisy: the mean of several is a better anchor. */
    if (it->still.count == 4 || it->still.count == 16)
        it->anchor = mean_of(&it->still);
    if (it->part.count == PIECE_SAMPLES)
        end_part(it);
}

static bool is_at_rest(struct settling *it)
{
    /* The cheap test first: the mean and the verdict divide and multiply 32-bit numbers. */
    if (it->parts < STILL_PARTS)
        return false;
    struct vector mean = mean_of(&it->still);
    /* Once: a longer rest would look like a hold. */
    if (!it->sequel && it->parts == STILL_PARTS && it->part.count == 0) {
        it->evidence = verdict_at(&it->verdict, &mean);
        it->thrown = verdict_is_throw(&it->evidence);
    }
    if (it->parts < (it->thrown || it->forced || it->sequel ? STILL_PARTS : STILL_UNTHROWN_PARTS))
        return false;
    /* A constant acceleration other than 1 g is a spin or a fall, not rest. */
    if (is_between(vector_square(&mean), ONE_G - SETTLING_REST_TOLERANCE_MG,
                   ONE_G + SETTLING_REST_TOLERANCE_MG)) {
        it->mean = mean;
        return true;
    }
    begin_window(it, &mean);
    return false;
}

/* --- falling and tumbling --- */

static void watch_fall(struct settling *it, uint32_t square)
{
    it->fall_run = square < squared(SETTLING_FALL_MG) ? (uint16_t)(it->fall_run + 1) : 0;
    if (it->fall_run > it->fall_best && it->fall_run < UINT16_MAX / SETTLING_SAMPLE_MS)
        it->fall_best = it->fall_run;
}

/* A leaky counter of wild samples: high during a throw, and decaying between its bounces. */
static void watch_agitation(struct settling *it, bool wild)
{
    if (!wild)
        it->agitation -= it->agitation > 0;
    else if (it->agitation < SETTLING_WILD_CEILING - SETTLING_WILD_GAIN)
        it->agitation += SETTLING_WILD_GAIN;
    else
        it->agitation = SETTLING_WILD_CEILING;
}

/* Counts a change of face as a tumble only while the die is agitated: a hand turns it calmly. */
static void watch_face(struct settling *it, const struct vector *sample)
{
    struct faces_order order = faces_nearest(it->faces, sample);
    /* Between two faces the nearest one alternates from sample to sample; only a clear lead
     * counts. */
    if (order.lead < SETTLING_FACE_LEAD_MG || order.face == it->face)
        return;
    if (it->face && it->agitation >= SETTLING_WILD_ENOUGH && it->tumbles < UINT8_MAX)
        it->tumbles++;
    it->face = order.face;
}

/* --- a hand --- */

/* Discards the evidence of a throw: a die that is shaken and then turned or carried by hand is
 * not thrown. */
static void forget_throw(struct settling *it)
{
    it->fall_best = 0;
    it->tumbles = 0;
    it->agitation = 0;
    verdict_forget(&it->verdict);
    if (it->reported == SETTLING_REPORTED_ROLLING)
        it->reported = SETTLING_REPORTED_NOTHING;
}

static void begin_pieces(struct settling *it)
{
    it->piece = (struct settling_sum){0, 0, 0, 0};
    it->pieces = it->turned = 0;
}

static void end_piece(struct settling *it)
{
    struct vector piece = mean_of(&it->piece);
    /* The mean of a piece, since single samples of a shaking hand point anywhere. */
    bool turned = it->pieces && vector_angle(&piece, &it->piece_before) >= SETTLING_TURN_ANGLE;
    it->turned = turned ? (uint8_t)(it->turned + 1) : 0;
    it->piece_before = piece;
    it->piece = (struct settling_sum){0, 0, 0, 0};
    it->pieces = 1;
}

static void watch_hand(struct settling *it, const struct vector *sample, bool wild)
{
    if (wild) {
        it->tame = 0;
        begin_pieces(it);
        return;
    }
    it->tame += it->tame < UINT16_MAX;
    add_up(&it->piece, sample);
    if (it->piece.count < PIECE_SAMPLES)
        return;
    end_piece(it);
    if (it->turned >= SETTLING_TURNED_PIECES || it->tame >= CARRIED_SAMPLES)
        forget_throw(it);
}

/* --- events --- */

static bool has_moved(const struct settling *it, const struct vector *now)
{
    return it->bumps >= BUMP_SAMPLES || vector_angle(&it->rest, now) >= SETTLING_MOVED_ANGLE;
}

static enum settling_event motion_event(struct settling *it, const struct vector *sample)
{
    if (it->sequel)
        return SETTLING_NOTHING;
    if (it->reported != SETTLING_REPORTED_ROLLING && is_rolling(it)) {
        it->reported = SETTLING_REPORTED_ROLLING;
        return SETTLING_ROLLING;
    }
    if (it->reported == SETTLING_REPORTED_NOTHING && it->samples % HANDLED_SAMPLES == 0 &&
        has_moved(it, sample)) {
        it->reported = SETTLING_REPORTED_HANDLED;
        return SETTLING_HANDLED;
    }
    return SETTLING_NOTHING;
}

static enum settling_event look(struct settling *it)
{
    it->sight = faces_look(it->faces, &it->mean);
    bool leans = it->sight.angle > SETTLING_COCKED_ANGLE ||
                 it->sight.other_angle - it->sight.angle < SETTLING_COCKED_LEAD;
    it->before = leans ? SETTLING_COCKED : SETTLING_SETTLED;
    return it->before;
}

/* Ends an episode that belongs to the last throw, as does the evidence. It is reported only if the die
 * lies differently from the last report. */
static enum settling_event sequel_event(struct settling *it)
{
    uint8_t face = it->sight.face;
    uint8_t before = it->before;
    it->reported = SETTLING_REPORTED_ROLLING;
    bool same = look(it) == before && it->sight.face == face;
    bool moved = before == SETTLING_COCKED &&
                 vector_angle(&it->rest, &it->mean) >= SETTLING_MOVED_ANGLE;
    return same && !moved ? SETTLING_QUIET : it->before;
}

static enum settling_event rest_event(struct settling *it)
{
    if (it->sequel)
        return sequel_event(it);
    if (it->thrown && it->reported != SETTLING_REPORTED_ROLLING) {
        it->reported = SETTLING_REPORTED_ROLLING;
        return SETTLING_ROLLING; /* the face is reported with the next sample */
    }
    if (it->reported == SETTLING_REPORTED_NOTHING && has_moved(it, &it->mean)) {
        it->reported = SETTLING_REPORTED_HANDLED;
        return SETTLING_HANDLED; /* the face is reported with the next sample */
    }
    if (it->reported == SETTLING_REPORTED_NOTHING && !it->forced)
        return SETTLING_QUIET;
    return look(it);
}

enum settling_event settling_add(struct settling *it, const struct vector *sample)
{
    uint32_t square = vector_square(sample);
    bool wild = !is_between(square, SETTLING_WILD_LOW_MG, SETTLING_WILD_HIGH_MG);
    /* The sensor's filter has not settled after the change of its rate. */
    if (it->samples < SETTLING_SKIPPED_SAMPLES) {
        it->samples++;
        begin_window(it, sample);
        return SETTLING_NOTHING;
    }
    it->samples += it->samples < UINT16_MAX;
    if (!is_between(square, ONE_G - SETTLING_BUMP_MG, ONE_G + SETTLING_BUMP_MG))
        it->bumps += it->bumps < UINT8_MAX;
    watch_fall(it, square);
    watch_agitation(it, wild);
    watch_face(it, sample);
    watch_hand(it, sample, wild);
    watch_stillness(it, sample);
    verdict_add(&it->verdict, sample, square);
    it->sequel = it->sequel && it->samples <= SEQUEL_SAMPLES;
    return is_at_rest(it) ? rest_event(it) : motion_event(it, sample);
}
