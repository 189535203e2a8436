/* Both of the hub's parsers with transmission errors: flipped bits, truncated, repeated and mixed
 * pieces, floods. They are seeded, so that a failure can be repeated, and run with sanitizers.
 * Errors may only cause counted drops. */
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "crc16.h"
#include "hub.h"
#include "tests.h"

enum { SERIAL_ROUNDS = 60000, FRAME_ROUNDS = 200000 };

static struct hub hub;
static struct serial_reader reader;

static void start_hub(void)
{
    const struct identity identity = {.role = 'H', .set = 7, .hub_id = 0x5F3A};
    hub_start(&hub, &identity, "1.0.0", SERIAL_NO_ERROR, 0);
}

static int good_line(char *text, size_t size)
{
    static const char *const bodies[] = {
        "ACK,seq=18", "ACK,seq=65535", "ASK", "CAL,die=2,face=1", "LED,die=8,on=0",
        "LED,die=2,on=1,new=7", "DIE,seq=1,die=2,st=found,t=9", "CAL,die=2,face=9", "ACK"};
    const char *body = bodies[check_random(CHECK_ROWS(bodies))];
    unsigned crc = crc16_add(PROTOCOL_CRC_START, (const uint8_t *)body, strlen(body));
    return snprintf(text, size, "$%s*%04X\r\n", body, crc);
}

/* Applies one transmission error to a text and returns the new length, at most `size`. */
static int mutated(char *text, int length, int size)
{
    int at = length ? (int)check_random((unsigned)length) : 0;
    switch (check_random(6)) {
    case 0: /* a flipped bit */
        text[at] = (char)(text[at] ^ (1 << check_random(8)));
        return length;
    case 1: /* truncated */
        return at;
    case 2: /* a byte lost */
        memmove(text + at, text + at + 1, (size_t)(length - at - (length > 0)));
        return length ? length - 1 : 0;
    case 3: /* a piece repeated */
        if (length * 2 - at > size)
            return length;
        memcpy(text + length, text + at, (size_t)(length - at));
        return length * 2 - at;
    case 4: /* a byte of noise */
        text[at] = (char)check_random(256);
        return length;
    default:
        return length;
    }
}

static unsigned dropped_lines(void)
{
    return (unsigned)reader.counts.crc + reader.counts.half + reader.counts.too_long +
           reader.counts.value + reader.counts.unknown;
}

static void feed(const char *text, int length, unsigned *commands)
{
    struct serial_command command;
    for (int i = 0; i < length; i++)
        if (serial_reader_add(&reader, text[i], &command)) {
            ++*commands;
            CHECK(command.type < PROTOCOL_TYPE_COUNT);
            CHECK(command.die <= PROTOCOL_DIE_MAX && command.value <= PROTOCOL_FACE_MAX);
            hub_on_command(&hub, &command, 0);
        }
}

void corrupted_text_is_counted_and_dropped(void)
{
    unsigned commands = 0;
    start_hub();
    serial_reader_start(&reader);
    for (int round = 0; round < SERIAL_ROUNDS; round++) {
        char text[512];
        int length = good_line(text, sizeof text);
        for (unsigned times = check_random(4); times; times--)
            length = mutated(text, length, sizeof text);
        feed(text, length, &commands);
        CHECK(reader.size <= PROTOCOL_MAX_LINE_BYTES - 1);
    }
    CHECK(commands > SERIAL_ROUNDS / 10 && commands < SERIAL_ROUNDS);
    CHECK_EQUAL(commands % 65536, reader.counts.lines);
    CHECK(dropped_lines() > 0);
    /* and a valid line is accepted afterwards */
    unsigned before = commands;
    feed("\r\n$ASK*4442\r\n", 13, &commands);
    CHECK_EQUAL(commands, before + 1);
}

void a_flood_of_noise_contains_no_command(void)
{
    static const char letters[] = "$*,=\r\nACKSEQ0123456789ABCDEF\0\xFF";
    unsigned commands = 0;
    start_hub();
    serial_reader_start(&reader);
    for (int i = 0; i < 20000; i++) {
        char text[64];
        for (size_t k = 0; k < sizeof text; k++)
            text[k] = letters[check_random(sizeof letters)];
        feed(text, sizeof text, &commands);
    }
    CHECK_EQUAL(commands, 0);
}

static void good_frame(uint8_t *frame)
{
    const struct air_report report = {
        .die = (uint8_t)(1 + check_random(8)), .kind = 6, .starts = (uint8_t)check_random(4),
        .number = check_random(256), .state = (uint8_t)check_random(4), .face = 1,
        .throws = (uint16_t)check_random(65536), .battery_mv = (uint16_t)check_random(10000)};
    air_report_pack(frame, &report, 7);
}

void corrupted_frames_are_dropped_by_the_hub(void)
{
    unsigned broken = 0, taken = 0;
    char line[PROTOCOL_MAX_LINE_BYTES];
    start_hub();
    for (int round = 0; round < FRAME_ROUNDS; round++) {
        uint8_t frame[AIR_REPORT_BYTES];
        struct air_order order;
        good_frame(frame);
        unsigned flips = check_random(3);
        for (unsigned i = 0; i < flips; i++)
            frame[check_random(sizeof frame)] ^= (uint8_t)(1U << check_random(8));
        uint8_t die = hub_on_frame(&hub, frame, (uint32_t)round * 7);
        taken += die != 0;
        broken += die == 0;
        CHECK(die <= HUB_DICE);
        CHECK(flips != 1 || die == 0); /* a CRC detects every single flip */
        if (die)
            (void)hub_next_order(&hub, die, &order);
        hub_tick(&hub, (uint32_t)round * 7);
        CHECK(hub_next_line(&hub, line, (uint32_t)round * 7) <= sizeof line);
        CHECK(hub.waiting <= HUB_QUEUE);
    }
    CHECK(taken > FRAME_ROUNDS / 4 && broken > FRAME_ROUNDS / 4);
}

void corrupted_command_frames_are_dropped_by_a_die(void)
{
    for (int round = 0; round < FRAME_ROUNDS; round++) {
        uint8_t frame[AIR_COMMAND_BYTES];
        struct air_order order = {2, (uint8_t)round, AIR_COMMAND_CALIBRATE, 3};
        air_order_pack(frame, &order, 7);
        unsigned flips = 1 + check_random(3);
        for (unsigned i = 0; i < flips; i++)
            frame[check_random(sizeof frame)] ^= (uint8_t)(1U << check_random(8));
        if (air_order_unpack(&order, frame, 7)) {
            /* flips may cancel out; the frame is the original one then */
            CHECK_EQUAL(order.die, 2);
            CHECK_EQUAL(order.argument, 3);
        }
    }
}
