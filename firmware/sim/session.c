#include "session.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MS 1000000u
#define EXCHANGE_NS (2 * MS) /* so often the host's bytes are looked for */
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

static void say(char *answer, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    vsnprintf(answer, SESSION_ANSWER_BYTES, format, values);
    va_end(values);
}

/* A whole number in this range; false for anything else. */
static bool number(const char *text, long low, long high, long *value)
{
    char *end;
    *value = strtol(text, &end, 10);
    return *text && *end == 0 && *value >= low && *value <= high;
}

/* The board of a die's number, or null with the answer written. */
static struct board *die(struct session *session, const char *text, char *answer)
{
    long which;
    int dice = session->world.boards - 1;
    if (number(text, 1, dice, &which))
        return &session->world.board[which];
    say(answer, "error there is no die %s, they are 1 to %d", text, dice);
    return NULL;
}

/* The hub's board, or that of a die's number, or null with the answer written. */
static struct board *node(struct session *session, const char *text, char *answer)
{
    bool hub = strcmp(text, "hub") == 0;
    return hub ? &session->world.board[0] : die(session, text, answer);
}

/* Its motion, brought up to now. */
static struct motion *motion(struct session *session, struct board *board)
{
    motion_advance(&board->specimen.motion, session->world.now_ns, 16, NULL);
    return &board->specimen.motion;
}

typedef void command_call(struct session *session, const struct words *words, char *answer);

/* What is done to each die that is named, or to all by `all`. */
struct deed {
    const char *name;
    void (*call)(struct motion *motion);
};

static const struct deed deeds[] = {
    {"throw", motion_throw},
    {"pocket", motion_pocket},
    {"nudge", motion_nudge},
    {"knock", motion_knock},
};

static const struct deed *find_deed(const char *name)
{
    for (size_t i = 0; i < sizeof deeds / sizeof deeds[0]; i++)
        if (strcmp(deeds[i].name, name) == 0)
            return &deeds[i];
    return NULL;
}

static void do_deed(struct session *session, const struct deed *deed, struct board *board,
                    const char *seed)
{
    struct motion *it = motion(session, board);
    if (seed)
        chance_seed(&it->chance, strtoull(seed, NULL, 10), (uint64_t)board->number);
    deed->call(it);
}

static void command_deed(struct session *session, const struct words *words, char *answer)
{
    const struct deed *deed = find_deed(words->word[0]);
    const char *seed = NULL;
    int last = words->count - 1;
    if (last > 0 && strncmp(words->word[last], "seed=", 5) == 0)
        seed = words->word[last--] + 5;
    if (last < 1) {
        say(answer, "error %s whom? name dice, or all", deed->name);
        return;
    }
    if (strcmp(words->word[1], "all") == 0) {
        for (int i = 1; i < session->world.boards; i++)
            do_deed(session, deed, &session->world.board[i], seed);
        return;
    }
    for (int i = 1; i <= last; i++)
        if (!die(session, words->word[i], answer))
            return;
    for (int i = 1; i <= last; i++)
        do_deed(session, deed, die(session, words->word[i], answer), seed);
}

static void command_place(struct session *session, const struct words *words, char *answer)
{
    struct board *board = words->count == 3 ? die(session, words->word[1], answer) : NULL;
    long face;
    if (words->count != 3)
        say(answer, "error place needs a die and a face");
    else if (board && !number(words->word[2], 1, board->kind, &face))
        say(answer, "error there is no face %s, they are 1 to %d", words->word[2], board->kind);
    else if (board)
        motion_place(motion(session, board), (int)face);
}

static void command_lean(struct session *session, const struct words *words, char *answer)
{
    struct board *board = words->count == 3 ? die(session, words->word[1], answer) : NULL;
    long angle;
    if (words->count != 3)
        say(answer, "error lean needs a die and an angle in degrees");
    else if (board && !number(words->word[2], 1, 35, &angle))
        say(answer, "error %s is no angle, they are 1 to 35 degrees", words->word[2]);
    else if (board)
        motion_lean(motion(session, board), (double)angle);
}

static void command_battery(struct session *session, const struct words *words, char *answer)
{
    struct board *board = words->count == 3 ? die(session, words->word[1], answer) : NULL;
    long millivolts;
    if (words->count != 3)
        say(answer, "error battery needs a die and millivolts");
    else if (board && !number(words->word[2], 0, 4300, &millivolts))
        say(answer, "error %s are no millivolts of a cell, 0 to 4300 are", words->word[2]);
    else if (board)
        board_set_cell(board, session->world.now_ns, (uint32_t)millivolts);
}

static void command_break(struct session *session, const struct words *words, char *answer)
{
    bool broken = strcmp(words->word[0], "break") == 0;
    struct board *board = words->count == 3 ? node(session, words->word[1], answer) : NULL;
    bool hub = board == &session->world.board[0];
    if (words->count != 3)
        say(answer, "error %s needs a die and accel or radio, or hub radio", words->word[0]);
    else if (board && strcmp(words->word[2], "radio") == 0)
        board->radio.broken = broken;
    else if (hub)
        say(answer, "error the hub has a radio, but no %s", words->word[2]);
    else if (board && strcmp(words->word[2], "accel") == 0)
        board->specimen.accel.broken = broken;
    else if (board)
        say(answer, "error a die has accel and radio, but no %s", words->word[2]);
}

/* radio loss=P | cut | on, and then dice, or none for all of them. */
static void command_radio(struct session *session, const struct words *words, char *answer)
{
    double loss = -1;
    if (words->count > 1 && strcmp(words->word[1], "cut") == 0)
        loss = 1;
    else if (words->count > 1 && strcmp(words->word[1], "on") == 0)
        loss = 0;
    else if (words->count > 1 && strncmp(words->word[1], "loss=", 5) == 0)
        loss = strtod(words->word[1] + 5, NULL);
    if (!(loss >= 0 && loss <= 1)) {
        say(answer, "error radio takes cut, on, or loss= with a number from 0 to 1");
        return;
    }
    if (words->count == 2)
        world_set_loss(&session->world, 0, loss);
    for (int i = 2; i < words->count; i++) {
        struct board *board = die(session, words->word[i], answer);
        if (board)
            world_set_loss(&session->world, board->number, loss);
    }
}

/* restart, off, on: hub or dice. */
static void command_power(struct session *session, const struct words *words, char *answer)
{
    if (words->count < 2)
        say(answer, "error %s whom? name hub or dice", words->word[0]);
    for (int i = 1; i < words->count; i++) {
        struct board *board = node(session, words->word[i], answer);
        if (board)
            board_power(board, session->world.now_ns, strcmp(words->word[0], "off") != 0);
    }
}

/* run MS [after=BYTES] */
static void command_run(struct session *session, const struct words *words, char *answer)
{
    long ms, bytes = 0;
    bool waits = words->count == 3 && strncmp(words->word[2], "after=", 6) == 0 &&
                 number(words->word[2] + 6, 0, LONG_MAX, &bytes);
    if (session->speed > 0) {
        say(answer, "error time goes by itself here; start with --speed 0 to run it");
    } else if (words->count < 2 || !number(words->word[1], 1, 86400000, &ms) ||
               words->count != 2 + waits) {
        say(answer, "error run needs milliseconds, 1 to 86400000, and perhaps after= and bytes");
    } else if (!serial_port_await(&session->port, (uint64_t)bytes)) {
        say(answer, "error the host's %ld bytes did not come within a second", bytes);
    } else {
        session_run(session, session->world.now_ns + (uint64_t)ms * MS);
        say(answer, "ok %.3f %llu", (double)session->world.now_ns / MS,
            (unsigned long long)session->port.handed_over);
    }
}

static void command_time(struct session *session, const struct words *words, char *answer)
{
    (void)words;
    say(answer, "ok %.3f", (double)session->world.now_ns / MS);
}

static void command_status(struct session *session, const struct words *words, char *answer)
{
    (void)words;
    session_status(session, answer);
}

static void command_quit(struct session *session, const struct words *words, char *answer)
{
    (void)words;
    (void)answer;
    session->over = true;
}

static const struct {
    const char *name;
    command_call *call;
} commands[] = {
    {"throw", command_deed},      {"pocket", command_deed},   {"nudge", command_deed},
    {"knock", command_deed},      {"place", command_place},   {"lean", command_lean},
    {"battery", command_battery}, {"break", command_break},   {"mend", command_break},
    {"radio", command_radio},     {"restart", command_power}, {"off", command_power},
    {"on", command_power},        {"run", command_run},       {"time", command_time},
    {"status", command_status},   {"quit", command_quit},
};

void session_command(struct session *session, char *line, char answer[SESSION_ANSWER_BYTES])
{
    struct words words = split(line);
    say(answer, "ok");
    if (words.count == 0) {
        say(answer, "error an empty line is no command");
        return;
    }
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        if (strcmp(commands[i].name, words.word[0]) == 0) {
            commands[i].call(session, &words, answer);
            return;
        }
    say(answer, "error there is no command %s (firmware/sim/README.md)", words.word[0]);
}
