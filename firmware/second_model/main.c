/* Runs a hub and dice on one clock, by commands from standard input (README.md). */
#include "board.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DICE_MAX = 8, SLICE_US = 40, LINE_BYTES = 20000 };

static FILE *out; /* of a command's reply */

static struct {
    struct air air;
    struct board board[DICE_MAX + 1]; /* the hub, then the dice */
    int boards;
    ps now;
} world;

static const char *const motion_names[MOTION_KINDS] = {"throw", "set-down", "drop",
                                                       "place", "hold", "knock"};

/* --- time --- */

/* Radios reach each other at the end of a packet, which lasts 73 us at least, and answer 130 us later:
 * within a slice, each board can run by itself. */
static ps next_stop(ps until)
{
    ps slice = world.now + SLICE_US * PS_US;
    ps next = PS_NEVER;
    for (int i = 0; i < world.boards; i++) {
        const struct mcu *mcu = &world.board[i].mcu;
        if (mcu->state == MCU_RUNNING)
            return slice < until ? slice : until;
        next = mcu->soonest < next ? mcu->soonest : next;
    }
    next = next > slice ? next : slice;
    return next < until ? next : until;
}

static void run(ps until)
{
    while (world.now < until) {
        ps stop = next_stop(until);
        for (int i = 0; i < world.boards; i++)
            mcu_run(&world.board[i].mcu, stop);
        world.now = stop;
    }
}

/* --- commands: each writes its reply and returns null, or returns an error --- */

static struct board *die_of(const char *text)
{
    int number = text ? atoi(text) : 0;
    return number >= 1 && number < world.boards ? &world.board[number] : NULL;
}

static struct board *board_of(const char *text)
{
    return text && strcmp(text, "hub") == 0 ? &world.board[0] : die_of(text);
}

static const char *command_run(char *words)
{
    struct board *hub = &world.board[0];
    char *text = strtok_r(NULL, " ", &words);
    double ms = text ? atof(text) : 0;
    if (ms <= 0 || ms > 1e7)
        return "run needs milliseconds";
    run(world.now + (ps)(ms * (double)PS_MS));
    fprintf(out, " %.3f ", (double)world.now / (double)PS_MS);
    for (int i = 0; i < hub->from_mcu_count; i++)
        fprintf(out, "%02x", hub->from_mcu[i]);
    hub->from_mcu_count = 0;
    return NULL;
}

static bool is_sending(const struct board *board)
{
    return board->radio.state == RADIO_TX;
}

static bool is_reading_sensor(const struct board *board)
{
    return board->sensor.addressed;
}

/* Runs into a packet that the board sends, or into a transfer from or to the sensor. */
static const char *command_run_into(char *words)
{
    struct board *board = board_of(strtok_r(NULL, " ", &words));
    char *name = strtok_r(NULL, " ", &words);
    ps limit = world.now + 60 * PS_S;
    if (!board || !name || (strcmp(name, "packet") != 0 && strcmp(name, "transfer") != 0))
        return "run-into needs a board, and packet or transfer";
    bool (*is_there)(const struct board *) = *name == 'p' ? is_sending : is_reading_sensor;
    while (!is_there(board) && world.now < limit)
        run(world.now + 50 * PS_US);
    if (!is_there(board))
        return "there was none within a minute";
    fprintf(out, " %.3f", (double)world.now / (double)PS_MS);
    return NULL;
}

static const char *command_send(char *words)
{
    char *hex = strtok_r(NULL, " ", &words);
    unsigned byte;
    if (!hex)
        return "send needs bytes in hexadecimal";
    for (; sscanf(hex, "%2x", &byte) == 1; hex += 2)
        board_host_sends(&world.board[0], (uint8_t)byte);
    return NULL;
}

static const char *command_move(char *words)
{
    struct board *die = die_of(strtok_r(NULL, " ", &words));
    char *name = strtok_r(NULL, " ", &words);
    char *face_text = strtok_r(NULL, " ", &words);
    int kind = 0;
    if (!die || !name)
        return "move needs a die, a motion and a face";
    while (kind < MOTION_KINDS && strcmp(name, motion_names[kind]) != 0)
        kind++;
    int face = face_text ? atoi(face_text) : die->motion.face;
    if (kind == MOTION_KINDS || face < 1 || face > die->motion.faces)
        return "there is no such motion or face";
    ps rest = motion_start(&die->motion, die->mcu.now, (enum motion_kind)kind, face);
    fprintf(out, " %.3f", (double)rest / (double)PS_MS);
    return NULL;
}

static const char *command_replay(char *words)
{
    struct board *die = die_of(strtok_r(NULL, " ", &words));
    char *path = strtok_r(NULL, " ", &words);
    if (!die || !path)
        return "replay needs a die and a file";
    return motion_replay(&die->motion, die->mcu.now, path) ? NULL : "the file cannot be read";
}

static const char *command_supply(char *words)
{
    struct board *board = board_of(strtok_r(NULL, " ", &words));
    char *mv = strtok_r(NULL, " ", &words);
    if (!board || !mv)
        return "supply needs a board and millivolts";
    board_supply(board, atoi(mv));
    return NULL;
}

static const char *command_reset(char *words)
{
    struct board *board = board_of(strtok_r(NULL, " ", &words));
    char *cause = strtok_r(NULL, " ", &words);
    bool by_watchdog = cause && strcmp(cause, "watchdog") == 0;
    if (!board || (cause && !by_watchdog))
        return "reset needs a board, and watchdog for that cause";
    mcu_reset(&board->mcu, by_watchdog ? RESET_WATCHDOG : RESET_EXTERNAL);
    return NULL;
}

static const char *command_loss(char *words)
{
    char *share = strtok_r(NULL, " ", &words);
    if (!share)
        return "loss needs a share from 0 to 1";
    world.air.loss = atof(share);
    return NULL;
}

/* Options of one board's parts. */
static const char *command_set(char *words)
{
    struct board *board = board_of(strtok_r(NULL, " ", &words));
    char *name = strtok_r(NULL, " ", &words);
    if (!board || !name)
        return "set needs a board and a name";
    if (strcmp(name, "int1-stuck") == 0) {
        board->int1_stuck = true;
        board_outputs_changed(board);
    } else if (strcmp(name, "csn-floats") == 0)
        board->csn_floats = true;
    else if (strcmp(name, "radio-clone") == 0)
        board->radio.is_clone = true;
    else if (strcmp(name, "aref-capacitor") == 0)
        board->mcu.reference_tau = 3200 * PS_US; /* 100 nF and 32 kOhm */
    else
        return "there is no such option";
    return NULL;
}

static const char *command_violations(char *words)
{
    const char *comma = "";
    (void)words;
    fprintf(out, " [");
    for (int i = 0; i < world.boards; i++) {
        const struct violations *all = &world.board[i].violations;
        for (int n = 0; n < all->count; n++) {
            fprintf(out, "%s{\"board\": %d, \"text\": \"%s\", \"times\": %u, \"first_ms\": %.3f}", comma, i,
                   all->list[n].text, all->list[n].times,
                   (double)all->list[n].first / (double)PS_MS);
            comma = ", ";
        }
    }
    fprintf(out, "]");
    return NULL;
}

static void print_board(const struct board *b)
{
    static const char *const states[] = {"off", "reset", "running", "idle", "power-down", "waking"};
    const struct mcu *mcu = &b->mcu;
    const double *charge = b->charge_uc;
    fprintf(out, "{\"state\": \"%s\", \"lamp\": %s, \"face\": %d, \"wakes\": %u, \"instructions\": %llu, "
           "\"stack_headroom\": %d, ",
           states[mcu->state], b->lamp ? "true" : "false", b->motion.face, mcu->wakes,
           (unsigned long long)mcu->instructions, mcu_stack_headroom(mcu));
    fprintf(out, "\"resets\": {\"power_on\": %u, \"external\": %u, \"brown_out\": %u, \"watchdog\": %u}, ",
           mcu->resets[RESET_POWER_ON], mcu->resets[RESET_EXTERNAL], mcu->resets[RESET_BROWN_OUT],
           mcu->resets[RESET_WATCHDOG]);
    fprintf(out, "\"charge_uc\": {\"processor\": %.3f, \"sensor\": %.3f, \"radio\": %.3f, \"rest\": %.3f}, ",
           charge[0], charge[1], charge[2], charge[3]);
    fprintf(out, "\"radio\": {\"received\": %llu, \"acknowledged\": %llu, \"unacknowledged\": %llu, "
           "\"sending\": %s}, ",
           (unsigned long long)b->radio.received, (unsigned long long)b->radio.acknowledged,
           (unsigned long long)b->radio.unacknowledged, b->radio.state == RADIO_TX ? "true" : "false");
    fprintf(out, "\"clock\": %.4f, \"watchdog\": %.4f, \"rate\": %.4f}", 
           (b->is_hub ? 62500.0 : 125000.0) / (double)mcu->period, mcu->watchdog_rate, b->sensor.rate);
}

static const char *command_status(char *words)
{
    (void)words;
    fprintf(out, " {\"now_ms\": %.3f, \"packets\": %llu, \"lost\": %llu, \"collisions\": %llu, \"boards\": [",
           (double)world.now / (double)PS_MS, (unsigned long long)world.air.sent,
           (unsigned long long)world.air.lost, (unsigned long long)world.air.collisions);
    for (int i = 0; i < world.boards; i++) {
        fprintf(out, i ? ", " : "");
        print_board(&world.board[i]);
    }
    fprintf(out, "]}");
    return NULL;
}

static const struct {
    const char *name;
    const char *(*execute)(char *words);
} commands[] = {
    {"run", command_run},       {"run-into", command_run_into},
    {"send", command_send},     {"move", command_move},
    {"replay", command_replay}, {"supply", command_supply}, {"reset", command_reset},
    {"loss", command_loss},     {"set", command_set},       {"violations", command_violations},
    {"status", command_status},
};

static void execute(char *line)
{
    char *rest = line;
    char *name = strtok_r(line, " \n", &rest);
    for (char *end = rest; end && *end; end++)
        if (*end == '\n')
            *end = '\0';
    for (unsigned i = 0; name && i < sizeof commands / sizeof *commands; i++) {
        if (strcmp(name, commands[i].name) != 0)
            continue;
        char *reply = NULL;
        size_t size;
        out = open_memstream(&reply, &size);
        const char *error = commands[i].execute(rest);
        fclose(out);
        printf(error ? "error %s\n" : "ok%s\n", error ? error : reply);
        free(reply);
        return;
    }
    printf("error there is no such command\n");
}

/* --- options --- */

static int usage(void)
{
    fprintf(stderr, "usage: second-model --hub HEX EEP --die HEX EEP.. [--kind 4] [--seed 0] "
                    "[--clock 1.1] [--watchdog 0.9] [--rate 1.1]\n");
    return 2;
}

static int unreadable(const char *path)
{
    fprintf(stderr, "second-model: %s is not a readable Intel HEX file\n", path);
    return 2;
}

int main(int argc, char **argv)
{
    static char line[LINE_BYTES];
    const char *hub[2] = {NULL, NULL}, *image = NULL, *eeprom[DICE_MAX];
    struct tolerances given = {0, 0, 0};
    int dice = 0, kind = 4;
    uint64_t seed = 0;
    for (int i = 1; i + 1 < argc; i++) {
        const char *option = argv[i], *value = argv[i + 1];
        if (strcmp(option, "--hub") == 0 && i + 2 < argc) {
            hub[0] = value;
            hub[1] = argv[i + 2];
            i += 2;
        } else if (strcmp(option, "--die") == 0) {
            image = value;
            for (i += 2; i < argc && argv[i][0] != '-' && dice < DICE_MAX; i++)
                eeprom[dice++] = argv[i];
            i--;
        } else {
            if (strcmp(option, "--kind") == 0)
                kind = atoi(value);
            else if (strcmp(option, "--seed") == 0)
                seed = strtoull(value, NULL, 0);
            else if (strcmp(option, "--clock") == 0)
                given.clock = atof(value);
            else if (strcmp(option, "--watchdog") == 0)
                given.watchdog = atof(value);
            else if (strcmp(option, "--rate") == 0)
                given.rate = atof(value);
            else
                return usage();
            i++;
        }
    }
    if (!hub[0] || !image || !dice || (kind != 4 && kind != 6))
        return usage();
    world.boards = dice + 1;
    world.air.chance.state = seed * 7919 + 1;
    for (int i = 0; i < world.boards; i++) {
        struct board *board = &world.board[i];
        const char *flash = i ? image : hub[0], *record = i ? eeprom[i - 1] : hub[1];
        board_begin(board, i == 0, seed * 1000003 + (uint64_t)i * 101 + 17, &given, &world.air);
        motion_begin(&board->motion, seed * 31 + (uint64_t)i, kind, 1 + i % kind);
        if (!board_load(board, flash, false))
            return unreadable(flash);
        if (!board_load(board, record, true))
            return unreadable(record);
        board_supply(board, i ? 3900 : 5000);
    }
    printf("ok second-model dice=%d\n", dice);
    fflush(stdout);
    while (fgets(line, sizeof line, stdin)) {
        if (strncmp(line, "quit", 4) == 0)
            break;
        execute(line);
        fflush(stdout);
    }
    return 0;
}
