/* Parser and writer of the lines between the hub and the Pi (docs/design/FORMATS.md, Serial lines).
 *
 * The reader drops and counts the same lines as urpi/hardware/protocol.py; a test compares both with
 * the same bytes.
 */
#ifndef URPI_SERIAL_LINE_H
#define URPI_SERIAL_LINE_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol.h"

/* Numbers of lines read and dropped, all mod 65536. */
struct serial_counts {
    uint16_t lines;    /* valid, of a type that the hub processes */
    uint16_t half;     /* interrupted by another line's $ */
    uint16_t too_long; /* no end within PROTOCOL_MAX_LINE_BYTES */
    uint16_t crc;      /* wrong CRC */
    uint16_t value;    /* invalid value, or missing or duplicate key */
    uint16_t unknown;  /* of a type that the hub does not process */
};

struct serial_reader {
    char line[PROTOCOL_MAX_LINE_BYTES];
    uint8_t size; /* 0 between lines; one more than the maximum if too long */
    struct serial_counts counts;
};

/* A command from the Pi. */
struct serial_command {
    uint8_t type;  /* PROTOCOL_TYPE_ACK, _ASK, _CAL, _LED, _BAT or _NEW */
    uint16_t seq;  /* of ACK */
    uint8_t die;   /* of the other ones */
    uint16_t value; /* the face of CAL, the lamp of LED, the millivolts of BAT */
};

void serial_reader_start(struct serial_reader *reader);

/* Processes a byte. Returns true if it completes a line with a command. */
bool serial_reader_add(struct serial_reader *reader, char byte, struct serial_command *command);

enum { SERIAL_NO_ERROR = PROTOCOL_ERROR_COUNT };

/* The hub's greeting. */
struct serial_hub {
    const char *firmware; /* 1 to 16 letters, digits, dots, + and - */
    uint16_t id;
    uint8_t dice;
    uint32_t t_ms;
    uint16_t dropped;
    bool has_key;         /* it verifies the dice's signatures; written if true */
    uint8_t renewed;      /* the die whose new chip it waits for; written unless 0 */
    uint8_t error;        /* enum protocol_error, or SERIAL_NO_ERROR */
};

/* A die's report for a line. */
struct serial_die {
    uint16_t seq;
    uint8_t die;
    uint8_t state;     /* enum protocol_state */
    bool from_die;     /* false: the hub's own report (lost, found), without the die's values */
    uint16_t throws;
    uint8_t kind;      /* written with face, tumbles and fall if settled */
    uint8_t face;
    uint8_t angle_deg; /* written if settled or cocked */
    uint8_t tumbles;
    uint16_t fall_ms;
    bool has_verdict;  /* the die sent its verdict, which is `thrown`; written if settled */
    bool thrown;
    uint16_t battery_mv;
    uint8_t error;     /* enum protocol_error, or SERIAL_NO_ERROR */
    uint32_t t_ms;
};

/* Writes a line with its CRC and end, and returns its length. `line` has room for
 * PROTOCOL_MAX_LINE_BYTES, which valid values never exceed. */
uint8_t serial_write_hub(char *line, const struct serial_hub *hub);
uint8_t serial_write_die(char *line, const struct serial_die *die);

#endif
