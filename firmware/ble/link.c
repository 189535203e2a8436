#include "link.h"

#include "advert.h"
#include "chance.h"
#include "radio.h"

static uint8_t pdu[ADVERT_BYTES];
static const struct identity *own;
static uint16_t chance;
static uint32_t next_ms; /* when the next advertisement may be sent */

/* The report that is being sent. */
static struct {
    bool begun, again; /* again: it was sent before, as a new one */
    uint8_t times;
    uint32_t since_ms;
} now_sent;
static bool has_sent;
static uint32_t last_number;

void link_start(const struct identity *identity, uint16_t starts)
{
    own = identity;
    /* Different for every die and start, and never 0, which the generator cannot leave. */
    chance = (uint16_t)(identity->number << 12 | (starts & 0xFFU) << 4 | 1U);
    radio_start();
}

static void send(const uint8_t *frame, const struct vector *rest)
{
    advert_pack(pdu, frame, rest);
    (void)radio_advertise(pdu);
}

void link_announce(uint16_t battery_mv)
{
    static const struct vector unknown;
    uint8_t frame[AIR_REPORT_BYTES];
    advert_new_die(frame, battery_mv);
    send(frame, &unknown);
}

static void send_report(const struct die *die, const struct air_report *report)
{
    uint8_t frame[AIR_REPORT_BYTES];
    if (own->has_key)
        air_report_sign(frame, report, own);
    else
        air_report_pack(frame, report, own->set);
    send(frame, &die->settling.mean);
}

static bool is_done(const struct die *die, const struct air_report *report, uint32_t now_ms)
{
    if (now_sent.again)
        return now_sent.times >= LINK_SIGNS;
    if (die->outbox.count > 1 && (outbox_is_superseded(report) || now_sent.times >= LINK_ENOUGH))
        return true;
    return now_ms - now_sent.since_ms >= LINK_REPEAT_MS;
}

static void begin(const struct air_report *report, uint32_t now_ms)
{
    now_sent.begun = true;
    now_sent.again = has_sent && report->number == last_number;
    now_sent.times = 0;
    now_sent.since_ms = now_ms;
    has_sent = true;
    last_number = report->number;
}

bool link_is_busy(const struct die *die, uint32_t *due_ms)
{
    *due_ms = next_ms;
    return die->outbox.count > 0;
}

void link_step(struct die *die, uint32_t now_ms)
{
    while (die->outbox.count && (int32_t)(now_ms - next_ms) >= 0) {
        struct air_report report = outbox_front(&die->outbox, now_ms);
        if (!now_sent.begun)
            begin(&report, now_ms);
        if (is_done(die, &report, now_ms)) {
            outbox_acknowledged(&die->outbox, now_ms);
            now_sent.begun = false;
            continue;
        }
        send_report(die, &report);
        now_sent.times++;
        /* The millisecond that has begun does not count. */
        next_ms = now_ms + 1 + LINK_INTERVAL_MS + chance_next(&chance) % (LINK_DELAY_MS + 1U);
    }
}
