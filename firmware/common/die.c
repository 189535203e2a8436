#include "die.h"

#include <string.h>

#include "protocol.h"

void die_start(struct die *die, const struct identity *identity, uint16_t starts,
               const struct calibration_storage *storage)
{
    memset(die, 0, sizeof *die);
    die->identity = *identity;
    die->storage = storage;
    die->starts = starts;
    faces_start(&die->faces, identity->kind);
    (void)calibration_load(storage, &die->faces);
    (void)calibration_load_reference(storage, &die->identity.reference_mv);
    settling_reset(&die->settling, &die->faces);
    outbox_start(&die->outbox, (uint32_t)starts << 16);
}

/* --- reports --- */

static uint8_t fault_of(const struct die *die)
{
    if (die->accel_dead)
        return AIR_FAULT_ACCEL;
    return faces_are_calibrated(&die->faces) ? AIR_FAULT_NONE : AIR_FAULT_CAL;
}

static void queue_report(struct die *die, struct air_report *report, uint32_t now_ms)
{
    report->die = die->identity.number;
    report->kind = die->identity.kind;
    report->starts = (uint8_t)die->starts;
    report->fault = fault_of(die);
    report->throws = die->throws;
    report->battery_mv = die->battery_mv;
    report->restless = die_is_restless(die);
    outbox_put(&die->outbox, report, now_ms);
    die->last = *report;
    die->wakes = 0;
}

static void report_state(struct die *die, uint8_t state, uint32_t now_ms)
{
    struct air_report report = {.state = state};
    queue_report(die, &report, now_ms);
}

/* A settled die leans by AIR_LEAN_MAX degrees at most: what is added marks evidence, which hubs and
 * tables of earlier versions pass on or ignore. */
static void report_evidence(struct air_report *report, const struct verdict_evidence *evidence)
{
    if (!evidence->flight_ms)
        return;
    uint8_t edges = evidence->edges < AIR_EDGES_MAX ? evidence->edges : AIR_EDGES_MAX;
    report->angle_deg = (uint8_t)(report->angle_deg + AIR_LEAN_MAX + 1);
    report->fall_ms = evidence->flight_ms;
    report->tumbles =
        (uint8_t)(evidence->turned_deg / AIR_TURN_STEP_DEG * (AIR_EDGES_MAX + 1) + edges);
}

static void report_rest(struct die *die, uint8_t state, uint32_t now_ms)
{
    struct faces_sight sight = die->settling.sight;
    uint16_t angle_deg = (uint16_t)((sight.angle + 5) / 10);
    struct air_report report = {
        .state = state,
        .angle_deg = (uint8_t)(angle_deg < PROTOCOL_ANG_MAX ? angle_deg : PROTOCOL_ANG_MAX)};
    if (state == PROTOCOL_STATE_SETTLED) {
        report.face = sight.face;
        report.verdict = die->settling.thrown ? AIR_VERDICT_THROWN : AIR_VERDICT_MOVED;
        report_evidence(&report, &die->settling.evidence);
    }
    queue_report(die, &report, now_ms);
}

static uint16_t apart(uint16_t a, uint16_t b)
{
    return a > b ? (uint16_t)(a - b) : (uint16_t)(b - a);
}

/* Repeats the last report with its own number: the hub treats it as a heartbeat, or as a new report
 * if the hub has just started. A changed voltage is sent as a new report. Unacknowledged reports
 * are retried: with all bursts (`hard`) during play, otherwise with a single one, because the
 * board is switched off most of the day, and all bursts every 8 s would drain the cell in two
 * weeks. */
static void repeat_report(struct die *die, bool hard, uint32_t now_ms)
{
    struct air_report report = die->last;
    die->wakes = 0;
    if (die->outbox.count && hard)
        outbox_wake(&die->outbox, now_ms);
    else if (die->outbox.count)
        outbox_try_once(&die->outbox, now_ms);
    else if (report.die && apart(report.battery_mv, die->battery_mv) >= DIE_BATTERY_STEP_MV)
        queue_report(die, &report, now_ms);
    else if (report.die)
        outbox_repeat(&die->outbox, now_ms);
}

/* --- samples --- */

void die_begin(struct die *die, bool forced)
{
    if (die->just_rested && !forced && !die->calibrating)
        settling_go_on(&die->settling);
    else
        settling_start(&die->settling, forced || die->last.die == 0);
}

void die_look_again(struct die *die)
{
    settling_start(&die->settling, true);
    die->settling.reported = SETTLING_REPORTED_HANDLED;
}

static uint8_t calibrated_state(struct die *die)
{
    faces_calibrate(&die->faces, die->calibrating, &die->settling.mean);
    (void)calibration_save(die->storage, &die->faces);
    die->calibrating = 0;
    die->settling.sight = faces_look(&die->faces, &die->settling.mean);
    return PROTOCOL_STATE_SETTLED;
}

static void rest(struct die *die, uint8_t state, uint32_t now_ms)
{
    if (die->calibrating)
        state = calibrated_state(die);
    die->restless = 0;
    report_rest(die, state, now_ms);
    die->polls = AIR_POLLS;
    die->just_rested = true;
}

bool die_is_restless(const struct die *die)
{
    return die->restless >= DIE_RESTLESS_WAKES;
}

/* The Pi shows it, because it drains the cell. */
static void count_restless_wake(struct die *die, uint32_t now_ms)
{
    struct air_report report = die->last;
    if (die_is_restless(die))
        return;
    die->restless++;
    if (die_is_restless(die) && report.die)
        queue_report(die, &report, now_ms);
}

void die_slept(struct die *die)
{
    die->restless = 0;
}

bool die_on_sample(struct die *die, const struct vector *sample, uint32_t now_ms)
{
    switch (settling_add(&die->settling, sample)) {
    case SETTLING_ROLLING:
        die->throws++;
        report_state(die, PROTOCOL_STATE_ROLLING, now_ms);
        return false;
    case SETTLING_HANDLED:
        report_state(die, PROTOCOL_STATE_HANDLED, now_ms);
        return false;
    case SETTLING_SETTLED:
        rest(die, PROTOCOL_STATE_SETTLED, now_ms);
        return true;
    case SETTLING_COCKED:
        rest(die, PROTOCOL_STATE_COCKED, now_ms);
        return true;
    case SETTLING_QUIET:
        count_restless_wake(die, now_ms);
        /* A tap on the die makes it fetch commands. On a table that shakes all the time, the
         * watchdog's period never elapses in sleep, so the heartbeat must be sent from here. */
        die->polls = die->polls || die_is_restless(die) ? die->polls : 1;
        if (++die->wakes >= AIR_WAKES_PER_HEARTBEAT)
            repeat_report(die, true, now_ms);
        return true;
    default:
        return false;
    }
}

/* --- commands --- */

/* The voltage was measured at the die, which thereby measures its chip's reference. */
static bool calibrate_battery(struct die *die, uint16_t cell_mv)
{
    if (!die->battery_mv)
        return false;
    uint32_t reference_mv =
        ((uint32_t)die->identity.reference_mv * cell_mv + die->battery_mv / 2) / die->battery_mv;
    if (!identity_is_reference(reference_mv))
        return false;
    die->identity.reference_mv = (uint16_t)reference_mv;
    calibration_save_reference(die->storage, (uint16_t)reference_mv);
    return true;
}

/* The hub has rejected the last report, because a former chip with this die number had a higher one.
 * Without a report of the new number, the hub would not know that the die has obeyed. */
static bool go_on_from(struct die *die, uint16_t starts)
{
    if (!die->identity.has_key || starts <= die->starts)
        return false;
    die->outbox.next_number = (uint32_t)starts << 16; /* die/main.c stores it before it is sent */
    return true;
}

bool die_on_order(struct die *die, const struct air_order *order)
{
    die->polls = AIR_POLLS;
    if (order->command == AIR_COMMAND_LED) {
        die->lamp_s = order->argument ? DIE_LAMP_S : 0;
        return false;
    }
    if (order->command == AIR_COMMAND_BATTERY)
        return calibrate_battery(die, order->argument);
    if (order->command == AIR_COMMAND_NUMBER)
        return go_on_from(die, order->argument);
    if (order->argument < PROTOCOL_FACE_MIN || order->argument > die->identity.kind)
        return false;
    die->calibrating = (uint8_t)order->argument;
    die->settling.forced = true; /* in case it is moving at present */
    return true;
}

/* --- faults and time --- */

void die_accel_failed(struct die *die, uint32_t now_ms)
{
    if (die->accel_dead)
        return;
    die->accel_dead = true;
    report_state(die, PROTOCOL_STATE_LOST, now_ms);
}

void die_accel_recovered(struct die *die)
{
    die->accel_dead = false;
}

void die_tick(struct die *die, uint8_t seconds, uint32_t now_ms)
{
    die->just_rested = false;
    die->lamp_s = die->lamp_s > seconds ? (uint8_t)(die->lamp_s - seconds) : 0;
    die->wakes++;
    bool hard = die->polls > 0;
    if (hard)
        die->polls--;
    else if (!die->lamp_s && die->wakes < AIR_WAKES_PER_HEARTBEAT)
        return;
    repeat_report(die, hard, now_ms);
}

uint8_t die_sleep_s(const struct die *die)
{
    return die->polls || die->lamp_s ? AIR_POLL_S : AIR_WAKE_S;
}

static bool apart_more(int16_t a, int16_t b)
{
    int16_t by = (int16_t)(a - b);
    return by > DIE_STIRRED_MG || by < -DIE_STIRRED_MG;
}

bool die_is_stirred(const struct die *die, const struct vector *sample)
{
    const struct vector *rest = &die->settling.mean;
    return apart_more(sample->x, rest->x) || apart_more(sample->y, rest->y) ||
           apart_more(sample->z, rest->z);
}
