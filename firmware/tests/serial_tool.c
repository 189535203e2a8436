/* The hub's reader and writer on a pipe, for tests/firmware/test_serial_lines.py.
 *
 * serial_tool read: bytes come in; each command is printed as `TYPE seq die value`, and at the end
 * the counts as `counts lines half too_long crc value unknown`.
 * serial_tool write: `hub` or `die` and the fields of the struct as numbers, a line each, come in
 * (a hub's firmware is a word); the lines go out.
 */
#include <stdio.h>
#include <string.h>

#include "serial_line.h"

static void read_all(void)
{
    struct serial_reader reader;
    struct serial_command command;
    int byte;
    serial_reader_start(&reader);
    while ((byte = getchar()) != EOF)
        if (serial_reader_add(&reader, (char)byte, &command))
            printf("%d %d %d %d\n", command.type, command.seq, command.die, command.value);
    const struct serial_counts *counts = &reader.counts;
    printf("counts %d %d %d %d %d %d\n", counts->lines, counts->half, counts->too_long,
           counts->crc, counts->value, counts->unknown);
}

static uint8_t write_hub(char *line)
{
    char firmware[20];
    unsigned id, dice, dropped, has_key, renewed, error;
    unsigned long t_ms;
    if (scanf("%19s %u %u %lu %u %u %u %u", firmware, &id, &dice, &t_ms, &dropped, &has_key, &renewed,
              &error) != 8)
        return 0;
    const struct serial_hub hub = {firmware, (uint16_t)id, (uint8_t)dice, (uint32_t)t_ms,
                                   (uint16_t)dropped, has_key != 0, (uint8_t)renewed,
                                   (uint8_t)error};
    return serial_write_hub(line, &hub);
}

static uint8_t write_die(char *line)
{
    unsigned v[13];
    unsigned long t_ms;
    for (int i = 0; i < 13; i++)
        if (scanf("%u", &v[i]) != 1)
            return 0;
    if (scanf("%lu", &t_ms) != 1)
        return 0;
    const struct serial_die die = {
        .seq = (uint16_t)v[0], .die = (uint8_t)v[1], .state = (uint8_t)v[2], .from_die = v[3] != 0,
        .throws = (uint16_t)v[4], .kind = (uint8_t)v[5], .face = (uint8_t)v[6],
        .angle_deg = (uint8_t)v[7], .tumbles = (uint8_t)v[8], .fall_ms = (uint16_t)v[9],
        .battery_mv = (uint16_t)v[10], .error = (uint8_t)v[11], .has_verdict = v[12] != 0,
        .thrown = v[12] == 2, .t_ms = (uint32_t)t_ms};
    return serial_write_die(line, &die);
}

static void write_all(void)
{
    char kind[8];
    char line[PROTOCOL_MAX_LINE_BYTES];
    while (scanf("%7s", kind) == 1)
        fwrite(line, 1, strcmp(kind, "hub") == 0 ? write_hub(line) : write_die(line), stdout);
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "read") == 0) {
        read_all();
        return 0;
    }
    if (argc == 2 && strcmp(argv[1], "write") == 0) {
        write_all();
        return 0;
    }
    fprintf(stderr, "usage: serial_tool read|write\n");
    return 2;
}
