/* The transmission of a die's reports, and their reception by the hub over a bad radio link. */
#include <string.h>

#include "check.h"
#include "hub.h"
#include "outbox.h"
#include "tests.h"

static struct air_report report(uint8_t state, uint16_t throws)
{
    return (struct air_report){.die = 1, .kind = 4, .state = state, .throws = throws,
                               .face = state == PROTOCOL_STATE_SETTLED};
}

static void put(struct outbox *box, uint8_t state, uint16_t throws, uint32_t now_ms)
{
    struct air_report one = report(state, throws);
    outbox_put(box, &one, now_ms);
}

void reports_are_sent_in_order_with_their_age(void)
{
    struct outbox box;
    outbox_start(&box, 250);
    for (uint16_t i = 0; i < OUTBOX_SIZE; i++)
        put(&box, PROTOCOL_STATE_SETTLED, i, 1000 + i);
    for (uint16_t i = 0; i < OUTBOX_SIZE; i++) {
        struct air_report front = outbox_front(&box, 1100);
        CHECK(outbox_is_due(&box, 1100));
        CHECK_EQUAL(front.throws, i);
        CHECK_EQUAL(front.number, 250 + i);
        CHECK_EQUAL(front.age_ms, 100 - i);
        outbox_acknowledged(&box, 1100);
    }
    CHECK(!outbox_is_due(&box, 1100));
    CHECK(!outbox_is_urgent(&box));
}

void an_age_saturates(void)
{
    struct outbox box;
    outbox_start(&box, 0);
    put(&box, PROTOCOL_STATE_SETTLED, 1, 0);
    CHECK_EQUAL(outbox_front(&box, 65535).age_ms, 65535);
    CHECK_EQUAL(outbox_front(&box, 10000000).age_ms, 65535);
}

void waits_grow_to_a_limit_and_end(void)
{
    struct outbox box;
    uint32_t now_ms = UINT32_MAX - 500; /* across the clock's wrap */
    uint32_t longest = 0;
    outbox_start(&box, 0);
    put(&box, PROTOCOL_STATE_SETTLED, 1, now_ms);
    for (int burst = 0; burst < AIR_BURSTS_AWAKE; burst++) {
        CHECK(outbox_is_due(&box, now_ms));
        outbox_unacknowledged(&box, now_ms, 0xFFFF);
        CHECK(!outbox_is_due(&box, now_ms));
        uint32_t wait = box.due_ms - now_ms;
        CHECK(wait <= AIR_BACKOFF_LAST_MS);
        CHECK(burst > 0 || wait <= AIR_BACKOFF_FIRST_MS);
        longest = wait > longest ? wait : longest;
        now_ms = box.due_ms;
    }
    CHECK_EQUAL(longest, AIR_BACKOFF_LAST_MS);
    CHECK(!outbox_is_urgent(&box)); /* so the die can sleep; nothing is lost */
    outbox_wake(&box, now_ms);
    CHECK(outbox_is_due(&box, now_ms));
}

void an_outbox_that_gave_up_sends_a_new_report(void)
{
    struct outbox box;
    outbox_start(&box, 0);
    put(&box, PROTOCOL_STATE_SETTLED, 1, 0);
    while (outbox_is_urgent(&box))
        outbox_unacknowledged(&box, 0, 0);
    put(&box, PROTOCOL_STATE_ROLLING, 2, 5000);
    CHECK(outbox_is_due(&box, 5000));
    outbox_unacknowledged(&box, 5000, 3);
    uint32_t due_ms = box.due_ms;
    put(&box, PROTOCOL_STATE_SETTLED, 2, 5001);
    CHECK_EQUAL(box.due_ms, due_ms); /* an outbox that is sending keeps its waits */
    CHECK_EQUAL(box.bursts, 1);
}

void a_full_outbox_drops_outdated_reports(void)
{
    struct outbox box;
    outbox_start(&box, 0);
    put(&box, PROTOCOL_STATE_ROLLING, 1, 0);
    for (uint16_t throws = 1; throws <= 10; throws++) {
        put(&box, PROTOCOL_STATE_SETTLED, throws, 0);
        put(&box, PROTOCOL_STATE_ROLLING, (uint16_t)(throws + 1), 0);
    }
    CHECK_EQUAL(box.count, OUTBOX_SIZE);
    CHECK_EQUAL(box.dropped, 21 - OUTBOX_SIZE);
    /* the first may be in transmission, the last is the newest; in between only throws are kept */
    CHECK_EQUAL(box.reports[0].state, PROTOCOL_STATE_ROLLING);
    for (int i = 1; i < OUTBOX_SIZE - 1; i++)
        CHECK_EQUAL(box.reports[i].state, PROTOCOL_STATE_SETTLED);
    CHECK_EQUAL(box.reports[OUTBOX_SIZE - 1].throws, 11);
}

void a_heartbeat_has_the_number_of_the_last_report(void)
{
    struct outbox box;
    outbox_start(&box, 5);
    put(&box, PROTOCOL_STATE_SETTLED, 1, 0);
    uint32_t number = outbox_front(&box, 0).number;
    outbox_acknowledged(&box, 0);
    outbox_repeat(&box, 30000);
    CHECK_EQUAL(outbox_front(&box, 30000).number, number);
    CHECK_EQUAL(outbox_front(&box, 30000).age_ms, 0);
}

/* --- four dice, one hub, and a radio link that loses frames and acknowledgements --- */

enum { DICE = 4, THROWS = 2000 };

static struct hub hub;
static struct outbox boxes[DICE];
static uint16_t reported[DICE][THROWS + 1];

/* Parses n of a settled line, and counts it for its die. */
static void count_line(const char *line)
{
    const char *n = strstr(line, ",n=");
    const char *die = strstr(line, ",die=");
    if (!strstr(line, ",st=settled,") || !n || !die)
        return;
    unsigned throws = 0;
    for (n += 3; *n >= '0' && *n <= '9'; n++)
        throws = throws * 10 + (unsigned)(*n - '0');
    reported[die[5] - '1'][throws]++;
}

/* The Pi receives every line and acknowledges every second one. It drops repeated lines by their
 * seq, like urpi/hardware/hub_link.py. */
static void read_lines(uint32_t now_ms, bool *received)
{
    char line[PROTOCOL_MAX_LINE_BYTES + 1];
    uint8_t size;
    while ((size = hub_next_line(&hub, line, now_ms)) != 0) {
        line[size] = '\0';
        if (strncmp(line, "$DIE,seq=", 9) != 0)
            continue;
        uint16_t seq = 0;
        for (const char *at = line + 9; *at != ','; at++)
            seq = (uint16_t)(seq * 10 + (*at - '0'));
        if (!received[seq])
            count_line(line);
        received[seq] = true;
        struct serial_command ack = {.type = PROTOCOL_TYPE_ACK, .seq = seq};
        if (check_random(2))
            hub_on_command(&hub, &ack, now_ms);
    }
}

static void send_burst(struct outbox *box, uint32_t now_ms)
{
    uint8_t frame[AIR_REPORT_BYTES];
    struct air_report front = outbox_front(box, now_ms);
    air_report_pack(frame, &front, 7);
    for (int i = 0; i <= AIR_RETRY_COUNT; i++) {
        if (check_random(2))
            continue;
        (void)hub_on_frame(&hub, frame, now_ms);
        if (check_random(2)) {
            outbox_acknowledged(box, now_ms);
            return;
        }
    }
    outbox_unacknowledged(box, now_ms, (uint16_t)check_random(65536));
}

void no_throw_is_lost_or_repeated_when_every_second_frame_is_lost(void)
{
    const struct identity identity = {.role = 'H', .set = 7};
    static bool received[65536];
    uint16_t thrown[DICE] = {0};
    uint32_t next_ms[DICE] = {0};
    hub_start(&hub, &identity, "1.0.0", SERIAL_NO_ERROR, 0);
    for (int die = 0; die < DICE; die++)
        outbox_start(&boxes[die], (uint8_t)check_random(256));
    for (uint32_t now_ms = 0; now_ms < THROWS * 400UL + 20000; now_ms++) {
        for (int die = 0; die < DICE; die++) {
            if (thrown[die] < THROWS && now_ms >= next_ms[die]) {
                struct air_report one = report(PROTOCOL_STATE_SETTLED, ++thrown[die]);
                one.die = (uint8_t)(die + 1);
                outbox_put(&boxes[die], &one, now_ms);
                next_ms[die] = now_ms + 300 + check_random(100);
            }
            if (outbox_is_due(&boxes[die], now_ms))
                send_burst(&boxes[die], now_ms);
            else if (!outbox_is_urgent(&boxes[die]))
                outbox_wake(&boxes[die], now_ms);
        }
        read_lines(now_ms, received);
    }
    for (int die = 0; die < DICE; die++) {
        CHECK_EQUAL(thrown[die], THROWS);
        CHECK_EQUAL(boxes[die].dropped, 0);
        for (int throws = 1; throws <= THROWS; throws++)
            CHECK_EQUAL(reported[die][throws], 1);
    }
    CHECK_EQUAL(hub.dropped, 0);
}
