/* Packing and checking of the radio's frames: a die's report, and the hub's command.
 *
 * A report, AIR_REPORT_BYTES, two-byte numbers little-endian:
 *   0 version in the high half, 1 in the low   8 free fall, ms (2)
 *   1 die in the high half, faces in the low  10 throws (2)
 *   2 number of the die's starts, mod 256     12 battery, mV (2)
 *   3 sequence, mod 256                       14 age, ms (2)
 *   4 state in the high half, fault in the low
 *   5 face   6 angle, degrees   7 tumbles     16 CRC (2)
 * A free fall is a multiple of 5 ms. The remainder is the die's verdict (enum air_verdict), so that a
 * hub of an earlier version accepts the frame, and a die of an earlier version sends none. A restless
 * die adds AIR_RESTLESS to its verdict.
 * A command, AIR_COMMAND_BYTES: version and 2, die, sequence, command, argument (2), CRC (2).
 *
 * Dice and hubs with a key sign their frames, which have the same sizes. A signed report:
 *   0 version in the high half, 3 in the low   6 throws (2)
 *   1 die - 1, 3 bits; 1 for six faces;        8 battery, in AIR_BATTERY_STEP_MV
 *     restless; state, 3 bits                  9 age, rounded down: 4 bits of exponent e and 4 of m,
 *   2 verdict, 2 bits; fault, 2; face, 3         m ms for e = 0, else (16 + m) << (e - 1) ms
 *   3 angle   4 tumbles                       10 number (4)
 *   5 free fall in AIR_FALL_STEP_MS           14 signature (4) of the bytes before and the set (2)
 * Its number is never used again: the die's starts in the high half, and the reports since the start
 * in the low one. A signed command: version and 4, command in the high half and die in the low,
 * sequence, argument (2), and 3 bytes of the signature of these, of the number (4) of the report that
 * the die has just sent, and of the set (2). So it is valid only once, just after that report.
 *
 * A die that flew adds AIR_LEAN_MAX + 1 to the angle of a settled report. Then the fall is its flight, and
 * the tumbles are its evidence (verdict.h): the angle turned in steps of AIR_TURN_STEP_DEG, times
 * AIR_EDGES_MAX + 1, plus the edges rolled over. The Pi reads it; the hub passes it on.
 *
 * The CRC includes the set's number, so that a frame of another board is never accepted. The chip's
 * own CRC protects the transmission by radio; this one also protects both chips and SPI.
 */
#ifndef URPI_AIR_FRAME_H
#define URPI_AIR_FRAME_H

#include <stdbool.h>
#include <stdint.h>

#include "air_protocol.h"
#include "identity.h"

enum air_verdict { AIR_VERDICT_NONE, AIR_VERDICT_MOVED, AIR_VERDICT_THROWN, AIR_VERDICT_COUNT };
enum { AIR_FALL_STEP_MS = 5, AIR_FALL_MAX_MS = 65530, AIR_RESTLESS = 2 };
enum { AIR_BATTERY_STEP_MV = 20 };
enum { AIR_LEAN_MAX = 15, AIR_EDGES_MAX = 3, AIR_TURN_STEP_DEG = 3 };

struct air_report {
    uint8_t die;         /* 1 to 8 */
    uint8_t kind;        /* faces, 4 or 6 */
    uint8_t starts;      /* identifies the report together with the low byte of its number */
    uint32_t number;     /* only its low byte is in a report without signature */
    uint8_t state;       /* enum protocol_state */
    uint8_t fault;       /* enum air_fault */
    uint8_t face;        /* from 1 if settled, else 0 */
    uint8_t angle_deg;   /* 0 to 90 */
    uint8_t tumbles;     /* saturates */
    uint8_t verdict;     /* enum air_verdict, of a settled die */
    bool restless;       /* it wakes again and again without motion; sent with a verdict only */
    uint16_t fall_ms;    /* a multiple of AIR_FALL_STEP_MS, at most AIR_FALL_MAX_MS */
    uint16_t throws;     /* wraps */
    uint16_t battery_mv; /* 0 to 9999 */
    uint16_t age_ms;     /* time since it happened; saturates */
};

struct air_order {
    uint8_t die;
    uint8_t seq;      /* wraps; the same in a repeat after a lost acknowledgement */
    uint8_t command;  /* enum air_command */
    uint16_t argument; /* a face, a lamp on or off, or millivolts */
};

void air_report_pack(uint8_t frame[AIR_REPORT_BYTES], const struct air_report *report,
                     uint16_t set);

/* Returns false if the frame is not a report of this set, is damaged, or has an invalid value. */
bool air_report_unpack(struct air_report *report, const uint8_t frame[AIR_REPORT_BYTES],
                       uint16_t set);

/* Packs a report and signs it. Values that do not fit saturate. */
void air_report_sign(uint8_t frame[AIR_REPORT_BYTES], const struct air_report *report,
                     const struct identity *identity);

/* Returns whether a frame is a signed report. */
bool air_report_is_signed(const uint8_t frame[AIR_REPORT_BYTES]);

/* Returns whether its signature is that of this key and set. */
bool air_report_is_genuine(const uint8_t frame[AIR_REPORT_BYTES], const struct identity *identity);

/* Reads a signed report, whose signature is not verified. Returns false if a value is invalid. */
bool air_report_unpack_signed(struct air_report *report, const uint8_t frame[AIR_REPORT_BYTES]);

void air_order_pack(uint8_t frame[AIR_COMMAND_BYTES], const struct air_order *order, uint16_t set);

/* Returns false if the frame is not a command of this set, is damaged, or is unknown. */
bool air_order_unpack(struct air_order *order, const uint8_t frame[AIR_COMMAND_BYTES],
                      uint16_t set);

/* The same with a signature; `number` is that of the report after which the command is sent. */
void air_order_sign(uint8_t frame[AIR_COMMAND_BYTES], const struct air_order *order,
                    const struct identity *identity, uint32_t number);
bool air_order_unpack_signed(struct air_order *order, const uint8_t frame[AIR_COMMAND_BYTES],
                             const struct identity *identity, uint32_t number);

#endif
