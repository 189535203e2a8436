/* The complete state of a session as one line of JSON. */
#include "session.h"

#include <stdarg.h>
#include <stdio.h>

struct text {
    char *at;
    size_t room;
};

static void add(struct text *text, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    int size = vsnprintf(text->at, text->room, format, values);
    va_end(values);
    if (size < 0 || (size_t)size >= text->room)
        return;
    text->at += size;
    text->room -= (size_t)size;
}

static const char *state_name(enum core_state state)
{
    static const char *const name[] = {"off", "running", "idle", "asleep", "crashed"};
    return name[state];
}

static const char *truth(bool value)
{
    return value ? "true" : "false";
}

static void add_core(struct text *text, const struct board *board)
{
    const struct core_counts *counts = &board->core.counts;
    add(text,
        "\"state\":\"%s\",\"resets\":{\"power_on\":%u,\"watchdog\":%u,\"brown_out\":%u},"
        "\"crashes\":%u,\"wakes\":%u,\"lamp\":%s",
        state_name(board->core.state), counts->power_on, counts->watchdog, counts->brown_out,
        counts->crashes, counts->wakes, truth(board_lamp_is_on(board)));
}

static void add_radio(struct text *text, const struct board *board)
{
    const struct nrf24_chip_counts *counts = &board->radio.counts;
    add(text,
        ",\"radio\":{\"broken\":%s,\"sent\":%u,\"resent\":%u,\"given_up\":%u,\"acknowledged\":%u,"
        "\"received\":%u,\"copies\":%u,\"overflows\":%u,\"hasty\":%u}",
        truth(board->radio.broken), counts->sent, counts->resent, counts->given_up,
        counts->acknowledged, counts->received, counts->copies, counts->overflows,
        counts->hasty);
}

static void add_charge(struct text *text, struct board *board, uint64_t now_ns)
{
    struct board_charge charge = board_charge(board, now_ns);
    double whole = charge.processor + charge.accel + charge.radio + charge.lamp + charge.rest;
    add(text,
        ",\"charge_uc\":{\"processor\":%.3f,\"accel\":%.3f,\"radio\":%.3f,\"lamp\":%.3f,"
        "\"rest\":%.3f,\"whole\":%.3f}",
        charge.processor, charge.accel, charge.radio, charge.lamp, charge.rest, whole);
}

static void add_motion(struct text *text, struct board *board, uint64_t now_ns)
{
    struct motion *motion = &board->specimen.motion;
    double angle;
    motion_advance(motion, now_ns, 16, NULL);
    int face = motion_face(motion, &angle);
    bool still = motion_is_still(motion);
    add(text, ",\"face\":%d,\"angle_deg\":%.2f,\"still\":%s", face, angle, truth(still));
    if (still)
        add(text, ",\"still_since_ms\":%.3f", (double)motion->still_since_ns / 1e6);
}

static void add_die(struct text *text, struct board *board, uint64_t now_ns)
{
    add(text, "{\"die\":%d,\"kind\":%d,", board->number, board->kind);
    add_core(text, board);
    add_motion(text, board, now_ns);
    add(text, ",\"battery_mv\":%u,\"accel_broken\":%s", board->cell_mv,
        truth(board->specimen.accel.broken));
    add_radio(text, board);
    add_charge(text, board, now_ns);
    add(text, "}");
}

void session_status(struct session *session, char reply[SESSION_REPLY_BYTES])
{
    struct world *world = &session->world;
    struct text text = {reply, SESSION_REPLY_BYTES};
    add(&text, "ok {\"time_ms\":%.3f,\"tty\":\"%s\",\"hub\":{", (double)world->now_ns / 1e6,
        session->port.path);
    add_core(&text, &world->board[0]);
    add_radio(&text, &world->board[0]);
    add(&text, ",\"overruns\":%u,\"unread\":%u},", world->board[0].core.uart.overruns,
        session->port.lost);
    add(&text, "\"air\":{\"packets\":%u,\"collisions\":%u,\"lost\":%u},\"dice\":[",
        world->air.counts.packets, world->air.counts.collisions, world->air.counts.lost);
    for (int i = 1; i < world->boards; i++) {
        add(&text, i > 1 ? "," : "");
        add_die(&text, &world->board[i], world->now_ns);
    }
    add(&text, "]}");
}
