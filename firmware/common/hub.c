#include "hub.h"

#include <string.h>

enum { LAMP_OFF = 1, LAMP_ON = 2 };

static bool is_past(uint32_t now_ms, uint32_t due_ms)
{
    /* The signed difference is correct across the wrap of the 32-bit times, after 49.7 days. */
    return (int32_t)(now_ms - due_ms) >= 0;
}

void hub_start(struct hub *hub, const struct identity *identity, const char *firmware,
               uint8_t error, uint32_t now_ms)
{
    memset(hub, 0, sizeof *hub);
    hub->identity = *identity;
    hub->firmware = firmware;
    hub->error = error;
    hub->greet_ms = now_ms;
}

void hub_drop(struct hub *hub, uint16_t more)
{
    /* Saturating: a count that wraps to 0 would look like a hub without losses. */
    hub->dropped = more > UINT16_MAX - hub->dropped ? UINT16_MAX : (uint16_t)(hub->dropped + more);
}

/* --- the queue to the Pi --- */

static void remove_at(struct hub *hub, uint8_t at)
{
    hub->waiting--;
    for (uint8_t i = at; i < hub->waiting; i++)
        hub->queue[i] = hub->queue[i + 1];
}

static bool is_superseded(const struct hub *hub, uint8_t at)
{
    for (uint8_t i = (uint8_t)(at + 1); i < hub->waiting; i++)
        if (hub->queue[i].report.die == hub->queue[at].report.die)
            return true;
    return false;
}

/* Drops the oldest report that is superseded by a later one of the same die. There always is one,
 * because the queue has more places (10) than there are dice (8). */
static void make_room(struct hub *hub)
{
    uint8_t at = 0;
    while (at < hub->waiting - 1 && !is_superseded(hub, at))
        at++;
    remove_at(hub, at);
    hub_drop(hub, 1);
}

/* Numbers a report and queues it. */
static void queue_report(struct hub *hub, struct hub_report *report, uint32_t now_ms)
{
    if (hub->waiting == HUB_QUEUE)
        make_room(hub);
    report->seq = hub->next_seq++;
    hub->queue[hub->waiting++] =
        /* One transmission and its repeats. The low 16 bits of the time suffice: the wait is
         * short. */
        (struct hub_pending){*report, (uint16_t)now_ms, PROTOCOL_RESEND_LIMIT + 1};
}

/* Queues the hub's own report about a die, and returns its number. */
static uint16_t queue_own_report(struct hub *hub, const struct hub_die *die, uint8_t state,
                                 uint32_t now_ms)
{
    struct hub_report report = {
        .t_ms = now_ms, .die = (uint8_t)(die - hub->dice + 1), .state = state};
    queue_report(hub, &report, now_ms);
    return report.seq;
}

/* --- from the air --- */

static uint8_t error_of(const struct air_report *report, bool twin, bool unsigned_here)
{
    if (report->fault == AIR_FAULT_ACCEL)
        return PROTOCOL_ERROR_ACCEL;
    if (twin)
        return PROTOCOL_ERROR_TWIN;
    if (report->fault == AIR_FAULT_CAL)
        return PROTOCOL_ERROR_CAL;
    if (unsigned_here)
        return PROTOCOL_ERROR_NOKEY;
    return report->restless ? PROTOCOL_ERROR_WAKES : SERIAL_NO_ERROR;
}

/* Converts a report. The time of one from before the hub's start is the start. */
static struct hub_report report_of(const struct air_report *report, uint8_t error, uint32_t now_ms)
{
    return (struct hub_report){
        .t_ms = report->age_ms < now_ms ? now_ms - report->age_ms : 0,
        .throws = report->throws,
        .fall_ms = report->fall_ms,
        .battery_mv = report->battery_mv,
        .die = report->die,
        .state = report->state,
        .kind = report->kind,
        .face = report->face,
        .angle_deg = report->angle_deg,
        .tumbles = report->tumbles,
        .verdict = report->verdict,
        .error = error,
    };
}

/* The number of starts distinguishes a repeat from the first report after a restart of the die,
 * whose numbers begin again. */
static bool is_repeat(const struct hub_die *die, const struct air_report *report)
{
    return die->known && die->starts == report->starts && die->seq == (uint8_t)report->number;
}

static bool differs(const struct hub_report *a, const struct air_report *b)
{
    return a->state != b->state || a->face != b->face || a->angle_deg != b->angle_deg ||
           a->throws != b->throws || a->battery_mv != b->battery_mv;
}

/* In dice without a key, these numbers are mod 256. */
static uint8_t seq_of(const struct air_report *report)
{
    return (uint8_t)report->number;
}

/* A die's numbers of starts and of reports only advance, and a repeated report is the same. Otherwise
 * there are two dice with this number, whose reports arrive in turn. */
static bool is_twins(const struct hub_die *die, const struct air_report *report)
{
    if (is_repeat(die, report))
        return differs(&die->last, report);
    if (die->starts != report->starts)
        return die->restarted && report->starts == die->starts_before;
    return die->known && (uint8_t)(seq_of(report) - die->seq) >= HUB_SEQ_BACK;
}

static void store_numbers(struct hub_die *die, const struct air_report *report)
{
    if (die->known && die->starts != report->starts) {
        die->starts_before = die->starts;
        die->restarted = true;
    }
    die->known = true;
    die->starts = report->starts;
    die->seq = seq_of(report);
}

void hub_set_number(struct hub *hub, uint8_t die, uint32_t number)
{
    hub->dice[die - 1].number = number;
}

uint8_t hub_next_unstored(struct hub *hub, uint32_t *number)
{
    for (uint8_t i = 0; i < HUB_DICE; i++)
        if (hub->dice[i].unstored) {
            hub->dice[i].unstored = false;
            *number = hub->dice[i].number;
            return (uint8_t)(i + 1);
        }
    return 0;
}

static void end_renewal(struct hub *hub, uint8_t die)
{
    if (hub->renewed == die)
        hub->renewed = 0;
}

/* Returns whether a report is genuine as far as the hub can determine, and stores its number. A die
 * that has signed a report with the hub's key must always do so, and its numbers never go back. */
static bool is_genuine(struct hub *hub, const struct air_report *report, const uint8_t *frame)
{
    struct hub_die *die = &hub->dice[report->die - 1];
    bool is_signed = air_report_is_signed(frame);
    if (is_signed) {
        if (!hub->identity.has_key || !air_report_is_genuine(frame, &hub->identity))
            return false;
        if (report->number < die->number) {
            hub->is_behind = report->die == hub->renewed;
            hub->behind_number = report->number;
            return false;
        }
        /* Rolling dice are not worth a write; the first report is, so that it must sign from now on. */
        bool ends = report->state == PROTOCOL_STATE_SETTLED || report->state == PROTOCOL_STATE_COCKED;
        die->unstored |= report->number > die->number && (ends || !die->number);
        if (report->number > die->number)
            end_renewal(hub, report->die);
        die->number = report->number;
    } else if (die->number) {
        return false;
    } else {
        end_renewal(hub, report->die);
    }
    die->is_signed = is_signed;
    return true;
}

static bool unpack(struct hub *hub, struct air_report *report, const uint8_t *frame,
                   uint32_t now_ms)
{
    bool is_signed = air_report_is_signed(frame);
    if (!(is_signed ? air_report_unpack_signed(report, frame)
                    : air_report_unpack(report, frame, hub->identity.set)))
        return false;
    if (is_genuine(hub, report, frame))
        return true;
    hub->has_rejected = true;
    hub->rejected_ms = now_ms;
    return false;
}

uint8_t hub_on_frame(struct hub *hub, const uint8_t *frame, uint32_t now_ms)
{
    struct air_report report;
    hub->flashes = true;
    hub->flash_ms = now_ms + HUB_FLASH_MS;
    hub->is_behind = false;
    if (!unpack(hub, &report, frame, now_ms)) {
        hub_drop(hub, 1);
        return hub->is_behind ? hub->renewed : 0;
    }
    struct hub_die *die = &hub->dice[report.die - 1];
    /* Evaluated before the numbers are stored, which the comparisons need as they were. */
    bool was_lost = die->lost;
    bool twins = is_twins(die, &report);
    bool repeat = is_repeat(die, &report) && !twins;
    die->received_ms = now_ms;
    die->lost = false;
    /* Before its report, so that the Pi learns first that the die is available again. */
    if (was_lost)
        queue_own_report(hub, die, PROTOCOL_STATE_FOUND, now_ms);
    /* A repeat is the die's heartbeat, or its acknowledgement was lost: the Pi has the report. */
    if (repeat)
        return report.die;
    if (twins) {
        die->twin = true;
        die->twin_ms = now_ms;
    }
    store_numbers(die, &report);
    bool unsigned_here = hub->identity.has_key && !die->is_signed;
    die->last = report_of(&report, error_of(&report, die->twin, unsigned_here), now_ms);
    queue_report(hub, &die->last, now_ms);
    return report.die;
}

/* --- from the Pi --- */

static void acknowledge(struct hub *hub, uint16_t seq)
{
    for (uint8_t i = 0; i < hub->waiting; i++)
        if (hub->queue[i].report.seq == seq) {
            remove_at(hub, i);
            return;
        }
}

static void store_order(struct hub_die *die, const struct serial_command *command, uint32_t now_ms)
{
    if (command->type == PROTOCOL_TYPE_LED)
        die->lamp = command->value ? LAMP_ON : LAMP_OFF;
    else if (command->type == PROTOCOL_TYPE_BAT)
        die->cell_mv = command->value;
    else
        die->calibrate = (uint8_t)command->value;
    die->ordered_ms = now_ms;
    die->tries = 0;
}

static void resend_all(struct hub *hub)
{
    for (struct hub_die *die = hub->dice; die < hub->dice + HUB_DICE; die++) {
        /* Sent by `hub_next_line`, one at a time: the queue is not large enough for all. */
        die->resend = die->known;
        die->resend_lost = die->lost;
    }
}

void hub_on_command(struct hub *hub, const struct serial_command *command, uint32_t now_ms)
{
    switch (command->type) {
    case PROTOCOL_TYPE_ACK:
        acknowledge(hub, command->seq);
        break;
    case PROTOCOL_TYPE_ASK:
        hub->greet_ms = now_ms;
        resend_all(hub);
        break;
    case PROTOCOL_TYPE_NEW:
        hub->renewed = command->die;
        hub->renewed_ms = hub->greet_ms = now_ms;
        break;
    default:
        store_order(&hub->dice[command->die - 1], command, now_ms);
        break;
    }
}

/* --- time --- */

static void drop_orders(struct hub *hub, struct hub_die *die)
{
    hub_drop(hub, (uint16_t)((die->lamp != 0) + (die->calibrate != 0) + (die->cell_mv != 0)));
    die->lamp = die->calibrate = die->tries = 0;
    die->cell_mv = 0;
}

void hub_tick(struct hub *hub, uint32_t now_ms)
{
    hub->flashes = hub->flashes && !is_past(now_ms, hub->flash_ms);
    hub->has_rejected =
        hub->has_rejected && !is_past(now_ms, hub->rejected_ms + AIR_LOST_S * 1000UL);
    if (is_past(now_ms, hub->renewed_ms + AIR_COMMAND_LIFE_S * 1000UL))
        hub->renewed = 0;
    for (struct hub_die *die = hub->dice; die < hub->dice + HUB_DICE; die++) {
        if (die->known && !die->lost && is_past(now_ms, die->received_ms + AIR_LOST_S * 1000UL)) {
            die->lost = true;
            die->lost_ms = now_ms;
            die->lost_seq = queue_own_report(hub, die, PROTOCOL_STATE_LOST, now_ms);
        }
        if (die->twin && is_past(now_ms, die->twin_ms + AIR_LOST_S * 1000UL))
            die->twin = false;
        if ((die->lamp || die->calibrate || die->cell_mv) &&
            is_past(now_ms, die->ordered_ms + AIR_COMMAND_LIFE_S * 1000UL))
            drop_orders(hub, die);
    }
}

bool hub_is_lit(const struct hub *hub)
{
    return hub->flashes || hub->error != SERIAL_NO_ERROR;
}

/* --- lines --- */

static uint8_t dice_in_range(const struct hub *hub)
{
    uint8_t count = 0;
    for (uint8_t i = 0; i < HUB_DICE; i++)
        count = (uint8_t)(count + (hub->dice[i].known && !hub->dice[i].lost));
    return count;
}

static uint8_t greeting(struct hub *hub, char *line, uint32_t now_ms)
{
    const struct serial_hub greeting = {
        .firmware = hub->firmware,
        .id = hub->identity.hub_id,
        .dice = dice_in_range(hub),
        .t_ms = now_ms,
        .dropped = hub->dropped,
        .has_key = hub->identity.has_key,
        .renewed = hub->renewed,
        .error = hub->error == SERIAL_NO_ERROR && hub->has_rejected ? PROTOCOL_ERROR_FORGED
                                                                    : hub->error,
    };
    hub->greet_ms = now_ms + PROTOCOL_HEARTBEAT_MS;
    return serial_write_hub(line, &greeting);
}

static uint8_t write_report(char *line, const struct hub_report *report)
{
    const struct serial_die die = {
        .seq = report->seq,
        .die = report->die,
        .state = report->state,
        .from_die = report->kind != 0,
        .throws = report->throws,
        .kind = report->kind,
        .face = report->face,
        .angle_deg = report->angle_deg,
        .tumbles = report->tumbles,
        .has_verdict = report->verdict != AIR_VERDICT_NONE,
        .thrown = report->verdict == AIR_VERDICT_THROWN,
        .fall_ms = report->fall_ms,
        .battery_mv = report->battery_mv,
        .error = report->error,
        .t_ms = report->t_ms,
    };
    return serial_write_die(line, &die);
}

static uint8_t pending_line(struct hub *hub, char *line, uint32_t now_ms)
{
    for (uint8_t i = 0; i < hub->waiting; i++) {
        struct hub_pending *one = &hub->queue[i];
        /* The signed difference is correct across the wrap of the 16-bit times. */
        if ((int16_t)((uint16_t)now_ms - one->due_ms) < 0)
            continue;
        uint8_t size = write_report(line, &one->report);
        one->due_ms = (uint16_t)(now_ms + PROTOCOL_RESEND_MS);
        if (--one->left == 0)
            remove_at(hub, i);
        return size;
    }
    return 0;
}

static uint8_t lost_line(const struct hub_die *die, char *line)
{
    struct hub_report report = die->last;
    report.t_ms = die->lost_ms;
    report.seq = die->lost_seq;
    report.state = PROTOCOL_STATE_LOST;
    report.kind = 0;
    return write_report(line, &report);
}

static uint8_t resent_line(struct hub *hub, char *line)
{
    for (struct hub_die *die = hub->dice; die < hub->dice + HUB_DICE; die++) {
        if (die->resend) {
            die->resend = false;
            return write_report(line, &die->last);
        }
        if (die->resend_lost) {
            die->resend_lost = false;
            return lost_line(die, line);
        }
    }
    return 0;
}

uint8_t hub_next_line(struct hub *hub, char *line, uint32_t now_ms)
{
    if (is_past(now_ms, hub->greet_ms))
        return greeting(hub, line, now_ms);
    uint8_t size = pending_line(hub, line, now_ms);
    return size ? size : resent_line(hub, line);
}

/* --- commands to the dice --- */

bool hub_next_order(const struct hub *hub, uint8_t die, struct air_order *order)
{
    const struct hub_die *it = &hub->dice[die - 1];
    *order = (struct air_order){.die = die, .seq = it->order_seq};
    if (die == hub->renewed) {
        /* No other one: it would be valid only after a report that counts. The report can also be one
         * that was recorded from the former chip. Then no die has just sent it, and none obeys. */
        if (hub->is_behind) {
            order->command = AIR_COMMAND_NUMBER;
            order->argument = (uint16_t)((it->number >> 16) + 1);
        }
    } else if (it->lamp) {
        order->command = AIR_COMMAND_LED;
        order->argument = it->lamp == LAMP_ON;
    } else if (it->calibrate) {
        order->command = AIR_COMMAND_CALIBRATE;
        order->argument = it->calibrate;
    } else if (it->cell_mv) {
        order->command = AIR_COMMAND_BATTERY;
        order->argument = it->cell_mv;
    }
    return order->command != AIR_COMMAND_NONE;
}

void hub_pack_order(const struct hub *hub, uint8_t frame[AIR_COMMAND_BYTES],
                    const struct air_order *order)
{
    const struct hub_die *die = &hub->dice[order->die - 1];
    if (order->command == AIR_COMMAND_NUMBER)
        air_order_sign(frame, order, &hub->identity, hub->behind_number);
    else if (hub->identity.has_key && die->is_signed)
        air_order_sign(frame, order, &hub->identity, die->number);
    else
        air_order_pack(frame, order, hub->identity.set);
}

/* The number advances only after an acknowledgement, so that the die recognizes a repeat whose
 * acknowledgement was lost. */
void hub_order_sent(struct hub *hub, const struct air_order *order, bool acknowledged)
{
    struct hub_die *die = &hub->dice[order->die - 1];
    /* Only a report with the new number proves that the die has obeyed; an attacker can acknowledge. */
    if (order->command == AIR_COMMAND_NUMBER) {
        hub->is_behind = false;
        return;
    }
    if (!acknowledged) {
        if (++die->tries >= AIR_COMMAND_TRIES)
            drop_orders(hub, die);
        return;
    }
    die->order_seq++;
    die->tries = 0;
    if (order->command == AIR_COMMAND_LED)
        die->lamp = 0;
    else if (order->command == AIR_COMMAND_CALIBRATE)
        die->calibrate = 0;
    else
        die->cell_mv = 0;
}
