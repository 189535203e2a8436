/* The die's application between its sensor and its radio. */
#include <string.h>

#include "check.h"
#include "die.h"
#include "protocol.h"
#include "tests.h"

static struct die die;
static uint8_t memory[256];
static uint32_t now_ms;

static void read_memory(uint16_t at, uint8_t *bytes, uint8_t size)
{
    memcpy(bytes, memory + at, size);
}

static void write_memory(uint16_t at, const uint8_t *bytes, uint8_t size)
{
    memcpy(memory + at, bytes, size);
}

static const struct calibration_storage storage = {read_memory, write_memory};

static void start(uint8_t kind)
{
    const struct identity identity = {.role = 'D', .number = 2, .kind = kind, .set = 7,
                                      .reference_mv = 1100};
    die_start(&die, &identity, 9, &storage);
    die.battery_mv = 3900;
}

static bool feed(struct vector sample, int ms)
{
    bool over = false;
    for (; ms > 0 && !over; ms -= SETTLING_SAMPLE_MS, now_ms += SETTLING_SAMPLE_MS)
        over = die_on_sample(&die, &sample, now_ms);
    return over;
}

static struct vector up(uint8_t face)
{
    return die.faces.up[face - 1];
}

/* Shaken, a fall, eight landings, and face 3 up. */
static void throw(void)
{
    die_begin(&die, false);
    for (uint8_t i = 0; i < 8; i++)
        feed(vector_scaled(&die.faces.up[i % 4], 1600), 15);
    feed((struct vector){20, 30, 40}, 150);
    for (uint8_t i = 0; i < 8; i++) {
        struct vector impact = vector_scaled(&die.faces.up[i % 4], 2500);
        feed(impact, 20);
        feed((struct vector){20, 30, 40}, 30);
    }
    CHECK(feed(up(3), 400));
}

/* Removes the oldest report from the outbox, as the radio does when it is acknowledged. */
static struct air_report next_report(void)
{
    CHECK(die.outbox.count > 0);
    struct air_report front = outbox_front(&die.outbox, now_ms);
    outbox_acknowledged(&die.outbox, now_ms);
    return front;
}

static void rest_on(uint8_t face)
{
    die_begin(&die, true);
    CHECK(feed(up(face), 400));
    while (die.outbox.count)
        (void)next_report();
}

void a_new_die_reports_its_position_and_no_calibration(void)
{
    memset(memory, 0xFF, sizeof memory);
    start(6);
    die_begin(&die, false);
    CHECK(feed(up(5), 400));
    struct air_report report = next_report();
    CHECK_EQUAL(report.state, PROTOCOL_STATE_SETTLED);
    CHECK_EQUAL(report.face, 5);
    CHECK_EQUAL(report.fault, AIR_FAULT_CAL);
    CHECK_EQUAL(report.starts, 9);
    CHECK_EQUAL(report.battery_mv, 3900);
    CHECK_EQUAL(die.outbox.count, 0);
}

void a_throw_is_two_reports_with_one_number(void)
{
    memset(memory, 0xFF, sizeof memory);
    start(4);
    rest_on(1);
    for (uint16_t throws = 1; throws < 4; throws++) {
        throw();
        struct air_report rolling = next_report();
        struct air_report settled = next_report();
        CHECK_EQUAL(rolling.state, PROTOCOL_STATE_ROLLING);
        CHECK_EQUAL(rolling.throws, throws);
        CHECK_EQUAL(settled.state, PROTOCOL_STATE_SETTLED);
        CHECK_EQUAL(settled.throws, throws);
        CHECK_EQUAL(settled.face, 3);
        CHECK(settled.angle_deg > AIR_LEAN_MAX); /* it sends evidence */
        CHECK(settled.fall_ms >= 140);
        CHECK_EQUAL(rolling.number + 1, settled.number);
        CHECK_EQUAL(die.outbox.count, 0);
    }
}

void a_dies_battery_is_calibrated_by_its_voltage(void)
{
    const struct air_order right = {2, 0, AIR_COMMAND_BATTERY, 4000};
    const struct air_order wrong = {2, 1, AIR_COMMAND_BATTERY, 5500};
    memset(memory, 0xFF, sizeof memory);
    start(4);
    rest_on(1);
    CHECK(die_on_order(&die, &right)); /* it measures, and reports again */
    CHECK_EQUAL(die.identity.reference_mv, 1128); /* 1100 * 4000 / 3900 */
    CHECK(!die_on_order(&die, &wrong));
    start(4);
    CHECK_EQUAL(die.identity.reference_mv, 1128);
    memory[EEPROM_REFERENCE_AT] ^= 1;
    start(4);
    CHECK_EQUAL(die.identity.reference_mv, 1100);
}

static void wake_without_motion(int times)
{
    for (; times > 0; times--) {
        die_begin(&die, false);
        CHECK(feed(up(1), 1000));
    }
}

void a_die_that_is_woken_all_the_time_reports_it_once(void)
{
    memset(memory, 0xFF, sizeof memory);
    start(4);
    rest_on(1);
    wake_without_motion(DIE_RESTLESS_WAKES - 1);
    die_slept(&die);
    wake_without_motion(DIE_RESTLESS_WAKES - 1);
    CHECK(!die_is_restless(&die));
    while (die.outbox.count) /* heartbeats */
        CHECK(!next_report().restless);
    wake_without_motion(1);
    CHECK(die_is_restless(&die));
    uint32_t number = next_report().number;
    wake_without_motion(2 * AIR_WAKES_PER_HEARTBEAT);
    CHECK(die.outbox.count > 0);
    while (die.outbox.count) {
        struct air_report report = next_report();
        CHECK(report.restless);
        CHECK_EQUAL(report.number, number);
    }
    throw();
    CHECK(!die_is_restless(&die));
    (void)next_report();
    CHECK(!next_report().restless);
}

void a_die_that_was_not_moved_reports_nothing(void)
{
    memset(memory, 0xFF, sizeof memory);
    start(4);
    rest_on(1);
    die_begin(&die, false);
    CHECK(feed(up(1), 1000));
    CHECK_EQUAL(die.outbox.count, 0);
    CHECK_EQUAL(die_sleep_s(&die), AIR_POLL_S); /* but it listens: it may have been tapped */
}

/* Each tap wakes it before the watchdog does; it must send its heartbeat nevertheless. */
void a_die_on_a_shaking_table_sends_its_heartbeat(void)
{
    memset(memory, 0xFF, sizeof memory);
    start(4);
    rest_on(1);
    for (int tap = 0; tap < AIR_WAKES_PER_HEARTBEAT; tap++) {
        CHECK_EQUAL(die.outbox.count, 0);
        die_begin(&die, false);
        CHECK(feed(up(1), 1000));
    }
    CHECK_EQUAL(die.outbox.count, 1);
    CHECK_EQUAL(next_report().number, die.outbox.last.number);
}

void a_die_is_calibrated_by_a_command(void)
{
    const struct vector askew = {-120, 985, 140};
    memset(memory, 0xFF, sizeof memory);
    start(6);
    rest_on(1);
    const struct air_order order = {2, 0, AIR_COMMAND_CALIBRATE, 6};
    CHECK(die_on_order(&die, &order));
    die_begin(&die, true);
    CHECK(feed(askew, 400));
    while (die.outbox.count > 1)
        (void)next_report();
    struct air_report report = next_report();
    CHECK_EQUAL(report.state, PROTOCOL_STATE_SETTLED);
    CHECK_EQUAL(report.face, 6);
    CHECK_EQUAL(report.angle_deg, 0);
    start(6);
    CHECK_EQUAL(faces_look(&die.faces, &askew).face, 6);
    CHECK_EQUAL(faces_look(&die.faces, &askew).angle, 0);
}

void a_d4_rejects_a_fifth_face(void)
{
    const struct air_order order = {2, 0, AIR_COMMAND_CALIBRATE, 5};
    start(4);
    CHECK(!die_on_order(&die, &order));
    CHECK_EQUAL(die.calibrating, 0);
}

void a_die_without_an_identity_does_not_transmit(void)
{
    start(0);
    throw();
    rest_on(2);
    for (int i = 0; i < 100; i++)
        die_tick(&die, die_sleep_s(&die), now_ms += 8000);
    CHECK(die.outbox.count <= OUTBOX_SIZE);
}

void a_lamp_switches_off_by_itself(void)
{
    const struct air_order on = {2, 0, AIR_COMMAND_LED, 1};
    const struct air_order off = {2, 1, AIR_COMMAND_LED, 0};
    start(4);
    CHECK(!die_on_order(&die, &on));
    CHECK(die.lamp_s > 0);
    (void)die_on_order(&die, &off);
    CHECK_EQUAL(die.lamp_s, 0);
    (void)die_on_order(&die, &on);
    for (int i = 0; i < DIE_LAMP_S; i++) {
        CHECK_EQUAL(die_sleep_s(&die), AIR_POLL_S);
        die_tick(&die, AIR_POLL_S, now_ms);
    }
    CHECK_EQUAL(die.lamp_s, 0);
}

void a_die_at_rest_polls_for_ten_seconds_then_sends_slow_heartbeats(void)
{
    int polls = 0, beats = 0;
    memset(memory, 0xFF, sizeof memory);
    start(4);
    rest_on(1);
    for (; die_sleep_s(&die) == AIR_POLL_S && polls < 100; polls++) {
        die_tick(&die, AIR_POLL_S, now_ms += AIR_POLL_S * 1000UL);
        CHECK_EQUAL(next_report().number, die.outbox.last.number);
    }
    CHECK_EQUAL(polls, AIR_POLLS);
    for (int s = 0; s < 3600; s += AIR_WAKE_S) {
        die_tick(&die, AIR_WAKE_S, now_ms += AIR_WAKE_S * 1000UL);
        if (die.outbox.count) {
            CHECK_EQUAL(next_report().number, die.outbox.last.number);
            beats++;
        }
    }
    CHECK_EQUAL(beats, 3600 / AIR_WAKE_S / AIR_WAKES_PER_HEARTBEAT);
}

void a_change_of_the_voltage_is_reported(void)
{
    memset(memory, 0xFF, sizeof memory);
    start(4);
    rest_on(1);
    uint32_t number = die.outbox.last.number;
    die.battery_mv = 3850;
    die_tick(&die, AIR_POLL_S, now_ms);
    CHECK_EQUAL(next_report().number, number);
    die.battery_mv = 3800;
    die_tick(&die, AIR_POLL_S, now_ms);
    struct air_report report = next_report();
    CHECK_EQUAL(report.number, number + 1);
    CHECK_EQUAL(report.battery_mv, 3800);
    CHECK_EQUAL(report.state, PROTOCOL_STATE_SETTLED);
}

void a_failed_accelerometer_and_its_recovery_are_reported_once(void)
{
    memset(memory, 0xFF, sizeof memory);
    start(4);
    rest_on(1);
    die_accel_failed(&die, now_ms);
    die_accel_failed(&die, now_ms);
    struct air_report report = next_report();
    CHECK_EQUAL(report.state, PROTOCOL_STATE_LOST);
    CHECK_EQUAL(report.fault, AIR_FAULT_ACCEL);
    CHECK_EQUAL(die.outbox.count, 0);
    die_accel_recovered(&die);
    die_begin(&die, true);
    CHECK(feed(up(1), 400));
    report = next_report();
    CHECK_EQUAL(report.state, PROTOCOL_STATE_SETTLED);
    CHECK_EQUAL(report.fault, AIR_FAULT_CAL);
}

void a_turn_during_sleep_is_detected(void)
{
    start(4);
    rest_on(1);
    struct vector now = up(1);
    CHECK(!die_is_stirred(&die, &now));
    now.y = (int16_t)(now.y + 200);
    CHECK(die_is_stirred(&die, &now));
}

void no_report_is_lost_without_the_hub(void)
{
    memset(memory, 0xFF, sizeof memory);
    start(4);
    rest_on(1);
    throw();
    for (int i = 0; i < 500; i++) { /* more than half an hour without an acknowledgement */
        while (outbox_is_urgent(&die.outbox))
            outbox_unacknowledged(&die.outbox, now_ms, 0);
        die_tick(&die, die_sleep_s(&die), now_ms += die_sleep_s(&die) * 1000UL);
    }
    CHECK_EQUAL(die.outbox.count, 2);
    CHECK_EQUAL(next_report().state, PROTOCOL_STATE_ROLLING);
    CHECK_EQUAL(next_report().state, PROTOCOL_STATE_SETTLED);
    CHECK_EQUAL(die.outbox.dropped, 0);
}

/* The number of transmissions in some seconds of sleep, without a hub. */
static int unacknowledged_bursts(int seconds)
{
    int bursts = 0;
    while (seconds > 0) {
        uint8_t sleep_s = die_sleep_s(&die);
        seconds -= sleep_s;
        die_tick(&die, sleep_s, now_ms += sleep_s * 1000UL);
        for (; outbox_is_urgent(&die.outbox); bursts++)
            outbox_unacknowledged(&die.outbox, now_ms, 0);
    }
    return bursts;
}

void a_die_without_a_hub_saves_energy(void)
{
    memset(memory, 0xFF, sizeof memory);
    start(4);
    rest_on(1);
    throw();
    CHECK_EQUAL(unacknowledged_bursts(AIR_POLLS * AIR_POLL_S), AIR_POLLS * AIR_BURSTS_AWAKE);
    int beats = 3600 / AIR_WAKE_S / AIR_WAKES_PER_HEARTBEAT;
    CHECK(unacknowledged_bursts(3600) <= beats);
    CHECK(unacknowledged_bursts(3600) >= beats - 1);
    throw(); /* and a throw is sent at once, with all retries */
    CHECK(outbox_is_due(&die.outbox, now_ms));
    CHECK_EQUAL(die.outbox.bursts, 0);
}

void a_die_in_a_bag_is_reported_once(void)
{
    memset(memory, 0xFF, sizeof memory);
    start(4);
    rest_on(1);
    die_begin(&die, false);
    for (int look = 0; look < 5; look++) {
        for (int i = 0; i < 40; i++) {
            CHECK(!feed(vector_scaled(&die.faces.up[2], (int16_t)(700 + 15 * i)), 25));
            CHECK(!feed(up(2), 25));
        }
        die_look_again(&die);
    }
    CHECK_EQUAL(die.outbox.count, 1);
    CHECK_EQUAL(next_report().state, PROTOCOL_STATE_HANDLED);
    CHECK(feed(up(3), 400));
    CHECK_EQUAL(next_report().state, PROTOCOL_STATE_SETTLED);
}
