#include "settling.h"

#include <string.h>

enum {
    ONE_G = 1000,
    STILL_SAMPLES = SETTLING_STILL_MS / SETTLING_SAMPLE_MS,
    STILL_UNTHROWN_SAMPLES = SETTLING_STILL_UNTHROWN_MS / SETTLING_SAMPLE_MS,
    FALL_TOLD_SAMPLES = SETTLING_FALL_TOLD_MS / SETTLING_SAMPLE_MS,
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

static bool is_near(int16_t a, int16_t b)
{
    int16_t apart = (int16_t)(a - b);
    return apart <= SETTLING_STILL_MG && apart >= -SETTLING_STILL_MG;
}

void settling_reset(struct settling *it, const struct faces *faces)
{
    memset(it, 0, sizeof *it);
    it->faces = faces;
}

void settling_start(struct settling *it, bool forced)
{
    const struct faces *faces = it->faces;
    struct vector mean = it->mean;
    struct faces_sight sight = it->sight;
    uint8_t before = it->before;
    settling_reset(it, faces);
    it->rest = it->mean = mean;
    it->sight = sight;
    it->before = before;
    it->forced = forced;
}

void settling_go_on(struct settling *it)
{
    uint8_t tumbles = it->tumbles;
    uint16_t fall = it->fall_best;
    bool thrown = it->told == SETTLING_TOLD_ROLLING;
    settling_start(it, false);
    it->sequel = thrown;
    it->first_tumbles = tumbles;
    it->first_fall = fall;
}

bool settling_is_thrown(const struct settling *it)
{
    return it->tumbles >= SETTLING_TUMBLES_TOLD || it->fall_best >= FALL_TOLD_SAMPLES ||
           it->agitation >= SETTLING_WILD_TOLD;
}

uint16_t settling_fall_ms(const struct settling *it)
{
    return (uint16_t)(it->fall_best * SETTLING_SAMPLE_MS);
}

/* --- stillness --- */

static void begin_window(struct settling *it, const struct vector *sample)
{
    it->anchor = *sample;
    it->sum_x = it->sum_y = it->sum_z = 0;
    it->still = 0;
}

static void watch_stillness(struct settling *it, const struct vector *sample)
{
    if (!is_near(sample->x, it->anchor.x) || !is_near(sample->y, it->anchor.y) ||
        !is_near(sample->z, it->anchor.z))
        begin_window(it, sample);
    it->sum_x += sample->x;
    it->sum_y += sample->y;
    it->sum_z += sample->z;
    it->still++;
    /* The first sample carries noise of its own: the mean is the better anchor. */
    if (it->still == 4 || it->still == 16)
        it->anchor = (struct vector){(int16_t)(it->sum_x / it->still),
                                     (int16_t)(it->sum_y / it->still),
                                     (int16_t)(it->sum_z / it->still)};
}

static bool is_at_rest(struct settling *it)
{
    bool thrown = it->told == SETTLING_TOLD_ROLLING || it->sequel || settling_is_thrown(it);
    if (it->still < (thrown || it->forced ? STILL_SAMPLES : STILL_UNTHROWN_SAMPLES))
        return false;
    struct vector mean = {(int16_t)(it->sum_x / it->still), (int16_t)(it->sum_y / it->still),
                          (int16_t)(it->sum_z / it->still)};
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

static void watch_agitation(struct settling *it, bool wild)
{
    if (!wild)
        it->agitation -= it->agitation > 0;
    else if (it->agitation < SETTLING_WILD_CEILING - SETTLING_WILD_GAIN)
        it->agitation += SETTLING_WILD_GAIN;
    else
        it->agitation = SETTLING_WILD_CEILING;
}

static void watch_face(struct settling *it, const struct vector *sample)
{
    struct faces_order order = faces_nearest(it->faces, sample);
    if (order.lead < SETTLING_FACE_LEAD_MG || order.face == it->face)
        return;
    if (it->face && it->agitation >= SETTLING_WILD_ENOUGH && it->tumbles < UINT8_MAX)
        it->tumbles++;
    it->face = order.face;
}

/* --- a hand --- */

/* What was shaken and then turned or carried is no throw: the evidence is void. */
static void forget_throw(struct settling *it)
{
    it->fall_best = 0;
    it->tumbles = 0;
    it->agitation = 0;
    if (it->told == SETTLING_TOLD_ROLLING)
        it->told = SETTLING_TOLD_NOTHING;
}

static void begin_pieces(struct settling *it)
{
    it->piece_x = it->piece_y = it->piece_z = 0;
    it->piece = it->pieces = it->turned = 0;
}

static void end_piece(struct settling *it)
{
    struct vector piece = {(int16_t)(it->piece_x / it->piece), (int16_t)(it->piece_y / it->piece),
                           (int16_t)(it->piece_z / it->piece)};
    bool turned = it->pieces && vector_angle(&piece, &it->piece_before) >= SETTLING_TURN_ANGLE;
    it->turned = turned ? (uint8_t)(it->turned + 1) : 0;
    it->piece_before = piece;
    it->piece_x = it->piece_y = it->piece_z = 0;
    it->piece = 0;
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
    it->piece_x += sample->x;
    it->piece_y += sample->y;
    it->piece_z += sample->z;
    if (++it->piece == PIECE_SAMPLES)
        end_piece(it);
    if (it->turned >= SETTLING_TURNED_PIECES || it->tame >= CARRIED_SAMPLES)
        forget_throw(it);
}

/* --- what to tell --- */

static bool has_moved(const struct settling *it, const struct vector *now)
{
    return it->bumps >= BUMP_SAMPLES || vector_angle(&it->rest, now) >= SETTLING_MOVED_ANGLE;
}

static enum settling_event tell_motion(struct settling *it, const struct vector *sample)
{
    if (it->sequel)
        return SETTLING_NOTHING;
    if (it->told != SETTLING_TOLD_ROLLING && settling_is_thrown(it)) {
        it->told = SETTLING_TOLD_ROLLING;
        return SETTLING_ROLLING;
    }
    if (it->told == SETTLING_TOLD_NOTHING && it->samples % HANDLED_SAMPLES == 0 &&
        has_moved(it, sample)) {
        it->told = SETTLING_TOLD_HANDLED;
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

/* The same throw, and so its figures; told only when it lies otherwise than it was told. */
static enum settling_event tell_sequel(struct settling *it)
{
    uint8_t face = it->sight.face;
    uint8_t before = it->before;
    it->told = SETTLING_TOLD_ROLLING;
    it->tumbles = it->tumbles > it->first_tumbles ? it->tumbles : it->first_tumbles;
    it->fall_best = it->fall_best > it->first_fall ? it->fall_best : it->first_fall;
    return look(it) == before && it->sight.face == face ? SETTLING_QUIET : it->before;
}

static enum settling_event tell_rest(struct settling *it)
{
    if (it->sequel)
        return tell_sequel(it);
    if (it->told == SETTLING_TOLD_NOTHING && has_moved(it, &it->mean)) {
        it->told = SETTLING_TOLD_HANDLED;
        return SETTLING_HANDLED; /* and how it lies with the next sample */
    }
    if (it->told == SETTLING_TOLD_NOTHING && !it->forced)
        return SETTLING_QUIET;
    return look(it);
}

enum settling_event settling_add(struct settling *it, const struct vector *sample)
{
    uint32_t square = vector_square(sample);
    bool wild = !is_between(square, SETTLING_WILD_LOW_MG, SETTLING_WILD_HIGH_MG);
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
    it->sequel = it->sequel && it->samples <= SEQUEL_SAMPLES;
    return is_at_rest(it) ? tell_rest(it) : tell_motion(it, sample);
}
