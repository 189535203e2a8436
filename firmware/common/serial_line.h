/* The lines between the hub and the Pi (docs/design/FORMATS.md, Serial lines): bytes to lines to
 * commands, and values to lines.
 *
 * The reader drops what urpi/devices/protocol.py drops, and counts it alike; a test feeds both
 * the same bytes.
 */
#ifndef URPI_SERIAL_LINE_H
#define URPI_SERIAL_LINE_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol.h"

/* What a reader met, all mod 65536. */
struct serial_counts {
    uint16_t lines;    /* good ones of a type that the hub heeds */
    uint16_t half;     /* another line's $ in them */
    uint16_t too_long; /* no end within PROTOCOL_MAX_LINE_BYTES */
    uint16_t crc;      /* damaged */
    uint16_t value;    /* a value that is not allowed, a key that is missing or there twice */
    uint16_t unknown;  /* of a type that the hub does not heed */
};

struct serial_reader {
    char line[PROTOCOL_MAX_LINE_BYTES];
    uint8_t size; /* 0 between lines; one more than fits in a line: too long */
    struct serial_counts counts;
};

/* What the Pi says. */
struct serial_command {
    uint8_t type;  /* PROTOCOL_TYPE_ACK, _ASK, _CAL or _LED */
    uint16_t seq;  /* of ACK */
    uint8_t die;   /* of CAL and LED */
    uint8_t value; /* the face of CAL, the lamp of LED */
};

void serial_reader_start(struct serial_reader *reader);

/* Takes a byte. True when it ends a line that says a command. */
bool serial_reader_take(struct serial_reader *reader, char byte, struct serial_command *command);

enum { SERIAL_NO_ERROR = PROTOCOL_ERROR_COUNT };

/* What the hub says of itself. */
struct serial_hub {
    const char *firmware; /* 1 to 16 letters, digits, dots, + and - */
    uint16_t id;
    uint8_t dice;
    uint32_t t_ms;
    uint16_t dropped;
    uint8_t error;        /* enum protocol_error, or SERIAL_NO_ERROR */
};

/* A die's report as a line tells it. */
struct serial_die {
    uint16_t seq;
    uint8_t die;
    uint8_t state;     /* enum protocol_state */
    bool from_die;     /* false: the hub's own word (lost, found), with its number and t alone */
    uint16_t throws;
    uint8_t kind;      /* told with face, tumbles and fall when it settled */
    uint8_t face;
    uint8_t angle_deg; /* told when it settled, and when it is cocked */
    uint8_t tumbles;
    uint16_t fall_ms;
    uint16_t battery_mv;
    uint8_t error;     /* enum protocol_error, or SERIAL_NO_ERROR */
    uint32_t t_ms;
};

/* Writes a line with its CRC and end, and gives its length. `line` holds
 * PROTOCOL_MAX_LINE_BYTES; no allowed value makes it longer. */
uint8_t serial_write_hub(char *line, const struct serial_hub *hub);
uint8_t serial_write_die(char *line, const struct serial_die *die);

#endif
