/* Many throws at the firmware's own settling logic, compiled for this machine: the physics, the
 * sensor's model and common/lis3dh.c, settling.c, faces.c between them, but no processor and no
 * radio. A line a throw on standard output (README.md, Throws).
 *
 *     throws BODY ACTION COUNT [SEED] [KEY=NUMBER or KEY=LOW..HIGH ...]
 *
 * motion_actions.h has the actions and the keys.
 */
#include "../common/faces.h"
#include "../common/lis3dh.h"
#include "../common/settling.h"
#include "../common/twi.h"
#include "motion_actions.h"
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

static void run_one(const struct body_shape *body, const char *action, uint64_t seed,
                    const struct motion_options *options)
{
    struct chance chance;
    struct faces faces;
    struct settling settling;
    struct outcome outcome = {.last = SETTLING_NOTHING};
    int kind = body->faces;
    int before = motion_face_before(&chance, seed, body);
    struct vector sample;
    now_ns = 0;
    specimen_begin(&specimen, body, seed, before, ignore_int1, NULL);
    lis3dh_chip_power(&specimen.accel, 0, true);
    calibrate(&faces, kind);
    settling_reset(&settling, &faces);
    settling.mean = faces.up[before - 1];
    now_ns = 10 * MS;
    accel_start();
    now_ns = LAY_NS + (uint64_t)(motion_more_ms(&chance) * MS);
    lis3dh_chip_advance(&specimen.accel, now_ns);
    accel_arm(&sample);
    motion_advance(&specimen.motion, now_ns, 16, NULL);
    wanted = motion_act(&specimen.motion, action, &chance, options);
    while (wait_for_int1()) {
        run_episode(&settling, &outcome);
        if (outcome.last != SETTLING_QUIET && motion_is_still(&specimen.motion))
            break;
    }
    print(seed, before, &settling, &outcome);
}

static bool read_option(const char *text, uint64_t *seed, struct motion_options *options)
{
    char *end;
    uint64_t number = strtoull(text, &end, 10);
    if (*end != '\0')
        return motion_options_read(options, text);
    *seed = number;
    return true;
}

static int print_usage(void)
{
    fputs("usage: throws BODY ACTION COUNT [SEED] [KEY=LOW..HIGH ...]\nbodies:", stderr);
    for (int i = 0; i < BODY_SHAPES; i++)
        fprintf(stderr, " %s", body_shapes[i].name);
    fputs("\nactions: " MOTION_ACTIONS "\nkeys: lean tilt drop hold spin\n", stderr);
    return 2;
}

int main(int argc, char **argv)
{
    const struct body_shape *body = argc > 3 ? body_named(argv[1]) : NULL;
    uint64_t seed = 0;
    struct motion_options options;
    motion_options_start(&options);
    bool good = body && motion_is_action(argv[2]);
    for (int i = 4; i < argc; i++)
        good = good && read_option(argv[i], &seed, &options);
    if (!good)
        return print_usage();
    for (int i = 0; i < atoi(argv[3]); i++)
        run_one(body, argv[2], seed + (uint64_t)i, &options);
    return 0;
}
