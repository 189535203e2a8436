/* The hub: the lines that it sends, repeats and keeps, and the commands that it forwards. */
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "hub.h"
#include "tests.h"

static struct hub hub;
static char line[PROTOCOL_MAX_LINE_BYTES + 1];

static void start(void)
{
    const struct identity identity = {.role = 'H', .set = 7, .hub_id = 0x5F3A};
    hub_start(&hub, &identity, "1.0.0", SERIAL_NO_ERROR, 0);
}

/* The body of the next line, between $ and *; empty if there is none. */
static const char *next_line(uint32_t now_ms)
{
    uint8_t size = hub_next_line(&hub, line, now_ms);
    line[size] = '\0';
    char *star = strrchr(line, '*');
    if (star)
        *star = '\0';
    return size ? line + 1 : "";
}

static uint8_t starts = 3;
static uint8_t face = 3;

static uint8_t receive(uint8_t die, uint8_t seq, uint8_t state, uint32_t now_ms)
{
    const struct air_report report = {
        .die = die, .kind = 4, .starts = starts, .number = seq, .state = state, .face = face, .angle_deg = 2,
        .tumbles = 6, .fall_ms = 180, .throws = 41, .battery_mv = 3870, .age_ms = 20};
    uint8_t frame[AIR_REPORT_BYTES];
    air_report_pack(frame, &report, 7);
    return hub_on_frame(&hub, frame, now_ms);
}

static void command(uint8_t type, uint16_t seq, uint8_t die, uint16_t value, uint32_t now_ms)
{
    const struct serial_command it = {type, seq, die, value};
    hub_on_command(&hub, &it, now_ms);
}

void a_hub_sends_its_greeting_at_the_start_and_every_second(void)
{
    start();
    CHECK_TEXT(next_line(0), "HUB,proto=1,fw=1.0.0,id=5F3A,dice=0,t=0,drop=0");
    CHECK_TEXT(next_line(999), "");
    CHECK_TEXT(next_line(1003), "HUB,proto=1,fw=1.0.0,id=5F3A,dice=0,t=1003,drop=0");
    CHECK_TEXT(next_line(2002), "");
    hub.error = PROTOCOL_ERROR_RADIO;
    CHECK_TEXT(next_line(2003), "HUB,proto=1,fw=1.0.0,id=5F3A,dice=0,t=2003,drop=0,err=radio");
}

void a_report_has_the_time_at_which_it_happened(void)
{
    start();
    (void)next_line(0);
    CHECK_EQUAL(receive(2, 1, PROTOCOL_STATE_SETTLED, 520), 2);
    CHECK_TEXT(next_line(521), "DIE,seq=0,die=2,st=settled,n=41,kind=4,face=3,ang=2,tum=6,ff=180,"
                          "bat=3870,t=500");
    CHECK_EQUAL(receive(2, 2, PROTOCOL_STATE_ROLLING, 600), 2);
    CHECK_TEXT(next_line(600), "DIE,seq=1,die=2,st=rolling,n=41,bat=3870,t=580");
    CHECK_EQUAL(receive(2, 3, PROTOCOL_STATE_COCKED, 610), 2);
    CHECK_TEXT(next_line(610), "DIE,seq=2,die=2,st=cocked,n=41,ang=2,bat=3870,t=590");
    CHECK_EQUAL(receive(2, 4, PROTOCOL_STATE_HANDLED, 620), 2);
    CHECK_TEXT(next_line(620), "DIE,seq=3,die=2,st=handled,n=41,bat=3870,t=600");
}

void a_report_is_repeated_until_it_is_acknowledged(void)
{
    start();
    (void)next_line(0);
    (void)receive(2, 1, PROTOCOL_STATE_ROLLING, 20);
    CHECK_TEXT(next_line(20), "DIE,seq=0,die=2,st=rolling,n=41,bat=3870,t=0");
    CHECK_TEXT(next_line(169), "");
    CHECK_TEXT(next_line(170), "DIE,seq=0,die=2,st=rolling,n=41,bat=3870,t=0");
    command(PROTOCOL_TYPE_ACK, 5, 0, 0, 180);
    CHECK(*next_line(320) != '\0');
    command(PROTOCOL_TYPE_ACK, 0, 0, 0, 330);
    CHECK_TEXT(next_line(480), "");
}

void a_report_is_repeated_twenty_times_and_then_kept_for_requests(void)
{
    int times = 0;
    start();
    (void)next_line(0);
    (void)receive(2, 1, PROTOCOL_STATE_ROLLING, 20);
    for (uint32_t now_ms = 20; now_ms < 20000; now_ms++)
        times += strncmp(next_line(now_ms), "DIE", 3) == 0;
    CHECK_EQUAL(times, 1 + PROTOCOL_RESEND_LIMIT);
    CHECK_EQUAL(hub.dropped, 0);
    command(PROTOCOL_TYPE_ASK, 0, 0, 0, 20000);
    CHECK_TEXT(next_line(20000), "HUB,proto=1,fw=1.0.0,id=5F3A,dice=1,t=20000,drop=0");
    CHECK_TEXT(next_line(20000), "DIE,seq=0,die=2,st=rolling,n=41,bat=3870,t=0");
    CHECK_TEXT(next_line(20000), "");
}

void a_repeated_frame_is_reported_once(void)
{
    start();
    (void)next_line(0);
    for (uint32_t now_ms = 0; now_ms < 50; now_ms += 10)
        CHECK_EQUAL(receive(2, 1, PROTOCOL_STATE_ROLLING, now_ms), 2);
    CHECK_EQUAL(hub.waiting, 1);
    CHECK_EQUAL(receive(2, 2, PROTOCOL_STATE_SETTLED, 50), 2);
    CHECK_EQUAL(hub.waiting, 2);
}

static bool reports_a_twin(uint32_t now_ms)
{
    bool found = false;
    for (const char *text = next_line(now_ms); *text; text = next_line(now_ms))
        found |= strstr(text, ",err=twin") != NULL;
    hub.waiting = 0;
    return found;
}

void two_dice_with_one_number_are_detected(void)
{
    uint8_t seq = 250;
    start();
    for (starts = 3; starts < 6; starts++, seq = 0)
        for (int i = 0; i < 20; i++)
            CHECK_EQUAL(receive(2, seq++, PROTOCOL_STATE_SETTLED, 1000), 2);
    CHECK(!reports_a_twin(1000)); /* a single die: it restarts, and its numbers wrap */
    seq = 20;
    for (int i = 0; i < 2; i++, seq++) { /* as often started, but with fewer reports */
        starts = 5;
        (void)receive(2, seq, PROTOCOL_STATE_SETTLED, 2000);
        CHECK_EQUAL(reports_a_twin(2000), i > 0);
        (void)receive(2, (uint8_t)(seq - 9), PROTOCOL_STATE_SETTLED, 2000);
        CHECK(reports_a_twin(2000));
    }
    hub_tick(&hub, 2000 + AIR_LOST_S * 1000UL);
    (void)receive(2, seq, PROTOCOL_STATE_SETTLED, 200000);
    CHECK(!reports_a_twin(200000));
    starts = 200; /* another one, which was started at another time */
    (void)receive(2, 1, PROTOCOL_STATE_SETTLED, 200000);
    CHECK(!reports_a_twin(200000));
    starts = 5;
    (void)receive(2, ++seq, PROTOCOL_STATE_SETTLED, 200000);
    CHECK(reports_a_twin(200000));
    hub_tick(&hub, 200000 + AIR_LOST_S * 1000UL);
    face = 4; /* by chance with the same numbers */
    (void)receive(2, seq, PROTOCOL_STATE_SETTLED, 400000);
    CHECK(reports_a_twin(400000));
    face = 3;
    starts = 3;
}

void a_voltage_is_forwarded_to_the_die(void)
{
    struct air_order order;
    start();
    command(PROTOCOL_TYPE_BAT, 0, 2, 3912, 0);
    command(PROTOCOL_TYPE_CAL, 0, 2, 1, 0);
    CHECK(hub_next_order(&hub, 2, &order));
    hub_order_sent(&hub, &order, true);
    CHECK(hub_next_order(&hub, 2, &order));
    CHECK_EQUAL(order.command, AIR_COMMAND_BATTERY);
    CHECK_EQUAL(order.argument, 3912);
    hub_order_sent(&hub, &order, true);
    CHECK(!hub_next_order(&hub, 2, &order));
}

void an_invalid_or_foreign_frame_is_counted(void)
{
    uint8_t frame[AIR_REPORT_BYTES] = {0};
    start();
    CHECK_EQUAL(hub_on_frame(&hub, frame, 0), 0);
    const struct air_report report = {.die = 1, .kind = 4};
    air_report_pack(frame, &report, 8);
    CHECK_EQUAL(hub_on_frame(&hub, frame, 0), 0);
    CHECK_EQUAL(hub.dropped, 2);
}

void a_silent_die_is_lost_and_found_again(void)
{
    start();
    (void)next_line(0);
    (void)receive(2, 1, PROTOCOL_STATE_ROLLING, 20);
    command(PROTOCOL_TYPE_ACK, 0, 0, 0, 20);
    hub_tick(&hub, 20 + AIR_LOST_S * 1000UL - 1);
    CHECK_EQUAL(hub.waiting, 0);
    uint32_t lost_ms = 20 + AIR_LOST_S * 1000UL;
    hub_tick(&hub, lost_ms);
    hub_tick(&hub, lost_ms + 1);
    hub.greet_ms = lost_ms + 1000;
    CHECK_TEXT(next_line(lost_ms), "DIE,seq=1,die=2,st=lost,t=110020");
    command(PROTOCOL_TYPE_ACK, 1, 0, 0, lost_ms);
    command(PROTOCOL_TYPE_ASK, 0, 0, 0, lost_ms);
    CHECK_TEXT(next_line(lost_ms), "HUB,proto=1,fw=1.0.0,id=5F3A,dice=0,t=110020,drop=0");
    CHECK_TEXT(next_line(lost_ms), "DIE,seq=0,die=2,st=rolling,n=41,bat=3870,t=0");
    CHECK_TEXT(next_line(lost_ms), "DIE,seq=1,die=2,st=lost,t=110020");
    CHECK_TEXT(next_line(lost_ms), "");
    (void)receive(2, 1, PROTOCOL_STATE_ROLLING, lost_ms + 5);
    CHECK_TEXT(next_line(lost_ms + 5), "DIE,seq=2,die=2,st=found,t=110025");
    CHECK_TEXT(next_line(lost_ms + 5), "");
    command(PROTOCOL_TYPE_ASK, 0, 0, 0, lost_ms + 6);
    (void)next_line(lost_ms + 6);
    CHECK_TEXT(next_line(lost_ms + 6), "DIE,seq=0,die=2,st=rolling,n=41,bat=3870,t=0");
}

void a_failed_accelerometer_is_reported(void)
{
    start();
    (void)next_line(0);
    const struct air_report report = {.die = 5, .kind = 6, .state = PROTOCOL_STATE_LOST,
                                      .fault = AIR_FAULT_ACCEL, .battery_mv = 3900};
    uint8_t frame[AIR_REPORT_BYTES];
    air_report_pack(frame, &report, 7);
    (void)hub_on_frame(&hub, frame, 9);
    CHECK_TEXT(next_line(9), "DIE,seq=0,die=5,st=lost,n=0,bat=3900,err=accel,t=9");
}

void a_full_queue_keeps_the_last_report_of_each_die_and_counts_the_others(void)
{
    start();
    (void)next_line(0);
    for (uint8_t seq = 0; seq < 20; seq++)
        for (uint8_t die = 1; die <= HUB_DICE; die++)
            (void)receive(die, seq,
                          seq == 19 ? PROTOCOL_STATE_SETTLED : PROTOCOL_STATE_ROLLING, 50);
    CHECK_EQUAL(hub.waiting, HUB_QUEUE);
    CHECK_EQUAL(hub.dropped, 20 * HUB_DICE - HUB_QUEUE);
    int settled = 0;
    for (int i = 0; i < HUB_QUEUE; i++)
        settled += strstr(next_line(60), "st=settled") != NULL;
    CHECK_EQUAL(settled, HUB_DICE);
    hub_drop(&hub, UINT16_MAX);
    CHECK_EQUAL(hub.dropped, UINT16_MAX);
}

void commands_wait_for_their_die(void)
{
    struct air_order order;
    start();
    CHECK(!hub_next_order(&hub, 3, &order));
    command(PROTOCOL_TYPE_LED, 0, 3, 1, 0);
    command(PROTOCOL_TYPE_LED, 0, 3, 0, 5); /* the later command replaces the first */
    command(PROTOCOL_TYPE_CAL, 0, 3, 4, 5);
    CHECK(!hub_next_order(&hub, 2, &order));
    CHECK(hub_next_order(&hub, 3, &order));
    CHECK_EQUAL(order.command, AIR_COMMAND_LED);
    CHECK_EQUAL(order.argument, 0);
    hub_order_sent(&hub, &order, false);
    CHECK(hub_next_order(&hub, 3, &order));
    hub_order_sent(&hub, &order, true);
    CHECK(hub_next_order(&hub, 3, &order));
    CHECK_EQUAL(order.command, AIR_COMMAND_CALIBRATE);
    CHECK_EQUAL(order.argument, 4);
    hub_order_sent(&hub, &order, true);
    CHECK(!hub_next_order(&hub, 3, &order));
    CHECK_EQUAL(hub.dropped, 0);
}

void commands_not_fetched_are_dropped_and_counted(void)
{
    struct air_order order;
    start();
    command(PROTOCOL_TYPE_LED, 0, 3, 1, 0);
    command(PROTOCOL_TYPE_CAL, 0, 3, 4, 0);
    hub_tick(&hub, AIR_COMMAND_LIFE_S * 1000UL - 1);
    CHECK(hub_next_order(&hub, 3, &order));
    hub_tick(&hub, AIR_COMMAND_LIFE_S * 1000UL);
    CHECK(!hub_next_order(&hub, 3, &order));
    CHECK_EQUAL(hub.dropped, 2);
    command(PROTOCOL_TYPE_LED, 0, 4, 1, 0);
    for (int i = 0; i < AIR_COMMAND_TRIES; i++) {
        CHECK(hub_next_order(&hub, 4, &order));
        hub_order_sent(&hub, &order, false);
    }
    CHECK(!hub_next_order(&hub, 4, &order));
    CHECK_EQUAL(hub.dropped, 3);
}

void the_clock_may_wrap_at_any_time(void)
{
    const struct identity identity = {.role = 'H', .set = 7, .hub_id = 0x5F3A};
    uint32_t now_ms = UINT32_MAX - 300;
    int times = 0, greetings = 0;
    hub_start(&hub, &identity, "1.0.0", SERIAL_NO_ERROR, now_ms);
    hub.next_seq = UINT16_MAX;
    (void)receive(2, 1, PROTOCOL_STATE_ROLLING, now_ms);
    (void)receive(2, 2, PROTOCOL_STATE_SETTLED, now_ms);
    CHECK_EQUAL(hub.queue[0].report.seq, UINT16_MAX);
    CHECK_EQUAL(hub.queue[1].report.seq, 0);
    for (int i = 0; i < 4000; i++, now_ms++) {
        const char *text;
        hub_tick(&hub, now_ms);
        while (*(text = next_line(now_ms))) {
            times += strncmp(text, "DIE", 3) == 0;
            greetings += strncmp(text, "HUB", 3) == 0;
        }
    }
    CHECK_EQUAL(greetings, 4);
    CHECK_EQUAL(times, 2 * (1 + PROTOCOL_RESEND_LIMIT));
    CHECK_EQUAL(hub.dice[1].lost, false);
}

void the_lamp_flashes_with_a_frame_and_then_stays_dark(void)
{
    start();
    CHECK(!hub_is_lit(&hub));
    (void)receive(2, 1, PROTOCOL_STATE_ROLLING, 1000);
    hub_tick(&hub, 1000 + HUB_FLASH_MS - 1);
    CHECK(hub_is_lit(&hub));
    hub_tick(&hub, 1000 + HUB_FLASH_MS);
    CHECK(!hub_is_lit(&hub));
    hub_tick(&hub, 1000 + HUB_FLASH_MS + 0x80000000UL); /* 25 days: half of the clock's round */
    CHECK(!hub_is_lit(&hub));
    hub.error = PROTOCOL_ERROR_RADIO;
    CHECK(hub_is_lit(&hub));
}
