/* The small modules: checksums, rings, angles, identities, frames. */
#include <math.h>
#include <string.h>

#include "air_frame.h"
#include "bytes.h"
#include "check.h"
#include "crc16.h"
#include "identity.h"
#include "protocol.h"
#include "ring.h"
#include "tests.h"
#include "vector.h"

void the_checksum_is_crc_16_ccitt_false(void)
{
    const uint8_t digits[] = "123456789";
    CHECK_EQUAL(crc16_add(PROTOCOL_CRC_START, digits, 9), 0x29B1);
    CHECK_EQUAL(crc16_add(PROTOCOL_CRC_START, digits, 0), PROTOCOL_CRC_START);
}

void a_ring_keeps_the_order_and_counts_what_it_rejects(void)
{
    uint8_t bytes[8];
    struct ring ring;
    uint8_t byte = 0;
    ring_start(&ring, bytes, sizeof bytes);
    CHECK_EQUAL(ring_room(&ring), 7);
    for (uint8_t round = 0; round < 5; round++) { /* so that the indices wrap at every position */
        for (uint8_t i = 0; i < 10; i++)
            CHECK_EQUAL(ring_put(&ring, (uint8_t)(10 * round + i)), i < 7);
        CHECK_EQUAL(ring_get_refused(&ring), 3);
        CHECK_EQUAL(ring_get_refused(&ring), 0);
        for (uint8_t i = 0; i < 7; i++) {
            CHECK(ring_get(&ring, &byte));
            CHECK_EQUAL(byte, 10 * round + i);
        }
        CHECK(!ring_get(&ring, &byte));
    }
}

void a_root_is_rounded_down(void)
{
    static const uint32_t values[] = {0, 1, 2, 3, 4, 99, 100, 65535, 65536, 4294836225UL,
                                      UINT32_MAX};
    for (size_t i = 0; i < CHECK_ROWS(values); i++) {
        uint64_t root = vector_root(values[i]);
        CHECK(root * root <= values[i]);
        CHECK((root + 1) * (root + 1) > values[i]);
    }
}

void angles_are_accurate_to_a_fifth_of_a_degree(void)
{
    check_seed(7);
    for (int i = 0; i < 20000; i++) {
        struct vector a = {(int16_t)((int)check_random(2000) - 1000),
                           (int16_t)((int)check_random(2000) - 1000),
                           (int16_t)((int)check_random(2000) - 1000)};
        struct vector b = {(int16_t)(a.x + (int)check_random(i % 2 ? 4000 : 100)),
                           (int16_t)(a.y - (int)check_random(i % 2 ? 4000 : 100)),
                           (int16_t)(a.z + (int)check_random(100))};
        if (vector_square(&a) < 300 * 300 || vector_square(&b) < 300 * 300)
            continue;
        double cosine = vector_dot(&a, &b) / sqrt(vector_square(&a)) / sqrt(vector_square(&b));
        double degrees = acos(fmax(-1, fmin(1, cosine))) * 180 / acos(-1);
        CHECK(fabs(vector_angle(&a, &b) / 10.0 - degrees) < 0.2);
    }
}

void angles_of_extreme_vectors_do_not_overflow(void)
{
    static const int16_t ends[] = {-16000, -1, 0, 1, 16000};
    for (int i = 0; i < 125; i++)
        for (int k = 0; k < 125; k++) {
            struct vector a = {ends[i % 5], ends[i / 5 % 5], ends[i / 25]};
            struct vector b = {ends[k % 5], ends[k / 5 % 5], ends[k / 25]};
            CHECK(vector_angle(&a, &b) <= 1800);
        }
}

static void write_identity(uint8_t *record, uint8_t role, uint8_t number, uint8_t kind)
{
    memset(record, 0, EEPROM_IDENTITY_BYTES);
    record[0] = EEPROM_IDENTITY_MARK;
    record[1] = EEPROM_LAYOUT;
    record[2] = role;
    record[3] = number;
    bytes_put16(record + 4, 7);
    record[6] = EEPROM_CHANNEL_OF_SET;
    record[7] = kind;
    bytes_put16(record + 8, 0x5F3A);
    bytes_put16(record + 10, 1080);
}

static void seal_identity(uint8_t *record)
{
    bytes_put16(record + 12, crc16_add(PROTOCOL_CRC_START, record, 12));
}

void an_identity_is_read_from_its_layout(void)
{
    uint8_t record[EEPROM_IDENTITY_BYTES];
    struct identity it;
    write_identity(record, EEPROM_ROLE_DIE, 3, 4);
    seal_identity(record);
    CHECK(identity_read(&it, EEPROM_ROLE_DIE, record));
    CHECK_EQUAL(it.number, 3);
    CHECK_EQUAL(it.kind, 4);
    CHECK_EQUAL(it.set, 7);
    CHECK_EQUAL(it.channel, 78);
    CHECK_EQUAL(it.hub_id, 0x5F3A);
    CHECK_EQUAL(it.reference_mv, 1080);
    CHECK(!identity_read(&it, EEPROM_ROLE_HUB, record));
    CHECK_EQUAL(it.number, 0);
}

void an_invalid_identity_is_rejected(void)
{
    static const struct {
        const char *row;
        uint8_t at, value;
    } rows[] = {
        {"erased mark", 0, 0xFF}, {"other layout", 1, 2},  {"a hub's role", 2, 'H'},
        {"die 0", 3, 0},          {"die 9", 3, 9},         {"beyond the band", 6, 84},
        {"five faces", 7, 5},     {"reference 0", 11, 0},  {"reference 2 V", 11, 8},
    };
    for (size_t i = 0; i < CHECK_ROWS(rows); i++) {
        uint8_t record[EEPROM_IDENTITY_BYTES];
        struct identity it;
        check_row(rows[i].row);
        write_identity(record, EEPROM_ROLE_DIE, 3, 4);
        record[rows[i].at] = rows[i].value;
        seal_identity(record);
        CHECK(!identity_read(&it, EEPROM_ROLE_DIE, record));
    }
}

void a_flipped_bit_invalidates_an_identity(void)
{
    for (uint8_t bit = 0; bit < 8 * EEPROM_IDENTITY_BYTES; bit++) {
        uint8_t record[EEPROM_IDENTITY_BYTES];
        struct identity it;
        write_identity(record, EEPROM_ROLE_DIE, 3, 4);
        seal_identity(record);
        record[bit / 8] ^= (uint8_t)(1U << bit % 8);
        CHECK(!identity_read(&it, EEPROM_ROLE_DIE, record));
    }
}

void no_two_nodes_of_two_sets_share_an_address(void)
{
    enum { SETS = 40, DICE = 8, NODES = AIR_NODE_HUB_COUNT + DICE };
    uint8_t all[SETS * NODES][AIR_ADDRESS_BYTES];
    for (uint16_t i = 0; i < SETS; i++)
        for (uint8_t node = 0; node < NODES; node++) {
            uint8_t *address = all[i * NODES + node];
            uint16_t set = (uint16_t)(i * 1103U);
            if (node < DICE)
                identity_die_address(address, set, (uint8_t)(node + 1));
            else
                identity_hub_address(address, set, (uint8_t)(node - DICE + 1));
        }
    for (int i = 0; i < SETS * NODES; i++)
        for (int k = 0; k < i; k++)
            CHECK(memcmp(all[i], all[k], AIR_ADDRESS_BYTES) != 0);
}

void the_hubs_addresses_follow_each_other(void)
{
    uint8_t first[AIR_ADDRESS_BYTES];
    uint8_t address[AIR_ADDRESS_BYTES];
    identity_hub_address(first, 7, 1);
    for (uint8_t die = 1; die <= 8; die++) {
        identity_hub_address(address, 7, die);
        CHECK_EQUAL(address[0], first[0] + (die - 1) % AIR_NODE_HUB_COUNT);
        CHECK(memcmp(address + 1, first + 1, AIR_ADDRESS_BYTES - 1) == 0);
    }
}

static const struct air_report settled = {
    .die = 2, .kind = 4, .starts = 9, .number = 200, .state = PROTOCOL_STATE_SETTLED,
    .fault = AIR_FAULT_CAL, .face = 3, .angle_deg = 2, .tumbles = 6, .verdict = AIR_VERDICT_THROWN,
    .restless = true, .fall_ms = 180, .throws = 41, .battery_mv = 3870, .age_ms = 260};

void a_report_round_trips_through_its_frame(void)
{
    uint8_t frame[AIR_REPORT_BYTES];
    uint8_t again[AIR_REPORT_BYTES];
    struct air_report back;
    air_report_pack(frame, &settled, 7);
    CHECK(air_report_unpack(&back, frame, 7));
    CHECK_EQUAL(back.age_ms, 260);
    CHECK_EQUAL(back.fault, AIR_FAULT_CAL);
    CHECK_EQUAL(back.fall_ms, 180);
    CHECK_EQUAL(back.verdict, AIR_VERDICT_THROWN);
    CHECK(back.restless);
    air_report_pack(again, &back, 7);
    CHECK(memcmp(frame, again, sizeof frame) == 0);
    CHECK(!air_report_unpack(&back, frame, 8));
}

void a_command_round_trips_through_its_frame(void)
{
    const struct air_order order = {5, 77, AIR_COMMAND_BATTERY, 4123};
    uint8_t frame[AIR_COMMAND_BYTES];
    struct air_order back;
    air_order_pack(frame, &order, 7);
    CHECK(air_order_unpack(&back, frame, 7));
    CHECK_EQUAL(back.die, order.die);
    CHECK_EQUAL(back.seq, order.seq);
    CHECK_EQUAL(back.command, order.command);
    CHECK_EQUAL(back.argument, order.argument);
    CHECK(!air_order_unpack(&back, frame, 8));
}

void an_impossible_report_is_rejected(void)
{
    static const struct {
        const char *row;
        uint8_t die, kind, state, fault, face, angle;
        uint16_t battery;
    } rows[] = {
        {"die 0", 0, 4, 0, 0, 0, 0, 0},
        {"die 9", 9, 4, 0, 0, 0, 0, 0},
        {"five faces", 1, 5, 0, 0, 0, 0, 0},
        {"unknown state", 1, 4, PROTOCOL_STATE_COUNT, 0, 0, 0, 0},
        {"unknown fault", 1, 4, 0, AIR_FAULT_COUNT, 0, 0, 0},
        {"face 5 of a d4", 1, 4, PROTOCOL_STATE_SETTLED, 0, 5, 0, 0},
        {"settled on no face", 1, 4, PROTOCOL_STATE_SETTLED, 0, 0, 0, 0},
        {"91 degrees", 1, 6, PROTOCOL_STATE_COCKED, 0, 0, 91, 0},
        {"10 V", 1, 6, PROTOCOL_STATE_ROLLING, 0, 0, 0, 10000},
    };
    for (size_t i = 0; i < CHECK_ROWS(rows); i++) {
        struct air_report report = {.die = rows[i].die,
                                    .kind = rows[i].kind,
                                    .state = rows[i].state,
                                    .fault = rows[i].fault,
                                    .face = rows[i].face,
                                    .angle_deg = rows[i].angle,
                                    .battery_mv = rows[i].battery};
        uint8_t frame[AIR_REPORT_BYTES];
        check_row(rows[i].row);
        air_report_pack(frame, &report, 7);
        CHECK(!air_report_unpack(&report, frame, 7));
    }
}

void a_flipped_bit_invalidates_a_frame(void)
{
    uint8_t frame[AIR_REPORT_BYTES];
    struct air_report back;
    for (unsigned bit = 0; bit < 8 * AIR_REPORT_BYTES; bit++) {
        air_report_pack(frame, &settled, 7);
        frame[bit / 8] ^= (uint8_t)(1U << bit % 8);
        CHECK(!air_report_unpack(&back, frame, 7));
    }
}
