/* urpi-sim: one hub and its dice, run from their images (README.md). */
#include "../common/signature.h"
#include "session.h"

#include <errno.h>
#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#define TICK_MS 4 /* interval at which virtual time catches up with real time */
#define BEHIND_NS 500000000u
#define LINE_BYTES 1024

struct options {
    struct world_options world;
    const char *tty, *control;
    double speed;
    uint8_t key[SIGNATURE_KEY_BYTES], die_key[SIGNATURE_KEY_BYTES];
};

struct control {
    int in, out;  /* commands and their replies; -1 while no client is connected */
    int listener; /* the listening socket, or -1 */
    char line[LINE_BYTES];
    size_t length;
};

static volatile sig_atomic_t interrupted;
static struct session session;

static void interrupt(int signal_number)
{
    (void)signal_number;
    interrupted = 1;
}

static void usage(void)
{
    fputs("usage: urpi-sim --hub HUB.ELF --die DIE.ELF [--dice 4] [--kind 4|6]\n"
          "                [--body tetrahedron-80] [--set 7] [--seed 0] [--speed 1] [--tty LINK]\n"
          "                [--control SOCKET] [--uncalibrated] [--twins]\n"
          "                [--key HEX [--die-key HEX|none]]\n",
          stderr);
}

/* Reads 32 hexadecimal digits. */
static bool read_key(const char *text, uint8_t key[SIGNATURE_KEY_BYTES])
{
    if (strlen(text) != 2 * SIGNATURE_KEY_BYTES ||
        strspn(text, "0123456789ABCDEFabcdef") != 2 * SIGNATURE_KEY_BYTES)
        return false;
    for (int i = 0; i < SIGNATURE_KEY_BYTES; i++)
        sscanf(text + 2 * i, "%2hhx", &key[i]);
    return true;
}

static bool parse(int argc, char **argv, struct options *options)
{
    static const struct option known[] = {
        {"hub", required_argument, NULL, 'h'},
        {"die", required_argument, NULL, 'd'},
        {"dice", required_argument, NULL, 'n'},
        {"kind", required_argument, NULL, 'k'},
        {"body", required_argument, NULL, 'b'},
        {"set", required_argument, NULL, 's'},
        {"seed", required_argument, NULL, 'r'},
        {"speed", required_argument, NULL, 'v'},
        {"tty", required_argument, NULL, 't'},
        {"control", required_argument, NULL, 'c'},
        {"uncalibrated", no_argument, NULL, 'u'},
        {"twins", no_argument, NULL, 'w'},
        {"key", required_argument, NULL, 'K'},
        {"die-key", required_argument, NULL, 'D'},
        {NULL, 0, NULL, 0},
    };
    *options = (struct options){
        .world = {.dice = 4, .body = body_of_kind(4), .set = 7, .calibrated = true},
        .speed = 1,
    };
    for (int name; (name = getopt_long(argc, argv, "", known, NULL)) != -1;) {
        switch (name) {
        case 'h':
            options->world.hub_image = optarg;
            break;
        case 'd':
            options->world.die_image = optarg;
            break;
        case 'n':
            options->world.dice = atoi(optarg);
            break;
        case 'k':
            options->world.body =
                strcmp(optarg, "4") && strcmp(optarg, "6") ? NULL : body_of_kind(atoi(optarg));
            break;
        case 'b':
            options->world.body = body_named(optarg);
            break;
        case 's':
            options->world.set = atoi(optarg);
            break;
        case 'r':
            options->world.seed = strtoull(optarg, NULL, 10);
            break;
        case 'v':
            options->speed = strtod(optarg, NULL);
            break;
        case 't':
            options->tty = optarg;
            break;
        case 'c':
            options->control = optarg;
            break;
        case 'u':
            options->world.calibrated = false;
            break;
        case 'K':
            if (!read_key(optarg, options->key))
                return false;
            options->world.key = options->key;
            break;
        case 'D':
            options->world.keyless_dice = strcmp(optarg, "none") == 0;
            if (options->world.keyless_dice)
                break;
            if (!read_key(optarg, options->die_key))
                return false;
            options->world.die_key = options->die_key;
            break;
        case 'w':
            options->world.twins = true;
            break;
        default:
            return false;
        }
    }
    const struct world_options *world = &options->world;
    return world->hub_image && world->die_image && optind == argc && options->speed >= 0 &&
           world->dice >= 1 && world->dice <= WORLD_DICE_MAX && world->body;
}

static bool listen_at(struct control *control, const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path)
        return false;
    strcpy(address.sun_path, path);
    unlink(path);
    control->in = control->out = -1;
    control->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    return control->listener >= 0 &&
           bind(control->listener, (struct sockaddr *)&address, sizeof address) == 0 &&
           listen(control->listener, 1) == 0;
}

static void reply(const struct control *control, char *text)
{
    size_t length = strlen(text);
    text[length++] = '\n';
    for (size_t done = 0; done < length;) {
        ssize_t wrote = write(control->out, text + done, length - done);
        if (wrote < 0 && errno != EINTR)
            return;
        done += wrote > 0 ? (size_t)wrote : 0;
    }
}

static void execute(struct control *control, char *line)
{
    static char text[SESSION_REPLY_BYTES + 1];
    session_command(&session, line, text);
    reply(control, text);
}

/* Executes complete lines; one that is too long is answered with an error. */
static void take_bytes(struct control *control, const char *bytes, ssize_t count)
{
    for (ssize_t i = 0; i < count && !session.over; i++) {
        if (control->length == LINE_BYTES - 1 && bytes[i] != '\n')
            continue;
        control->line[control->length] = bytes[i] == '\n' ? 0 : bytes[i];
        control->length++;
        if (bytes[i] != '\n')
            continue;
        control->length = 0;
        execute(control, control->line);
    }
}

static void read_commands(struct control *control)
{
    char bytes[LINE_BYTES];
    ssize_t count = read(control->in, bytes, sizeof bytes);
    if (count > 0) {
        take_bytes(control, bytes, count);
    } else if (count == 0 && control->listener < 0) {
        session.over = true;
    } else if (count == 0) {
        close(control->in);
        control->in = control->out = -1;
        control->length = 0;
    }
}

static uint64_t wall_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* The time that the virtual clock should have; time missed while the process was stopped is
 * skipped. */
static uint64_t target_ns(uint64_t *wall_start_ns)
{
    uint64_t target = (uint64_t)((double)(wall_ns() - *wall_start_ns) * session.speed);
    if (target <= session.world.now_ns + BEHIND_NS * session.speed)
        return target;
    uint64_t forgiven = target - session.world.now_ns;
    *wall_start_ns += (uint64_t)((double)forgiven / session.speed);
    return session.world.now_ns + TICK_MS * 1000000u;
}

static void wait_for_input(struct control *control)
{
    struct pollfd files[] = {{control->listener, POLLIN, 0},
                             {control->in, POLLIN, 0},
                             {session.speed > 0 ? session.port.master : -1, POLLIN, 0}};
    if (control->in >= 0)
        files[0].fd = -1; /* one client at a time */
    if (poll(files, 3, session.speed > 0 ? TICK_MS : -1) <= 0)
        return;
    if (files[0].revents)
        control->in = control->out = accept(control->listener, NULL, NULL);
    if (files[1].revents)
        read_commands(control);
}

static void play(struct control *control)
{
    uint64_t wall_start_ns = wall_ns();
    while (!session.over && !interrupted) {
        if (session.speed > 0)
            session_run(&session, target_ns(&wall_start_ns));
        wait_for_input(control);
    }
}

static void catch_signals(void)
{
    struct sigaction action = {.sa_handler = interrupt};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    action.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &action, NULL);
}

static int fail(const char *what, const char *why)
{
    fprintf(stderr, "urpi-sim: %s: %s\n", what, why);
    return 1;
}

int main(int argc, char **argv)
{
    struct options options;
    struct control control = {.in = STDIN_FILENO, .out = STDOUT_FILENO, .listener = -1};
    if (!parse(argc, argv, &options)) {
        usage();
        return 2;
    }
    catch_signals();
    session.speed = options.speed;
    const char *unreadable = world_begin(&session.world, &options.world);
    if (unreadable)
        return fail(unreadable, "no image of an ATmega328P (make -C firmware builds them)");
    if (options.control && !listen_at(&control, options.control))
        return fail(options.control, strerror(errno));
    if (!serial_port_open(&session.port, &session.world.board[0], options.tty))
        return fail(options.tty ? options.tty : "pseudo-terminal", strerror(errno));
    printf("ok urpi-sim tty=%s dice=%d\n", session.port.path, options.world.dice);
    fflush(stdout);
    play(&control);
    serial_port_close(&session.port);
    if (options.control)
        unlink(options.control);
    return 0;
}
