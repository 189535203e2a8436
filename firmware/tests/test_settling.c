/* The classification of motions, described as stages of what happens to a die. The simulator's
 * bodies and hands (firmware/sim) test real throws; here each rule is tested alone. */
#include <math.h>
#include <string.h>

#include "check.h"
#include "protocol.h"
#include "settling.h"
#include "tests.h"

enum action {
    END,
    LIE,    /* still on face a, leaning b degrees */
    FALL,   /* nothing but the spin's b mg */
    TUMBLE, /* hops from face to face, beginning with a */
    TURN,   /* in a hand from face a to face b, with its tremor */
    HOLD,   /* in a hand, face a up, trembling by b mg */
    SHAKE,  /* in a hand, b mg each way, four times a second */
    KNOCK,  /* b mg on top, ringing */
    CREEP,  /* from face a towards another one, b degrees a second */
};

struct stage {
    enum action action;
    int ms, a, b;
};

static struct faces faces;
static struct settling settling;
static const double pi = 3.14159265358979;

struct force {
    double x, y, z; /* mg */
};

static struct force face_up(int face)
{
    const struct vector *up = &faces.up[face - 1];
    double length = sqrt(vector_square(up)) / 1000;
    return (struct force){up->x / length, up->y / length, up->z / length};
}

static struct force mixed(struct force a, struct force b, double part)
{
    struct force v = {a.x + (b.x - a.x) * part, a.y + (b.y - a.y) * part, a.z + (b.z - a.z) * part};
    double length = sqrt(v.x * v.x + v.y * v.y + v.z * v.z) / 1000;
    return (struct force){v.x / length, v.y / length, v.z / length};
}

static struct force scaled(struct force v, double by)
{
    return (struct force){v.x * by, v.y * by, v.z * by};
}

/* Rotates towards a neighbouring face by some degrees, along the circle through both. */
static struct force leaning(int face, double degrees)
{
    int next = face == 1 || face == 6 ? 2 : 1;
    struct force up = face_up(face);
    struct force other = face_up(next);
    double whole = vector_angle(&faces.up[face - 1], &faces.up[next - 1]) / 10.0;
    double a = sin((whole - degrees) * pi / 180), b = sin(degrees * pi / 180);
    return mixed((struct force){0, 0, 0},
                 (struct force){up.x * a + other.x * b, up.y * a + other.y * b,
                                up.z * a + other.z * b},
                 1);
}

/* A hop every 60 ms: 35 of it in the air, then a landing on the next face. */
static struct force tumbling(int first, int ms)
{
    int hop = ms / 60;
    struct force up = face_up((first + hop) % faces.kind + 1);
    int at = ms % 60;
    return scaled(up, at < 35 ? 0.05 : at < 45 ? 2.6 : 1.1);
}

static struct force acting(const struct stage *stage, int ms)
{
    double part = (double)ms / stage->ms;
    switch (stage->action) {
    case LIE:
        return leaning(stage->a, stage->b);
    case FALL:
        return scaled(face_up(1), stage->b / 1000.0);
    case TUMBLE:
        return tumbling(stage->a, ms);
    case TURN:
        return mixed(face_up(stage->a), face_up(stage->b), part * part * (3 - 2 * part));
    case HOLD:
        return leaning(stage->a, 3 + sin(ms * 2 * pi / 1000) * stage->b / 17.0);
    case SHAKE: /* measured in the hand: gravity and the swing along it */
        return scaled(face_up(1), 1 + stage->b / 1000.0 * sin(ms * 2 * pi / 250));
    case CREEP:
        return leaning(stage->a, stage->b * ms / 1000.0);
    case KNOCK:
        return scaled(face_up(stage->a), 1 + stage->b / 1000.0 * exp(-ms / 25.0) * cos(ms * 0.4));
    default:
        return (struct force){0, 0, 0};
    }
}

/* The noise in the data sheet, and a digit of 8 mg. */
static int16_t measured(double mg)
{
    double noise = 0;
    for (int i = 0; i < 12; i++)
        noise += check_random(1000) / 1000.0 - 0.5;
    double value = fmax(-4096, fmin(4088, mg + 4 * noise));
    return (int16_t)(8 * (int)floor(value / 8 + 0.5));
}

static struct vector sample_of(const struct stage *stage, int ms)
{
    struct force force = acting(stage, ms);
    bool held = stage->action == TURN || stage->action == SHAKE || stage->action == HOLD;
    double tremor = held ? 40 * sin(ms * 2 * pi / 110) : 0;
    return (struct vector){measured(force.x + tremor), measured(force.y - tremor),
                           measured(force.z)};
}

static void append(char *events, const char *word)
{
    if (*events)
        strcat(events, " ");
    strcat(events, word);
}

/* Runs the stages until the episode is over, and returns the reports in order. */
static void run(const struct stage *stages, char *events)
{
    static const char *const words[] = {"", "rolling", "handled", "settled", "cocked", "quiet"};
    *events = '\0';
    for (const struct stage *stage = stages; stage->action != END; stage++)
        for (int ms = 0; ms < stage->ms; ms += SETTLING_SAMPLE_MS) {
            struct vector sample = sample_of(stage, ms);
            enum settling_event event = settling_add(&settling, &sample);
            if (event != SETTLING_NOTHING)
                append(events, words[event]);
            if (event >= SETTLING_SETTLED)
                return;
        }
}

static void begin(uint8_t kind, int face, bool forced)
{
    faces_start(&faces, kind);
    settling_reset(&settling, &faces);
    settling.mean = faces.up[face - 1];
    settling_start(&settling, forced);
}

void a_motion_is_classified(void)
{
    static const struct {
        const char *row;
        struct stage stages[8];
        const char *events;
        int face;     /* 0: not checked */
        bool thrown;  /* the verdict */
    } rows[] = {
        {"thrown out of a still hand",
         {{HOLD, 200, 1, 20}, {FALL, 150, 0, 100}, {TUMBLE, 500, 1, 0}, {LIE, 400, 3, 1}},
         "rolling settled", 3, true},
        {"shaken, then thrown",
         {{SHAKE, 900, 0, 2000}, {FALL, 130, 0, 100}, {TUMBLE, 400, 2, 0}, {LIE, 400, 2, 0}},
         "rolling settled", 2, true},
        {"held long, then thrown",
         {{HOLD, 1500, 1, 170}, {FALL, 150, 0, 50}, {TUMBLE, 500, 1, 0}, {LIE, 400, 4, 2}},
         "handled rolling settled", 4, true},
        {"fell two centimetres and rolled",
         {{HOLD, 150, 1, 30}, {FALL, 65, 0, 20}, {TUMBLE, 600, 1, 0}, {LIE, 400, 1, 0}},
         "rolling settled", 1, true},
        {"dropped flat", {{HOLD, 150, 1, 30}, {FALL, 120, 0, 20}, {KNOCK, 100, 1, 3000},
          {LIE, 900, 1, 0}}, "rolling settled", 1, false},
        {"dropped, and turned on landing", {{HOLD, 150, 1, 30}, {FALL, 120, 0, 20},
          {KNOCK, 100, 2, 3000}, {LIE, 400, 2, 0}}, "rolling settled", 2, true},
        {"shaken, then dropped flat", {{SHAKE, 600, 0, 2000}, {TURN, 300, 1, 3},
          {HOLD, 200, 3, 30}, {FALL, 120, 0, 20}, {KNOCK, 100, 3, 3000}, {LIE, 900, 3, 0}}, "rolling settled", 3, false},
        {"shaken, then set down at once", {{SHAKE, 600, 0, 2000}, {TUMBLE, 300, 1, 0},
          {HOLD, 120, 2, 30}, {KNOCK, 60, 2, 2500}, {LIE, 900, 2, 0}}, "rolling settled", 2, false},
        {"thrown against something",
         {{HOLD, 200, 1, 20}, {FALL, 150, 0, 100}, {TUMBLE, 500, 1, 0}, {LIE, 400, 2, 21}},
         "rolling cocked", 0, true},
        {"turned in the hand and put down",
         {{HOLD, 200, 1, 30}, {TURN, 700, 1, 2}, {KNOCK, 60, 2, 1200}, {LIE, 900, 2, 0}},
         "handled settled", 2, false},
        {"tipped over an edge with a finger",
         {{TURN, 250, 1, 2}, {KNOCK, 60, 2, 1500}, {LIE, 900, 2, 0}}, "handled settled", 2, false},
        {"shaken, then turned and put down: a trick",
         {{SHAKE, 900, 0, 2000}, {TUMBLE, 300, 1, 0}, {TURN, 900, 1, 3}, {KNOCK, 60, 3, 1200},
          {LIE, 900, 3, 0}},
         "rolling handled settled", 3, false},
        {"shaken, carried about and put down",
         {{TUMBLE, 400, 1, 0}, {HOLD, 2600, 2, 60}, {KNOCK, 60, 2, 1200}, {LIE, 900, 2, 0}},
         "rolling handled settled", 2, false},
        {"leant by hand", {{HOLD, 200, 1, 40}, {TURN, 500, 1, 2}, {LIE, 900, 2, 30}},
         "handled cocked", 0, false},
        {"a knock on the table", {{KNOCK, 120, 1, 700}, {LIE, 900, 1, 0}}, "quiet", 1, false},
        {"nothing at all", {{LIE, 900, 1, 0}}, "quiet", 1, false},
        {"a hand that holds still for half a second",
         {{HOLD, 400, 2, 60}, {LIE, 500, 2, 4}, {TURN, 400, 2, 3}, {KNOCK, 60, 3, 1200},
          {LIE, 900, 3, 0}},
         "handled settled", 3, false},
        {"a long fall does not rest", {{FALL, 900, 0, 40}, {TUMBLE, 200, 2, 0}, {LIE, 400, 2, 0}},
         "rolling settled", 2, true},
    };
    char events[200];
    for (uint8_t kind = 4; kind <= 6; kind += 2)
        for (size_t i = 0; i < CHECK_ROWS(rows); i++) {
            check_row(rows[i].row);
            begin(kind, 1, false);
            run(rows[i].stages, events);
            CHECK_TEXT(events, rows[i].events);
            if (rows[i].face)
                CHECK_EQUAL(faces_look(&faces, &settling.mean).face, rows[i].face);
            CHECK_EQUAL(settling.thrown, rows[i].thrown);
        }
}

void a_die_leans_beyond_fifteen_degrees(void)
{
    for (uint8_t kind = 4; kind <= 6; kind += 2)
        for (int degrees = 0; degrees <= 40; degrees++) {
            if (degrees >= 14 && degrees <= 16)
                continue; /* the limit itself, and noise around it */
            struct stage stages[] = {{LIE, 400, 3, degrees}, {END, 0, 0, 0}};
            char events[200];
            begin(kind, 3, true);
            run(stages, events);
            CHECK_TEXT(events, degrees > 15 ? "handled cocked" : degrees >= 8 ? events : "settled");
            CHECK(settling.evidence.flight_ms == 0 && settling.tumbles == 0);
        }
}

void two_faces_calibrated_alike_are_both_uncertain(void)
{
    struct vector up[FACES_MAX];
    char events[200];
    begin(6, 1, true);
    memcpy(up, faces.up, sizeof up);
    up[3] = (struct vector){250, 0, 970};
    faces_set(&faces, 0x3F, up);
    struct stage stages[] = {{LIE, 400, 1, 0}, {END, 0, 0, 0}};
    run(stages, events);
    CHECK_TEXT(events, "cocked");
}

void stillness_is_a_quarter_of_a_second_after_a_throw(void)
{
    struct stage stages[] = {{FALL, 150, 0, 20}, {TUMBLE, 400, 1, 0}, {LIE, 2000, 3, 0},
                             {END, 0, 0, 0}};
    char events[200];
    begin(4, 1, false);
    run(stages, events);
    CHECK_TEXT(events, "rolling settled");
    CHECK(settling.samples * SETTLING_SAMPLE_MS <= 150 + 400 + 250 + 30);
}

void free_fall_is_measured_to_two_samples(void)
{
    for (int ms = 80; ms <= 400; ms += 40) {
        struct stage stages[] = {{HOLD, 100, 1, 0}, {FALL, ms, 0, 60}, {TUMBLE, 300, 1, 0},
                                 {LIE, 400, 2, 0}, {END, 0, 0, 0}};
        char events[200];
        begin(4, 1, false);
        run(stages, events);
        /* the next hop begins with 35 ms in the air */
        uint16_t flight_ms = settling.evidence.flight_ms;
        CHECK(flight_ms >= ms && flight_ms <= ms + 40);
    }
}

void any_sensor_data_is_accepted(void)
{
    static const int16_t ends[] = {-4096, -1000, 0, 1000, 4088};
    check_seed(3);
    begin(6, 1, false);
    for (long i = 0; i < 300000; i++) {
        struct vector sample = {ends[check_random(5)], ends[check_random(5)],
                                (int16_t)((int)check_random(8192) - 4096)};
        if (settling_add(&settling, &sample) >= SETTLING_SETTLED)
            settling_start(&settling, check_random(2));
    }
    CHECK_EQUAL(settling.samples, UINT16_MAX);
    CHECK_EQUAL(settling.tumbles, UINT8_MAX);
}

/* A throw that ends on face 2, leaning by some degrees, and what follows it. */
static void run_sequel(int degrees, const struct stage *after, char *events)
{
    struct stage throw[] = {{FALL, 150, 0, 20}, {TUMBLE, 400, 1, 0}, {LIE, 400, 2, degrees},
                            {END, 0, 0, 0}};
    begin(6, 1, false);
    run(throw, events);
    CHECK_TEXT(events, degrees > 15 ? "rolling cocked" : "rolling settled");
    settling_go_on(&settling);
    run(after, events);
}

void motion_directly_after_a_throw_belongs_to_it(void)
{
    static const struct {
        const char *row;
        int degrees;
        struct stage after[5];
        const char *events;
        int face;
        bool thrown;
    } rows[] = {
        {"slips off what it leant on", 25, {{KNOCK, 80, 2, 900}, {LIE, 400, 2, 1}}, "settled", 2,
         true},
        {"is knocked over by another", 0, {{TUMBLE, 120, 2, 0}, {LIE, 400, 3, 0}}, "settled", 3,
         true},
        {"is knocked and stays", 0, {{KNOCK, 80, 2, 1500}, {LIE, 400, 2, 0}}, "quiet", 2, true},
        {"is knocked and leans", 0, {{KNOCK, 80, 2, 1500}, {LIE, 400, 2, 25}}, "cocked", 2, true},
        {"is turned by a quick hand", 0,
         {{TURN, 600, 2, 3}, {KNOCK, 60, 3, 1200}, {LIE, 900, 3, 0}}, "handled settled", 3, false},
        {"is taken up and thrown", 0,
         {{HOLD, 900, 2, 60}, {FALL, 150, 0, 20}, {TUMBLE, 400, 1, 0}, {LIE, 400, 3, 0}},
         "rolling settled", 3, true},
    };
    char events[200];
    for (size_t i = 0; i < CHECK_ROWS(rows); i++) {
        check_row(rows[i].row);
        run_sequel(rows[i].degrees, rows[i].after, events);
        CHECK_TEXT(events, rows[i].events);
        CHECK_EQUAL(settling.sight.face, rows[i].face);
        CHECK_EQUAL(settling.thrown, rows[i].thrown);
    }
}

void a_turn_by_hand_ends_at_rest(void)
{
    struct stage turned[] = {{TURN, 600, 1, 2}, {LIE, 900, 2, 0}, {END, 0, 0, 0}};
    struct stage nudged[] = {{KNOCK, 80, 2, 900}, {LIE, 900, 3, 0}, {END, 0, 0, 0}};
    char events[200];
    begin(6, 1, false);
    run(turned, events);
    CHECK_TEXT(events, "handled settled");
    settling_go_on(&settling);
    run(nudged, events);
    CHECK_TEXT(events, "handled settled");
    CHECK(!settling.thrown);
}

void a_creeping_die_is_not_at_rest(void)
{
    char events[200];
    for (int speed = 6; speed <= 24; speed += 3) { /* degrees a second */
        struct stage stages[] = {{FALL, 150, 0, 20}, {TUMBLE, 400, 1, 0}, {CREEP, 900, 1, speed},
                                 {END, 0, 0, 0}};
        begin(6, 1, false);
        run(stages, events);
        CHECK_TEXT(events, "rolling");
    }
}
