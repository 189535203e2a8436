/* The hub's reader and writer of lines. tests/firmware/test_serial_lines.py compares both with
 * those in Python; these are the cases that should be visible. */
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "crc16.h"
#include "serial_line.h"
#include "tests.h"

static struct serial_reader reader;

/* Feeds a body with its valid CRC. */
static bool feed_line(const char *body, struct serial_command *command)
{
    char text[300];
    bool whole = false;
    uint16_t crc = crc16_add(PROTOCOL_CRC_START, (const uint8_t *)body, strlen(body));
    int size = snprintf(text, sizeof text, "$%s*%04X\r\n", body, crc);
    for (int i = 0; i < size; i++)
        whole |= serial_reader_add(&reader, text[i], command);
    return whole;
}

void every_command_of_the_formats_page_is_read(void)
{
    static const struct {
        const char *body;
        struct serial_command command;
    } rows[] = {
        {"ACK,seq=18", {PROTOCOL_TYPE_ACK, 18, 0, 0}},
        {"ACK,seq=65535", {PROTOCOL_TYPE_ACK, 65535, 0, 0}},
        {"ACK,seq=0000000007", {PROTOCOL_TYPE_ACK, 7, 0, 0}},
        {"ASK", {PROTOCOL_TYPE_ASK, 0, 0, 0}},
        {"ASK,new=1", {PROTOCOL_TYPE_ASK, 0, 0, 0}},
        {"CAL,die=2,face=1", {PROTOCOL_TYPE_CAL, 0, 2, 1}},
        {"LED,die=2,on=1", {PROTOCOL_TYPE_LED, 0, 2, 1}},
        {"LED,on=0,colour=red,die=8", {PROTOCOL_TYPE_LED, 0, 8, 0}},
    };
    serial_reader_start(&reader);
    for (size_t i = 0; i < CHECK_ROWS(rows); i++) {
        struct serial_command command;
        check_row(rows[i].body);
        CHECK(feed_line(rows[i].body, &command));
        CHECK(memcmp(&command, &rows[i].command, sizeof command) == 0);
    }
    CHECK_EQUAL(reader.counts.lines, CHECK_ROWS(rows));
}

void an_invalid_line_is_counted_by_its_error(void)
{
    static const struct {
        const char *body;
        struct serial_counts counts;
    } rows[] = {
        {"ACK", {.value = 1}},
        {"ACK,seq=", {.value = 1}},
        {"ACK,seq=65536", {.value = 1}},
        {"ACK,seq=4294967297", {.value = 1}},
        {"ACK,seq=00000000018", {.value = 1}},
        {"ACK,seq=-1", {.value = 1}},
        {"ACK,seq=1,seq=1", {.value = 1}},
        {"ACK,seq=1,", {.value = 1}},
        {"ACK,seq=1,junk", {.value = 1}},
        {"CAL,die=9,face=1", {.value = 1}},
        {"CAL,die=0,face=1", {.value = 1}},
        {"CAL,die=1,face=7", {.value = 1}},
        {"CAL,die=1", {.value = 1}},
        {"LED,die=1,on=2", {.value = 1}},
        {"LED,die=1,face=1", {.value = 1}},
        {"OLD,thing=1", {.unknown = 1}},
        {"DIE,seq=1,die=2,st=lost,t=1", {.unknown = 1}},
        {"", {.unknown = 1}},
        {"ack,seq=1", {.unknown = 1}},
    };
    for (size_t i = 0; i < CHECK_ROWS(rows); i++) {
        struct serial_command command;
        check_row(rows[i].body);
        serial_reader_start(&reader);
        CHECK(!feed_line(rows[i].body, &command));
        CHECK(memcmp(&reader.counts, &rows[i].counts, sizeof reader.counts) == 0);
    }
}

static void feed(const char *text)
{
    struct serial_command command;
    for (; *text; text++)
        (void)serial_reader_add(&reader, *text, &command);
}

void noise_truncated_lines_and_floods_are_counted(void)
{
    serial_reader_start(&reader);
    feed("boot... \r\n\r\n*4442\r\n");
    CHECK_EQUAL(reader.counts.crc + reader.counts.half, 0);
    feed("$ACK,seq=1$ASK*4442\r\n");
    CHECK_EQUAL(reader.counts.half, 1);
    CHECK_EQUAL(reader.counts.lines, 1);
    feed("$ASK*4443\r\n$ASK*444\r\n$\r\n$ASK*4442 \r\n");
    CHECK_EQUAL(reader.counts.crc, 4);
    feed("$");
    for (int i = 0; i < 1000; i++)
        feed("xxxxxxxxxx");
    feed("\r\n$ASK*4442\n");
    CHECK_EQUAL(reader.counts.too_long, 1);
    CHECK_EQUAL(reader.counts.lines, 2);
}

void a_line_of_the_maximum_length_is_read(void)
{
    char body[200] = "ASK,x=";
    struct serial_command command;
    for (size_t spare = 0; spare < 2; spare++) {
        size_t size = PROTOCOL_MAX_LINE_BYTES - 2 - 6 + spare; /* less CR LF, $ and CRC */
        memset(body + 6, 'y', size - 6);
        body[size] = '\0';
        serial_reader_start(&reader);
        CHECK_EQUAL(feed_line(body, &command), spare == 0);
        CHECK_EQUAL(reader.counts.too_long, spare);
    }
}

void the_longest_lines_fit(void)
{
    char line[PROTOCOL_MAX_LINE_BYTES];
    const struct serial_die die = {
        .seq = 65535, .die = 8, .state = PROTOCOL_STATE_SETTLED, .from_die = true, .throws = 65535,
        .kind = 6, .face = 6, .angle_deg = 90, .tumbles = 255, .fall_ms = 65535,
        .has_verdict = true, .thrown = true, .battery_mv = 9999, .error = PROTOCOL_ERROR_ACCEL, .t_ms = UINT32_MAX};
    const struct serial_hub hub = {
        .firmware = "10.20.30-rc.4+ab", .id = 0xFFFF, .dice = 8, .t_ms = UINT32_MAX,
        .dropped = 65535, .error = PROTOCOL_ERROR_IDENTITY};
    CHECK(serial_write_die(line, &die) <= PROTOCOL_MAX_LINE_BYTES);
    CHECK(serial_write_hub(line, &hub) <= PROTOCOL_MAX_LINE_BYTES);
}

void the_line_of_the_formats_page_is_written(void)
{
    char line[PROTOCOL_MAX_LINE_BYTES + 1];
    const struct serial_die die = {
        .seq = 18, .die = 2, .state = PROTOCOL_STATE_SETTLED, .from_die = true, .throws = 41,
        .kind = 4, .face = 3, .angle_deg = 2, .tumbles = 6, .fall_ms = 180, .battery_mv = 3870,
        .error = SERIAL_NO_ERROR, .t_ms = 124210};
    line[serial_write_die(line, &die)] = '\0';
    CHECK_TEXT(line, "$DIE,seq=18,die=2,st=settled,n=41,kind=4,face=3,ang=2,tum=6,ff=180,bat=3870,"
                     "t=124210*EB61\r\n");
}
