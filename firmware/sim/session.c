#include "session.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MS 1000000u
#define EXCHANGE_NS (2 * MS) /* interval at which the host's bytes are read */
#define WORDS_MAX 16

void session_run(struct session *session, uint64_t until_ns)
{
    struct world *world = &session->world;
    serial_port_exchange(&session->port);
    while (world->now_ns < until_ns) {
        uint64_t next = world->now_ns + EXCHANGE_NS;
        uint64_t due = serial_port_due(&session->port);
        next = until_ns < next ? until_ns : next;
        if (due < next)
            next = due > world->now_ns ? due : world->now_ns;
        world_run(world, next);
        serial_port_advance(&session->port, world->now_ns);
        if (session->speed > 0)
            serial_port_exchange(&session->port);
    }
    serial_port_exchange(&session->port);
}

struct words {
    char *word[WORDS_MAX];
    int count;
};

static struct words split(char *line)
{
    struct words words = {.count = 0};
    char *rest = NULL;
    for (char *word = strtok_r(line, " \t\r\n", &rest); word && words.count < WORDS_MAX;
         word = strtok_r(NULL, " \t\r\n", &rest))
        words.word[words.count++] = word;
    return words;
}

static void write_reply(char *reply, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    vsnprintf(reply, SESSION_REPLY_BYTES, format, values);
    va_end(values);
}

/* Parses an integer in this range; false if it is invalid. */
static bool number(const char *text, long low, long high, long *value)
{
    char *end;
    *value = strtol(text, &end, 10);
    return *text && *end == 0 && *value >= low && *value <= high;
}

/* The board of the die with this number, or null with an error written. */
static struct board *die(struct session *session, const char *text, char *reply)
{
    long which;
    int dice = session->world.boards - 1;
    if (number(text, 1, dice, &which))
        return &session->world.board[which];
    write_reply(reply, "error there is no die %s, they are 1 to %d", text, dice);
    return NULL;
}

/* The hub's board or that of the die with this number, or null with an error written. */
static struct board *node(struct session *session, const char *text, char *reply)
{
    bool hub = strcmp(text, "hub") == 0;
    return hub ? &session->world.board[0] : die(session, text, reply);
}

/* The die's motion, simulated up to now. */
static struct motion *motion(struct session *session, struct board *board)
{
    motion_advance(&board->specimen.motion, session->world.now_ns, 16, NULL);
    return &board->specimen.motion;
}

typedef void command_call(struct session *session, const struct words *words, char *reply);

/* The actions on each given die, or on all of them. */
struct action {
    const char *name;
    void (*call)(struct motion *motion);
};

static const struct action actions[] = {
    {"throw", motion_throw},
    {"pocket", motion_pocket},
    {"nudge", motion_nudge},
    {"knock", motion_knock},
};

static const struct action *find_action(const char *name)
{
    for (size_t i = 0; i < sizeof actions / sizeof actions[0]; i++)
        if (strcmp(actions[i].name, name) == 0)
            return &actions[i];
    return NULL;
}

static void run_action(struct session *session, const struct action *action, struct board *board,
                       const char *seed)
{
    struct motion *it = motion(session, board);
    if (seed)
        chance_seed(&it->chance, strtoull(seed, NULL, 10), (uint64_t)board->number);
    action->call(it);
}

static void command_action(struct session *session, const struct words *words, char *reply)
{
    const struct action *action = find_action(words->word[0]);
    const char *seed = NULL;
    int last = words->count - 1;
    if (last > 0 && strncmp(words->word[last], "seed=", 5) == 0)
        seed = words->word[last--] + 5;
    if (last < 1) {
        write_reply(reply, "error %s needs dice, or all", action->name);
        return;
    }
    if (strcmp(words->word[1], "all") == 0) {
        for (int i = 1; i < session->world.boards; i++)
            run_action(session, action, &session->world.board[i], seed);
        return;
    }
    for (int i = 1; i <= last; i++)
        if (!die(session, words->word[i], reply))
            return;
    for (int i = 1; i <= last; i++)
        run_action(session, action, die(session, words->word[i], reply), seed);
}

static void command_place(struct session *session, const struct words *words, char *reply)
{
    struct board *board = words->count == 3 ? die(session, words->word[1], reply) : NULL;
    long face;
    if (words->count != 3)
        write_reply(reply, "error place needs a die and a face");
    else if (board && !number(words->word[2], 1, board->kind, &face))
        write_reply(reply, "error there is no face %s, they are 1 to %d", words->word[2], board->kind);
    else if (board)
        motion_place(motion(session, board), (int)face);
}

static void command_lean(struct session *session, const struct words *words, char *reply)
{
    struct board *board = words->count == 3 ? die(session, words->word[1], reply) : NULL;
    long angle;
    if (words->count != 3)
        write_reply(reply, "error lean needs a die and an angle in degrees");
    else if (board && !number(words->word[2], 1, 35, &angle))
        write_reply(reply, "error %s is not an angle from 1 to 35 degrees", words->word[2]);
    else if (board)
        motion_lean(motion(session, board), (double)angle);
}

/* Without a file, it ends the recording. */
static void command_record(struct session *session, const struct words *words, char *reply)
{
    bool fits = words->count == 2 || words->count == 3;
    struct board *board = fits ? die(session, words->word[1], reply) : NULL;
    FILE *file = NULL;
    if (!fits)
        write_reply(reply, "error record needs a die, and a file to begin");
    if (!board)
        return;
    if (words->count == 3) {
        file = fopen(words->word[2], "w");
        if (!file) {
            write_reply(reply, "error %s cannot be written", words->word[2]);
            return;
        }
    }
    motion_record(motion(session, board), file);
}

static void command_battery(struct session *session, const struct words *words, char *reply)
{
    struct board *board = words->count == 3 ? die(session, words->word[1], reply) : NULL;
    long millivolts;
    if (words->count != 3)
        write_reply(reply, "error battery needs a die and millivolts");
    else if (board && !number(words->word[2], 0, 4300, &millivolts))
        write_reply(reply, "error %s is not a voltage from 0 to 4300 millivolts", words->word[2]);
    else if (board)
        board_set_cell(board, session->world.now_ns, (uint32_t)millivolts);
}

static void command_break(struct session *session, const struct words *words, char *reply)
{
    bool broken = strcmp(words->word[0], "break") == 0;
    struct board *board = words->count == 3 ? node(session, words->word[1], reply) : NULL;
    bool hub = board == &session->world.board[0];
    if (words->count != 3)
        write_reply(reply, "error %s needs a die and accel, int1 or radio, or hub radio", words->word[0]);
    else if (board && strcmp(words->word[2], "radio") == 0)
        board->radio.broken = broken;
    else if (hub)
        write_reply(reply, "error the hub has a radio, but no %s", words->word[2]);
    else if (board && strcmp(words->word[2], "accel") == 0)
        board->specimen.accel.broken = broken;
    else if (board && strcmp(words->word[2], "int1") == 0)
        board_short_int1(board, session->world.now_ns, broken);
    else if (board)
        write_reply(reply, "error a die has accel, int1 and radio, but no %s", words->word[2]);
}

/* radio loss=P | cut | on, then dice, or none for all. */
static void command_radio(struct session *session, const struct words *words, char *reply)
{
    double loss = -1;
    if (words->count > 1 && strcmp(words->word[1], "cut") == 0)
        loss = 1;
    else if (words->count > 1 && strcmp(words->word[1], "on") == 0)
        loss = 0;
    else if (words->count > 1 && strncmp(words->word[1], "loss=", 5) == 0)
        loss = strtod(words->word[1] + 5, NULL);
    if (!(loss >= 0 && loss <= 1)) {
        write_reply(reply, "error radio needs cut, on, or loss= and a number from 0 to 1");
        return;
    }
    if (words->count == 2)
        world_set_loss(&session->world, 0, loss);
    for (int i = 2; i < words->count; i++) {
        struct board *board = die(session, words->word[i], reply);
        if (board)
            world_set_loss(&session->world, board->number, loss);
    }
}

/* heard DIE: the content of the last packet that it sent, as an eavesdropper has it. */
static void command_heard(struct session *session, const struct words *words, char *reply)
{
    struct board *board = words->count == 2 ? die(session, words->word[1], reply) : NULL;
    if (words->count != 2)
        write_reply(reply, "error heard needs a die");
    if (!board)
        return;
    const struct nrf24_chip_payload *payload = &session->world.air.heard[board->air_number].payload;
    char *at = reply + sprintf(reply, "ok ");
    for (int i = 0; i < payload->length; i++)
        at += sprintf(at, "%02X", payload->byte[i]);
}

/* forge DIE HEX: an attacker sends this content to the hub at the die's address. */
static void command_forge(struct session *session, const struct words *words, char *reply)
{
    struct world *world = &session->world;
    struct board *board = words->count == 3 ? die(session, words->word[1], reply) : NULL;
    uint8_t bytes[RADIO_PAYLOAD_MAX];
    if (words->count != 3)
        write_reply(reply, "error forge needs a die and hexadecimal digits");
    if (!board)
        return;
    int length = world->air.heard[board->air_number].payload.length;
    for (int i = 0; i < length; i++)
        if (strlen(words->word[2]) != 2 * (size_t)length ||
            sscanf(words->word[2] + 2 * i, "%2hhx", &bytes[i]) != 1) {
            write_reply(reply, "error %s is not %d bytes in hexadecimal", words->word[2], length);
            return;
        }
    if (!length || !air_forge(&world->air, board->air_number, world->board[0].air_number,
                              world->now_ns, bytes))
        write_reply(reply, "error the die has sent nothing yet, or the hub does not listen now");
}

static void command_exchange(struct session *session, const struct words *words, char *reply)
{
    struct board *board = words->count == 2 ? die(session, words->word[1], reply) : NULL;
    if (words->count != 2)
        write_reply(reply, "error exchange needs a die");
    else if (board)
        board_exchange_chip(board, session->world.now_ns);
}

/* restart, off, on, then the hub or dice. */
static void command_power(struct session *session, const struct words *words, char *reply)
{
    if (words->count < 2)
        write_reply(reply, "error %s needs hub or dice", words->word[0]);
    for (int i = 1; i < words->count; i++) {
        struct board *board = node(session, words->word[i], reply);
        if (board)
            board_power(board, session->world.now_ns, strcmp(words->word[0], "off") != 0);
    }
}

/* run MS [after=BYTES] */
static void command_run(struct session *session, const struct words *words, char *reply)
{
    long ms, bytes = 0;
    bool waits = words->count == 3 && strncmp(words->word[2], "after=", 6) == 0 &&
                 number(words->word[2] + 6, 0, LONG_MAX, &bytes);
    if (session->speed > 0) {
        write_reply(reply, "error time advances by itself; use --speed 0 to run it");
    } else if (words->count < 2 || !number(words->word[1], 1, 86400000, &ms) ||
               words->count != 2 + waits) {
        write_reply(reply, "error run needs milliseconds, 1 to 86400000, and optionally after= and bytes");
    } else if (!serial_port_await(&session->port, (uint64_t)bytes)) {
        write_reply(reply, "error the host's %ld bytes did not arrive within a second", bytes);
    } else {
        session_run(session, session->world.now_ns + (uint64_t)ms * MS);
        write_reply(reply, "ok %.3f %llu", (double)session->world.now_ns / MS,
                    (unsigned long long)session->port.handed_over);
    }
}

static void command_time(struct session *session, const struct words *words, char *reply)
{
    (void)words;
    write_reply(reply, "ok %.3f", (double)session->world.now_ns / MS);
}

static void command_status(struct session *session, const struct words *words, char *reply)
{
    (void)words;
    session_status(session, reply);
}

static void command_quit(struct session *session, const struct words *words, char *reply)
{
    (void)words;
    (void)reply;
    session->over = true;
}

static const struct {
    const char *name;
    command_call *call;
} commands[] = {
    {"throw", command_action},      {"pocket", command_action},   {"nudge", command_action},
    {"knock", command_action},      {"place", command_place},   {"lean", command_lean},
    {"record", command_record},
    {"battery", command_battery}, {"break", command_break},   {"repair", command_break},
    {"radio", command_radio},     {"restart", command_power}, {"off", command_power},
    {"on", command_power},        {"run", command_run},       {"time", command_time},
    {"heard", command_heard},     {"forge", command_forge},   {"exchange", command_exchange},
    {"status", command_status},   {"quit", command_quit},
};

void session_command(struct session *session, char *line, char reply[SESSION_REPLY_BYTES])
{
    struct words words = split(line);
    write_reply(reply, "ok");
    if (words.count == 0) {
        write_reply(reply, "error an empty line is not a command");
        return;
    }
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        if (strcmp(commands[i].name, words.word[0]) == 0) {
            commands[i].call(session, &words, reply);
            return;
        }
    write_reply(reply, "error there is no command %s (firmware/sim/README.md)", words.word[0]);
}
