/* Many throws at the firmware's own settling logic, compiled for this machine: the physics, the
 * sensor's model and common/lis3dh.c, settling.c, faces.c between them, but no processor and no
 * radio. A line a throw on standard output (README.md, Throws).
 *
 *     throws BODY ACTION COUNT [SEED] [KEY=NUMBER or KEY=LOW..HIGH ...]
 *
 * Keys: lean (degrees), and the ranges of the tricks set, drop and twirl: tilt (degrees), drop (cm),
 * hold (s), spin (rad/s).
 */
#include "../common/faces.h"
#include "../common/lis3dh.h"
#include "../common/settling.h"
#include "../common/twi.h"
#include "motion_plans.h"
#include "specimen.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MS 1000000u
#define BYTE_NS 22500u    /* nine bits at 400 kHz */
#define LAY_NS (700 * MS) /* time at rest before the action */
#define END_NS (8000 * (uint64_t)MS)
#define SEQUEL_NS (1000 * (uint64_t)MS) /* the watchdog's period after a throw */

static struct specimen specimen;
static uint64_t now_ns;
static int wanted; /* the face that a trick is for; 0 for a throw */

static void ignore_int1(void *context, uint64_t at_ns, bool high)
{
    (void)context;
    (void)at_ns;
    (void)high;
}

void twi_start(void)
{
}

static bool send(uint8_t byte, bool first)
{
    now_ns += BYTE_NS;
    return first ? lis3dh_chip_start(&specimen.accel, now_ns, byte)
                 : lis3dh_chip_write(&specimen.accel, now_ns, byte);
}

bool twi_write(uint8_t address, const uint8_t *bytes, uint8_t size)
{
    bool acked = send((uint8_t)(address << 1), true);
    for (uint8_t i = 0; acked && i < size; i++)
        acked = send(bytes[i], false);
    lis3dh_chip_stop(&specimen.accel);
    return acked;
}

bool twi_read(uint8_t address, uint8_t first, uint8_t *bytes, uint8_t size)
{
    bool acked = send((uint8_t)(address << 1), true) && send(first, false) &&
                 send((uint8_t)(address << 1 | 1), true);
    for (uint8_t i = 0; acked && i < size; i++) {
        now_ns += BYTE_NS;
        bytes[i] = lis3dh_chip_read(&specimen.accel, now_ns);
    }
    lis3dh_chip_stop(&specimen.accel);
    return acked;
}

static void calibrate(struct faces *faces, int kind)
{
    struct vector up[FACES_MAX];
    memset(up, 0, sizeof up);
    for (int face = 1; face <= kind; face++) {
        int16_t mg[ACCEL_AXES];
        specimen_calibrated_mg(&specimen, face, mg);
        up[face - 1] = (struct vector){mg[0], mg[1], mg[2]};
    }
    faces_start(faces, (uint8_t)kind);
    faces_set(faces, (uint8_t)((1 << kind) - 1), up);
}

struct action {
    const char *name;
    void (*alone)(struct motion *motion);
    void (*to_face)(struct motion *motion, int face);
};

static const struct action actions[] = {
    {"throw", motion_throw, NULL},     {"gentle", motion_gentle, NULL},
    {"spun", motion_spun, NULL},       {"place", NULL, motion_place},
    {"set", NULL, motion_set_down},    {"drop", NULL, motion_drop},
    {"twirl", NULL, motion_twirl},
    {"tip", motion_tip, NULL},         {"hold", motion_hold, NULL},
    {"nudge", motion_nudge, NULL},     {"knock", motion_knock, NULL},
    {"pocket", motion_pocket, NULL},   {"lean", NULL, NULL},
};

static const struct action *action_named(const char *name)
{
    for (size_t i = 0; i < sizeof actions / sizeof actions[0]; i++)
        if (strcmp(actions[i].name, name) == 0)
            return &actions[i];
    return NULL;
}

struct options {
    uint64_t seed;
    struct motion_range lean_deg;
    struct motion_trick trick;
};

static void act(const struct action *action, struct chance *chance, const struct options *options)
{
    struct motion *motion = &specimen.motion;
    motion->trick = &options->trick;
    motion_advance(motion, now_ns, 16, NULL);
    if (action->alone)
        action->alone(motion);
    else if (action->to_face)
        action->to_face(motion, wanted = 1 + chance_below(chance, motion->body.shape->faces));
    else
        motion_lean(motion, options->lean_deg.low);
}

/* Advances the time until the interrupt line is high; false at END_NS. */
static bool wait_for_int1(void)
{
    while (!specimen.accel.int1_high && now_ns < END_NS) {
        now_ns = lis3dh_chip_due(&specimen.accel);
        lis3dh_chip_advance(&specimen.accel, now_ns);
    }
    return specimen.accel.int1_high;
}

struct outcome {
    enum settling_event last; /* SETTLING_NOTHING if nothing was reported */
    bool rolled, handled;     /* reported during the episode */
    uint64_t reported_ns;
};

/* Reads samples until the episode is over, like the die's main loop. An episode soon after another
 * one can still belong to its throw (die.c). */
static void run_episode(struct settling *settling, struct outcome *outcome)
{
    if (outcome->last >= SETTLING_SETTLED && outcome->last != SETTLING_QUIET &&
        now_ns < outcome->reported_ns + SEQUEL_NS)
        settling_go_on(settling);
    else
        settling_start(settling, false);
    accel_move();
    while (wait_for_int1()) {
        struct vector sample[LIS3DH_FIFO_SAMPLES];
        uint8_t count;
        accel_fetch(sample, LIS3DH_FIFO_SAMPLES, &count);
        for (uint8_t i = 0; i < count; i++) {
            enum settling_event event = settling_add(settling, &sample[i]);
            outcome->rolled |= event == SETTLING_ROLLING;
            outcome->handled |= event == SETTLING_HANDLED;
            if (event < SETTLING_SETTLED)
                continue;
            outcome->last = event;
            outcome->reported_ns = now_ns;
            accel_rest();
            return;
        }
    }
}

static void print(uint64_t seed, int before, const struct settling *settling,
                  const struct outcome *outcome)
{
    static const char *const name[] = {"nothing", "rolling", "handled",
                                       "settled", "cocked",  "quiet"};
    motion_advance(&specimen.motion, now_ns, 16, NULL);
    double angle;
    int face = motion_face(&specimen.motion, &angle);
    bool still = motion_is_still(&specimen.motion);
    double late = still ? (double)outcome->reported_ns - (double)specimen.motion.still_since_ns : 0;
    struct faces_sight sight = faces_look(settling->faces, &settling->mean);
    const struct verdict_evidence *it = &settling->evidence;
    printf("%" PRIu64 " before=%d still=%d face=%d angle=%.1f event=%s rolled=%d handled=%d "
           "wanted=%d read=%d off=%.1f thrown=%d flight=%u turned=%u edges=%u tumbles=%u fall=%u "
           "late_ms=%.0f\n",
           seed, before, still, face, angle, name[outcome->last], outcome->rolled, outcome->handled,
           wanted, sight.face, sight.angle / 10.0, settling->thrown, it->flight_ms, it->turned_deg,
           it->edges, settling->tumbles, settling->fall_best * SETTLING_SAMPLE_MS, late / MS);
}

static void run_one(const struct body_shape *body, const struct action *action, uint64_t seed,
                    const struct options *options)
{
    struct chance chance;
    struct faces faces;
    struct settling settling;
    struct outcome outcome = {.last = SETTLING_NOTHING};
    chance_seed(&chance, seed, 5);
    int kind = body->faces;
    int before = 1 + chance_below(&chance, kind);
    struct vector sample;
    now_ns = 0;
    specimen_begin(&specimen, body, seed, before, ignore_int1, NULL);
    lis3dh_chip_power(&specimen.accel, 0, true);
    calibrate(&faces, kind);
    settling_reset(&settling, &faces);
    settling.mean = faces.up[before - 1];
    now_ns = 10 * MS;
    accel_start();
    now_ns = LAY_NS + (uint64_t)(chance_between(&chance, 0, 100) * MS);
    lis3dh_chip_advance(&specimen.accel, now_ns);
    accel_arm(&sample);
    act(action, &chance, options);
    while (wait_for_int1()) {
        run_episode(&settling, &outcome);
        if (outcome.last != SETTLING_QUIET && motion_is_still(&specimen.motion))
            break;
    }
    print(seed, before, &settling, &outcome);
}

static bool read_range(const char *text, const char *key, double unit, struct motion_range *range)
{
    size_t size = strlen(key);
    if (strncmp(text, key, size) != 0 || text[size] != '=')
        return false;
    int found = sscanf(text + size + 1, "%lf..%lf", &range->low, &range->high);
    if (found == 1)
        range->high = range->low;
    range->low *= unit;
    range->high *= unit;
    return found > 0;
}

static bool read_option(const char *text, struct options *options)
{
    struct motion_trick *trick = &options->trick;
    char *end;
    uint64_t seed = strtoull(text, &end, 10);
    if (*end == '\0') {
        options->seed = seed;
        return true;
    }
    return read_range(text, "lean", 1, &options->lean_deg) ||
           read_range(text, "tilt", 1, &trick->tilt_deg) ||
           read_range(text, "drop", 0.01, &trick->drop_m) ||
           read_range(text, "hold", 1, &trick->hold_s) || read_range(text, "spin", 1, &trick->spin);
}

static int print_usage(void)
{
    fputs("usage: throws BODY ACTION COUNT [SEED] [KEY=LOW..HIGH ...]\nbodies:", stderr);
    for (int i = 0; i < BODY_SHAPES; i++)
        fprintf(stderr, " %s", body_shapes[i].name);
    fputs("\nactions:", stderr);
    for (size_t i = 0; i < sizeof actions / sizeof actions[0]; i++)
        fprintf(stderr, " %s", actions[i].name);
    fputs("\nkeys: lean tilt drop hold spin\n", stderr);
    return 2;
}

int main(int argc, char **argv)
{
    const struct body_shape *body = argc > 3 ? body_named(argv[1]) : NULL;
    const struct action *action = argc > 3 ? action_named(argv[2]) : NULL;
    struct options options = {.lean_deg = {25, 25}, .trick = motion_any_trick};
    bool good = body && action;
    for (int i = 4; i < argc; i++)
        good = good && read_option(argv[i], &options);
    if (!good)
        return print_usage();
    for (int i = 0; i < atoi(argv[3]); i++)
        run_one(body, action, options.seed + (uint64_t)i, &options);
    return 0;
}
