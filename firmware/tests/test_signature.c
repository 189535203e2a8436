/* Signed frames: what dice sign, and what a hub and a die with a key accept. */
#include <string.h>

#include "bytes.h"
#include "check.h"
#include "crc16.h"
#include "die.h"
#include "hub.h"
#include "numbers.h"
#include "starts.h"
#include "tests.h"

static uint8_t memory[0x300];
static int writes_left; /* bytes until the power fails */

static void read_memory(uint16_t at, uint8_t *bytes, uint8_t size)
{
    memcpy(bytes, memory + at, size);
}

static void write_memory(uint16_t at, const uint8_t *bytes, uint8_t size)
{
    for (uint8_t i = 0; i < size; i++, writes_left--) {
        if (writes_left == 0)
            memory[at + i] = (uint8_t)check_random(256); /* the byte that was being written */
        else if (writes_left > 0)
            memory[at + i] = bytes[i];
    }
}

static const struct calibration_storage storage = {read_memory, write_memory};

static void erase(void)
{
    memset(memory, 0xFF, sizeof memory);
    writes_left = 1000000;
}

static struct identity identity_of(char role, uint8_t key)
{
    struct identity it = {.role = (uint8_t)role, .set = 7, .number = role == 'D' ? 2 : 0,
                          .kind = role == 'D' ? 4 : 0, .hub_id = 0x5F3A, .reference_mv = 1100,
                          .has_key = key > 0, .pairing = 0x12345678};
    memset(it.key, key, sizeof it.key);
    return it;
}

static const struct air_report settled = {
    .die = 2, .kind = 4, .starts = 9, .number = 0x30009, .state = PROTOCOL_STATE_SETTLED,
    .face = 3, .angle_deg = 2, .tumbles = 6, .verdict = AIR_VERDICT_THROWN, .restless = true,
    .fault = AIR_FAULT_CAL, .fall_ms = 180, .throws = 41, .battery_mv = 3872, .age_ms = 20};

/* The published vector of Chaskey-12 for the message 00 01 .. 0F (Mouha's reference code, CC0). */
void the_signature_is_chaskey_12(void)
{
    static const uint32_t words[] = {0x833D3433, 0x009F389F, 0x2398E64F, 0x417ACF39};
    uint8_t key[SIGNATURE_KEY_BYTES], block[SIGNATURE_BLOCK_BYTES];
    for (uint8_t i = 0; i < 4; i++)
        bytes_put32(key + 4 * i, words[i]);
    for (uint8_t i = 0; i < sizeof block; i++)
        block[i] = i;
    CHECK_EQUAL(signature_of(key, block), 0x5DD0E2A9);
}

void a_signed_report_round_trips_through_its_frame(void)
{
    const struct identity identity = identity_of('D', 1);
    uint8_t frame[AIR_REPORT_BYTES], again[AIR_REPORT_BYTES];
    struct air_report back;
    air_report_sign(frame, &settled, &identity);
    CHECK(air_report_is_signed(frame));
    CHECK(air_report_is_genuine(frame, &identity));
    CHECK(air_report_unpack_signed(&back, frame));
    CHECK_EQUAL(back.die, 2);
    CHECK_EQUAL(back.kind, 4);
    CHECK_EQUAL(back.state, PROTOCOL_STATE_SETTLED);
    CHECK_EQUAL(back.face, 3);
    CHECK_EQUAL(back.verdict, AIR_VERDICT_THROWN);
    CHECK_EQUAL(back.fault, AIR_FAULT_CAL);
    CHECK(back.restless);
    CHECK_EQUAL(back.angle_deg, 2);
    CHECK_EQUAL(back.tumbles, 6);
    CHECK_EQUAL(back.fall_ms, 180);
    CHECK_EQUAL(back.throws, 41);
    CHECK_EQUAL(back.battery_mv, 3880); /* in steps of 20 mV */
    CHECK_EQUAL(back.age_ms, 20);
    CHECK_EQUAL(back.number, 0x30009);
    CHECK_EQUAL(back.starts, 3);
    air_report_sign(again, &back, &identity);
    CHECK(memcmp(frame, again, sizeof frame) == 0);
}

void an_age_is_rounded_down_by_less_than_a_sixteenth(void)
{
    const struct identity identity = identity_of('D', 1);
    for (uint32_t age_ms = 0; age_ms <= UINT16_MAX; age_ms++) {
        struct air_report report = settled, back;
        uint8_t frame[AIR_REPORT_BYTES];
        report.age_ms = (uint16_t)age_ms;
        air_report_sign(frame, &report, &identity);
        CHECK(air_report_unpack_signed(&back, frame));
        CHECK(back.age_ms <= age_ms && age_ms - back.age_ms <= age_ms / 16);
        CHECK(age_ms >= 32 || back.age_ms == age_ms);
    }
}

void a_flipped_bit_another_key_or_set_invalidates_a_signature(void)
{
    const struct identity identity = identity_of('D', 1), other = identity_of('D', 2);
    struct identity neighbour = identity;
    uint8_t frame[AIR_REPORT_BYTES];
    neighbour.set = 8;
    air_report_sign(frame, &settled, &identity);
    CHECK(!air_report_is_genuine(frame, &other));
    CHECK(!air_report_is_genuine(frame, &neighbour));
    for (unsigned bit = 0; bit < 8 * AIR_REPORT_BYTES; bit++) {
        air_report_sign(frame, &settled, &identity);
        frame[bit / 8] ^= (uint8_t)(1U << bit % 8);
        CHECK(!air_report_is_genuine(frame, &identity));
    }
}

void a_signed_command_is_valid_after_one_report_only(void)
{
    const struct identity identity = identity_of('H', 1), other = identity_of('H', 2);
    const struct air_order order = {5, 77, AIR_COMMAND_BATTERY, 4123};
    uint8_t frame[AIR_COMMAND_BYTES];
    struct air_order back;
    air_order_sign(frame, &order, &identity, 1000);
    CHECK(air_order_unpack_signed(&back, frame, &identity, 1000));
    CHECK_EQUAL(back.die, order.die);
    CHECK_EQUAL(back.seq, order.seq);
    CHECK_EQUAL(back.command, order.command);
    CHECK_EQUAL(back.argument, order.argument);
    CHECK(!air_order_unpack_signed(&back, frame, &identity, 1001));
    CHECK(!air_order_unpack_signed(&back, frame, &other, 1000));
    for (unsigned bit = 0; bit < 8 * AIR_COMMAND_BYTES; bit++) {
        air_order_sign(frame, &order, &identity, 1000);
        frame[bit / 8] ^= (uint8_t)(1U << bit % 8);
        CHECK(!air_order_unpack_signed(&back, frame, &identity, 1000));
    }
}

/* --- a hub --- */

static struct hub hub;
static struct numbers numbers;
static struct identity hub_identity;
static char line[PROTOCOL_MAX_LINE_BYTES + 1];

static void start_hub(void)
{
    hub_start(&hub, &hub_identity, "1.0.0", SERIAL_NO_ERROR, 0);
    numbers_start(&numbers, &storage, &hub.identity);
    for (uint8_t die = 1; hub.identity.has_key && die <= HUB_DICE; die++)
        hub_set_number(&hub, die, numbers_load(&numbers, die));
}

static void store(void)
{
    uint32_t number;
    for (uint8_t die; (die = hub_next_unstored(&hub, &number)) != 0;)
        for (numbers_save(&numbers, die, number); numbers_are_busy(&numbers);)
            numbers_step(&numbers);
}

static uint8_t receive(const struct identity *from, uint32_t number, uint32_t now_ms)
{
    struct air_report report = settled;
    uint8_t frame[AIR_REPORT_BYTES];
    report.number = number;
    report.starts = (uint8_t)(number >> 16);
    report.fault = AIR_FAULT_NONE;
    report.restless = false;
    if (from->has_key)
        air_report_sign(frame, &report, from);
    else
        air_report_pack(frame, &report, from->set);
    uint8_t die = hub_on_frame(&hub, frame, now_ms);
    store();
    return die;
}

static bool line_has(const char *text, uint32_t now_ms)
{
    uint8_t size = hub_next_line(&hub, line, now_ms);
    line[size] = '\0';
    return strstr(line, text) != NULL;
}

void a_hub_with_a_key_rejects_forged_and_repeated_reports(void)
{
    const struct identity die = identity_of('D', 1), forger = identity_of('D', 2);
    const struct identity plain = identity_of('D', 0);
    hub_identity = identity_of('H', 1);
    erase();
    start_hub();
    CHECK(line_has(",auth=1*", 0));
    CHECK_EQUAL(receive(&die, 0x10005, 10), 2);
    CHECK(line_has("face=3", 10));
    CHECK(!strstr(line, "err="));
    CHECK_EQUAL(receive(&die, 0x10005, 20), 2); /* a heartbeat is the last one again */
    CHECK_EQUAL(receive(&die, 0x10006, 30), 2);
    CHECK_EQUAL(receive(&die, 0x10005, 40), 0); /* an attacker sends what was recorded */
    CHECK_EQUAL(receive(&forger, 0x10007, 50), 0);
    CHECK_EQUAL(receive(&plain, 0x10007, 60), 0); /* it has signed once */
    CHECK_EQUAL(hub.dropped, 3);
    CHECK(line_has(",auth=1,err=forged*", 1000));
    CHECK_EQUAL(receive(&die, 0x20000, 70), 2); /* the die has restarted */
    hub_tick(&hub, 60 + AIR_LOST_S * 1000UL);
    CHECK(!line_has("err=", 3000));
}

void a_restarted_hub_knows_the_last_numbers(void)
{
    const struct identity die = identity_of('D', 1);
    hub_identity = identity_of('H', 1);
    erase();
    for (uint32_t number = 0x10000; number < 0x10040; number++) {
        start_hub();
        CHECK_EQUAL(receive(&die, number, 10), 2);
        start_hub();
        CHECK_EQUAL(hub.dice[1].number, number);
        CHECK_EQUAL(receive(&die, number - 1, 10), 0);
        CHECK_EQUAL(receive(&die, number, 10), 2); /* its heartbeat */
    }
    hub_identity.pairing++; /* flashed again, for another die with this number */
    start_hub();
    CHECK_EQUAL(hub.dice[1].number, 0);
    CHECK_EQUAL(receive(&die, 0x10000, 10), 2);
}

void a_power_cut_keeps_a_number_of_the_last_two(void)
{
    hub_identity = identity_of('H', 1);
    erase();
    start_hub();
    for (uint32_t number = 1; number < 2000; number++) {
        uint32_t before = numbers_load(&numbers, 3);
        numbers_save(&numbers, 3, number);
        writes_left = (int)check_random(2 * EEPROM_NUMBER_BYTES);
        while (numbers_are_busy(&numbers))
            numbers_step(&numbers);
        writes_left = 1000000;
        start_hub();
        uint32_t found = numbers_load(&numbers, 3);
        CHECK(found == number || found == before);
    }
}

void an_unsigned_die_is_reported_as_such_by_a_hub_with_a_key(void)
{
    const struct identity plain = identity_of('D', 0), keyed = identity_of('D', 1);
    hub_identity = identity_of('H', 1);
    erase();
    start_hub();
    (void)line_has("", 0);
    CHECK_EQUAL(receive(&plain, 5, 10), 2);
    CHECK(line_has(",err=nokey,", 10));
    CHECK_EQUAL(receive(&keyed, 0x10000, 20), 2); /* it was flashed again, with the key */
    CHECK(line_has("DIE,seq=1,", 20));
    CHECK(!strstr(line, "err="));
}

void a_hub_without_a_key_rejects_signed_reports(void)
{
    const struct identity plain = identity_of('D', 0), keyed = identity_of('D', 1);
    hub_identity = identity_of('H', 0);
    erase();
    start_hub();
    CHECK(!line_has("auth", 0));
    CHECK_EQUAL(receive(&keyed, 0x10000, 10), 0);
    CHECK(line_has("err=forged", 1000));
    CHECK_EQUAL(receive(&plain, 5, 20), 2);
    CHECK(line_has("face=3", 1001));
    CHECK(!strstr(line, "err="));
}

/* --- a new chip in a die, which begins to count again --- */

static bool next_order(struct air_order *order, uint8_t frame[AIR_COMMAND_BYTES])
{
    if (!hub_next_order(&hub, 2, order))
        return false;
    hub_pack_order(&hub, frame, order);
    return true;
}

static void let_go_on(uint32_t now_ms)
{
    const struct serial_command command = {PROTOCOL_TYPE_NEW, 0, 2, 0};
    hub_on_command(&hub, &command, now_ms);
}

void a_new_chip_goes_on_where_the_former_one_ended(void)
{
    const struct identity identity = identity_of('D', 1);
    struct air_order order;
    struct die new_chip;
    uint8_t frame[AIR_COMMAND_BYTES];
    hub_identity = identity_of('H', 1);
    erase();
    start_hub();
    CHECK_EQUAL(receive(&identity, 0x50007, 10), 2); /* of the former chip */
    die_start(&new_chip, &identity, 1, &storage);
    CHECK_EQUAL(receive(&identity, 0x10000, 20), 0);
    CHECK(!next_order(&order, frame));
    let_go_on(30);
    CHECK(line_has(",auth=1,new=2,err=forged*", 30));
    CHECK(!next_order(&order, frame)); /* the die does not listen yet */
    CHECK_EQUAL(receive(&identity, 0x10000, 40), 2); /* its heartbeat */
    CHECK(next_order(&order, frame));
    CHECK(air_order_unpack_signed(&order, frame, &identity, 0x10000));
    CHECK(die_on_order(&new_chip, &order));
    CHECK_EQUAL(new_chip.outbox.next_number, 0x60000);
    CHECK(!die_on_order(&(struct die){.identity = identity, .starts = 6}, &order)); /* never back */
    hub_order_sent(&hub, &order, true);
    CHECK(!next_order(&order, frame));
    CHECK_EQUAL(receive(&identity, 0x60000, 50), 2);
    CHECK(line_has("face=3", 50));
    CHECK(line_has(",auth=1,err=forged*", 1050));
    start_hub();
    CHECK_EQUAL(receive(&identity, 0x50007, 10), 0);
    CHECK_EQUAL(receive(&identity, 0x60001, 20), 2);
}

void a_hub_that_waits_for_a_new_chip_accepts_no_recorded_report(void)
{
    const struct identity identity = identity_of('D', 1), forger = identity_of('D', 2);
    const struct serial_command lamp = {PROTOCOL_TYPE_LED, 0, 2, 1};
    struct air_order order;
    uint8_t frame[AIR_COMMAND_BYTES];
    hub_identity = identity_of('H', 1);
    erase();
    start_hub();
    for (uint32_t number = 0x50000; number < 0x50020; number++)
        CHECK_EQUAL(receive(&identity, number, 10), 2);
    while (hub.waiting) {
        const struct serial_command ack = {PROTOCOL_TYPE_ACK, hub.queue[0].report.seq, 0, 0};
        hub_on_command(&hub, &ack, 10);
    }
    hub_on_command(&hub, &lamp, 20);
    let_go_on(20);
    CHECK_EQUAL(receive(&forger, 0x10000, 30), 0);
    CHECK(!next_order(&order, frame));
    for (uint32_t number = 0x50000; number < 0x5001F; number++) {
        CHECK_EQUAL(receive(&identity, number, 30), 2);
        CHECK(next_order(&order, frame)); /* valid only for a die that has just sent this number */
        CHECK_EQUAL(order.command, AIR_COMMAND_NUMBER);
        CHECK(!air_order_unpack_signed(&order, frame, &identity, 0x10000));
        hub_order_sent(&hub, &order, true); /* by the attacker */
        CHECK(!next_order(&order, frame));
    }
    CHECK_EQUAL(hub.waiting, 0);
    CHECK_EQUAL(receive(&identity, 0x5001F, 40), 2); /* the last one is a heartbeat */
    CHECK_EQUAL(hub.waiting, 0);
    CHECK_EQUAL(hub.renewed, 2);
    hub_tick(&hub, 20 + AIR_COMMAND_LIFE_S * 1000UL);
    CHECK_EQUAL(hub.renewed, 0);
    CHECK_EQUAL(receive(&identity, 0x10000, 200000), 0);
}

/* --- a die --- */

void the_number_of_starts_never_goes_back(void)
{
    erase();
    CHECK_EQUAL(starts_load(&storage), 0);
    for (int round = 0; round < 2000; round++) {
        uint16_t before = starts_load(&storage);
        writes_left = (int)check_random(2 * EEPROM_KEYED_STARTS_BYTES);
        starts_save(&storage, (uint16_t)(before + 1U));
        writes_left = 1000000;
        CHECK(starts_load(&storage) == before || starts_load(&storage) == before + 1);
    }
    CHECK(starts_load(&storage) > 500);
}

void a_key_is_read_from_its_layout(void)
{
    uint8_t record[EEPROM_KEY_BYTES] = {'K', 1};
    struct identity it = identity_of('D', 0);
    for (uint8_t i = 0; i < SIGNATURE_KEY_BYTES; i++)
        record[2 + i] = (uint8_t)(0xA0 + i);
    bytes_put32(record + 18, 0x01020304);
    bytes_put16(record + 22, crc16_add(PROTOCOL_CRC_START, record, 22));
    identity_read_key(&it, record);
    CHECK(it.has_key);
    CHECK_EQUAL(it.key[15], 0xAF);
    CHECK_EQUAL(it.pairing, 0x01020304);
    for (unsigned bit = 0; bit < 8 * EEPROM_KEY_BYTES; bit++) {
        record[bit / 8] ^= (uint8_t)(1U << bit % 8);
        identity_read_key(&it, record);
        CHECK(!it.has_key);
        record[bit / 8] ^= (uint8_t)(1U << bit % 8);
    }
    memset(record, 0xFF, sizeof record);
    identity_read_key(&it, record);
    CHECK(!it.has_key);
}
