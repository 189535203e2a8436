#include "outbox.h"

#include <string.h>

#include "protocol.h"

void outbox_start(struct outbox *box, uint32_t first_number)
{
    memset(box, 0, sizeof *box);
    box->next_number = first_number;
}

bool outbox_is_superseded(const struct air_report *report)
{
    return report->state == PROTOCOL_STATE_ROLLING || report->state == PROTOCOL_STATE_HANDLED;
}

static void remove_at(struct outbox *box, uint8_t at)
{
    box->count--;
    for (uint8_t i = at; i < box->count; i++) {
        box->reports[i] = box->reports[i + 1];
        box->born_ms[i] = box->born_ms[i + 1];
    }
}

/* The first report can be in transmission, and its acknowledgement removes the first report. */
static void make_room(struct outbox *box)
{
    uint8_t at = 1;
    while (at < box->count && !outbox_is_superseded(&box->reports[at]))
        at++;
    remove_at(box, at < box->count ? at : 1);
    if (box->dropped < UINT16_MAX)
        box->dropped++;
}

static void add_last(struct outbox *box, uint32_t now_ms)
{
    box->reports[box->count] = box->last;
    box->born_ms[box->count++] = now_ms;
}

void outbox_put(struct outbox *box, const struct air_report *report, uint32_t now_ms)
{
    if (box->count == OUTBOX_SIZE)
        make_room(box);
    /* A burst that is waiting keeps its time, or frequent reports would undo the back-off. */
    if (!outbox_is_urgent(box))
        outbox_wake(box, now_ms);
    box->last = *report;
    box->last.number = box->next_number++;
    add_last(box, now_ms);
}

void outbox_repeat(struct outbox *box, uint32_t now_ms)
{
    outbox_wake(box, now_ms);
    add_last(box, now_ms);
}

bool outbox_is_urgent(const struct outbox *box)
{
    return box->count && box->bursts < AIR_BURSTS_AWAKE;
}

bool outbox_is_due(const struct outbox *box, uint32_t now_ms)
{
    return outbox_is_urgent(box) && (int32_t)(now_ms - box->due_ms) >= 0;
}

struct air_report outbox_front(const struct outbox *box, uint32_t now_ms)
{
    struct air_report report = box->reports[0];
    uint32_t age_ms = now_ms - box->born_ms[0];
    report.age_ms = age_ms < UINT16_MAX ? (uint16_t)age_ms : UINT16_MAX;
    return report;
}

void outbox_acknowledged(struct outbox *box, uint32_t now_ms)
{
    remove_at(box, 0);
    outbox_wake(box, now_ms);
}

/* Doubles with each burst. The random wait below it separates dice that were thrown together. */
static uint16_t wait_limit(uint8_t bursts)
{
    uint16_t limit = AIR_BACKOFF_FIRST_MS;
    while (--bursts && limit < AIR_BACKOFF_LAST_MS)
        limit = (uint16_t)(limit * 2);
    return limit;
}

void outbox_unacknowledged(struct outbox *box, uint32_t now_ms, uint16_t random)
{
    box->bursts++;
    box->due_ms = now_ms + 1 + random % wait_limit(box->bursts);
}

void outbox_wake(struct outbox *box, uint32_t now_ms)
{
    box->bursts = 0;
    box->due_ms = now_ms;
}

void outbox_try_once(struct outbox *box, uint32_t now_ms)
{
    box->bursts = AIR_BURSTS_AWAKE - 1;
    box->due_ms = now_ms;
}
