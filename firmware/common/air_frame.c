#include "air_frame.h"

#include "bytes.h"
#include "crc16.h"
#include "protocol.h"

enum { REPORT_TYPE = 1, ORDER_TYPE = 2 };

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
    frame[3] = report->seq;
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
        .seq = frame[3],
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
