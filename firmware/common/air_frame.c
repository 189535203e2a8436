#include "air_frame.h"

#include <string.h>

#include "bytes.h"
#include "crc16.h"
#include "protocol.h"

enum { REPORT_TYPE = 1, ORDER_TYPE = 2, SIGNED_REPORT_TYPE = 3, SIGNED_ORDER_TYPE = 4 };
enum {
    REPORT_SIGNATURE_AT = AIR_REPORT_BYTES - 4,
    ORDER_SIGNATURE_AT = AIR_COMMAND_BYTES - 3,
    LAST_AGE_CODE = 0xCF, /* 63,488 ms */
};

static uint16_t frame_crc(const uint8_t *frame, uint8_t size, uint16_t set)
{
    uint8_t salt[2];
    bytes_put16(salt, set);
    return crc16_add(crc16_add(PROTOCOL_CRC_START, salt, sizeof salt), frame, size - 2U);
}

static void seal(uint8_t *frame, uint8_t type, uint8_t size, uint16_t set)
{
    frame[0] = (uint8_t)(AIR_VERSION << 4 | type);
    bytes_put16(frame + size - 2, frame_crc(frame, size, set));
}

static bool is_sealed(const uint8_t *frame, uint8_t type, uint8_t size, uint16_t set)
{
    return frame[0] == (AIR_VERSION << 4 | type) &&
           bytes_get16(frame + size - 2) == frame_crc(frame, size, set);
}

static bool is_die(uint8_t die)
{
    return die >= PROTOCOL_DIE_MIN && die <= PROTOCOL_DIE_MAX;
}

void air_report_pack(uint8_t frame[AIR_REPORT_BYTES], const struct air_report *report,
                     uint16_t set)
{
    frame[1] = (uint8_t)(report->die << 4 | report->kind);
    frame[2] = report->starts;
    frame[3] = (uint8_t)report->number;
    frame[4] = (uint8_t)(report->state << 4 | report->fault);
    frame[5] = report->face;
    frame[6] = report->angle_deg;
    frame[7] = report->tumbles;
    bool restless = report->restless && report->verdict != AIR_VERDICT_NONE;
    bytes_put16(frame + 8,
                (uint16_t)(report->fall_ms + report->verdict + (restless ? AIR_RESTLESS : 0)));
    bytes_put16(frame + 10, report->throws);
    bytes_put16(frame + 12, report->battery_mv);
    bytes_put16(frame + 14, report->age_ms);
    seal(frame, REPORT_TYPE, AIR_REPORT_BYTES, set);
}

/* A settled die must report its face, because the hub's line requires it. */
static bool is_allowed(const struct air_report *report)
{
    return is_die(report->die) && (report->kind == 4 || report->kind == 6) &&
           report->state < PROTOCOL_STATE_COUNT && report->fault < AIR_FAULT_COUNT &&
           report->face <= report->kind &&
           (report->state != PROTOCOL_STATE_SETTLED || report->face >= PROTOCOL_FACE_MIN) &&
           report->angle_deg <= PROTOCOL_ANG_MAX && report->battery_mv <= PROTOCOL_BAT_MAX;
}

bool air_report_unpack(struct air_report *report, const uint8_t frame[AIR_REPORT_BYTES],
                       uint16_t set)
{
    uint16_t fall_ms = bytes_get16(frame + 8);
    uint8_t verdict = (uint8_t)(fall_ms % AIR_FALL_STEP_MS);
    bool restless = verdict >= AIR_VERDICT_COUNT;
    *report = (struct air_report){
        .die = frame[1] >> 4,
        .kind = frame[1] & 0x0FU,
        .starts = frame[2],
        .number = frame[3],
        .state = frame[4] >> 4,
        .fault = frame[4] & 0x0FU,
        .face = frame[5],
        .angle_deg = frame[6],
        .tumbles = frame[7],
        .verdict = (uint8_t)(verdict - (restless ? AIR_RESTLESS : 0)),
        .restless = restless,
        .fall_ms = (uint16_t)(fall_ms - fall_ms % AIR_FALL_STEP_MS),
        .throws = bytes_get16(frame + 10),
        .battery_mv = bytes_get16(frame + 12),
        .age_ms = bytes_get16(frame + 14),
    };
    return is_sealed(frame, REPORT_TYPE, AIR_REPORT_BYTES, set) && is_allowed(report);
}

static uint8_t saturated(uint16_t value)
{
    return value < UINT8_MAX ? (uint8_t)value : UINT8_MAX;
}

/* Exact below 32 ms, and rounded down by less than a sixteenth above. */
static uint8_t pack_age(uint16_t age_ms)
{
    uint8_t exponent = 1;
    if (age_ms < 16)
        return (uint8_t)age_ms;
    while (age_ms >= 32) {
        age_ms >>= 1;
        exponent++;
    }
    return (uint8_t)(exponent << 4 | (age_ms - 16));
}

static uint16_t unpack_age(uint8_t code)
{
    uint8_t exponent = code >> 4;
    return exponent ? (uint16_t)((16U + (code & 0x0FU)) << (exponent - 1)) : code;
}

static uint32_t report_signature(const uint8_t *frame, const struct identity *identity)
{
    uint8_t block[SIGNATURE_BLOCK_BYTES];
    memcpy(block, frame, REPORT_SIGNATURE_AT);
    bytes_put16(block + REPORT_SIGNATURE_AT, identity->set);
    return signature_of(identity->key, block);
}

void air_report_sign(uint8_t frame[AIR_REPORT_BYTES], const struct air_report *report,
                     const struct identity *identity)
{
    frame[0] = AIR_VERSION << 4 | SIGNED_REPORT_TYPE;
    frame[1] = (uint8_t)((report->die - 1) << 5 | (report->kind == 6) << 4 | report->restless << 3 |
                         report->state);
    frame[2] = (uint8_t)(report->verdict << 6 | report->fault << 4 | report->face);
    frame[3] = report->angle_deg;
    frame[4] = report->tumbles;
    frame[5] = saturated(report->fall_ms / AIR_FALL_STEP_MS);
    bytes_put16(frame + 6, report->throws);
    frame[8] = saturated((report->battery_mv + AIR_BATTERY_STEP_MV / 2) / AIR_BATTERY_STEP_MV);
    frame[9] = pack_age(report->age_ms);
    bytes_put32(frame + 10, report->number);
    bytes_put32(frame + REPORT_SIGNATURE_AT, report_signature(frame, identity));
}

bool air_report_is_signed(const uint8_t frame[AIR_REPORT_BYTES])
{
    return frame[0] == (AIR_VERSION << 4 | SIGNED_REPORT_TYPE);
}

bool air_report_is_genuine(const uint8_t frame[AIR_REPORT_BYTES], const struct identity *identity)
{
    return bytes_get32(frame + REPORT_SIGNATURE_AT) == report_signature(frame, identity);
}

bool air_report_unpack_signed(struct air_report *report, const uint8_t frame[AIR_REPORT_BYTES])
{
    *report = (struct air_report){
        .die = (uint8_t)((frame[1] >> 5) + 1),
        .kind = frame[1] & 0x10U ? 6 : 4,
        .restless = frame[1] & 0x08U,
        .state = frame[1] & 0x07U,
        .verdict = frame[2] >> 6,
        .fault = frame[2] >> 4 & 0x03U,
        .face = frame[2] & 0x0FU,
        .angle_deg = frame[3],
        .tumbles = frame[4],
        .fall_ms = (uint16_t)(frame[5] * AIR_FALL_STEP_MS),
        .throws = bytes_get16(frame + 6),
        .battery_mv = (uint16_t)(frame[8] * AIR_BATTERY_STEP_MV),
        .age_ms = unpack_age(frame[9]),
        .number = bytes_get32(frame + 10),
        .starts = frame[12],
    };
    return air_report_is_signed(frame) && report->verdict < AIR_VERDICT_COUNT &&
           frame[9] <= LAST_AGE_CODE && is_allowed(report);
}

void air_order_pack(uint8_t frame[AIR_COMMAND_BYTES], const struct air_order *order, uint16_t set)
{
    frame[1] = order->die;
    frame[2] = order->seq;
    frame[3] = order->command;
    bytes_put16(frame + 4, order->argument);
    seal(frame, ORDER_TYPE, AIR_COMMAND_BYTES, set);
}

bool air_order_unpack(struct air_order *order, const uint8_t frame[AIR_COMMAND_BYTES],
                      uint16_t set)
{
    *order = (struct air_order){frame[1], frame[2], frame[3], bytes_get16(frame + 4)};
    return is_sealed(frame, ORDER_TYPE, AIR_COMMAND_BYTES, set) && is_die(order->die) &&
           order->command > AIR_COMMAND_NONE && order->command < AIR_COMMAND_COUNT;
}

static uint32_t order_signature(const uint8_t *frame, const struct identity *identity,
                                uint32_t number)
{
    uint8_t block[SIGNATURE_BLOCK_BYTES] = {0};
    memcpy(block, frame, ORDER_SIGNATURE_AT);
    bytes_put32(block + ORDER_SIGNATURE_AT, number);
    bytes_put16(block + ORDER_SIGNATURE_AT + 4, identity->set);
    return signature_of(identity->key, block);
}

void air_order_sign(uint8_t frame[AIR_COMMAND_BYTES], const struct air_order *order,
                    const struct identity *identity, uint32_t number)
{
    frame[0] = AIR_VERSION << 4 | SIGNED_ORDER_TYPE;
    frame[1] = (uint8_t)(order->command << 4 | order->die);
    frame[2] = order->seq;
    bytes_put16(frame + 3, order->argument);
    uint32_t signature = order_signature(frame, identity, number);
    bytes_put16(frame + ORDER_SIGNATURE_AT, (uint16_t)signature);
    frame[ORDER_SIGNATURE_AT + 2] = (uint8_t)(signature >> 16);
}

bool air_order_unpack_signed(struct air_order *order, const uint8_t frame[AIR_COMMAND_BYTES],
                             const struct identity *identity, uint32_t number)
{
    uint32_t signature = order_signature(frame, identity, number);
    *order = (struct air_order){
        frame[1] & 0x0FU, frame[2], frame[1] >> 4, bytes_get16(frame + 3)};
    return frame[0] == (AIR_VERSION << 4 | SIGNED_ORDER_TYPE) &&
           bytes_get16(frame + ORDER_SIGNATURE_AT) == (uint16_t)signature &&
           frame[ORDER_SIGNATURE_AT + 2] == (uint8_t)(signature >> 16) && is_die(order->die) &&
           order->command > AIR_COMMAND_NONE && order->command < AIR_COMMAND_COUNT;
}
