/* The drivers with working, dead and reset chips. The chips' behaviour is tested with the simulator
 * (firmware/sim). */
#include <string.h>

#include "check.h"
#include "lis3dh.h"
#include "nrf24.h"
#include "radio_port.h"
#include "tests.h"
#include "twi.h"

/* --- a LIS3DH: registers only --- */

static struct {
    bool dead;
    int dies_after; /* transfers */
    uint8_t registers[0x40];
    int16_t fifo[32][3];
    uint8_t level, first;
} accel;

void twi_start(void)
{
}

static bool answers(void)
{
    return !accel.dead && accel.dies_after-- > 0;
}

bool twi_write(uint8_t address, const uint8_t *bytes, uint8_t size)
{
    if (!answers() || address != 0x18)
        return false;
    for (uint8_t i = 1; i < size; i++)
        accel.registers[(bytes[0] & 0x3F) + i - 1] = bytes[i];
    return true;
}

bool twi_read(uint8_t address, uint8_t first, uint8_t *bytes, uint8_t size)
{
    if (!answers() || address != 0x18)
        return false;
    if (first == 0x2F) {
        *bytes = accel.level;
    } else if ((first & 0x3F) == 0x28 && accel.level) {
        for (; size >= 6; size -= 6, bytes += 6, accel.level--)
            memcpy(bytes, accel.fifo[accel.first++ % 32], 6);
    } else {
        memcpy(bytes, accel.registers + (first & 0x3F), size);
    }
    return true;
}

static void insert_accel(void)
{
    memset(&accel, 0, sizeof accel);
    accel.registers[0x0F] = 0x33;
    accel.dies_after = 1000000;
}

void an_accelerometer_is_identified(void)
{
    insert_accel();
    CHECK(accel_start());
    accel.registers[0x0F] = 0x32;
    CHECK(!accel_start());
    accel.dead = true;
    CHECK(!accel_start());
}

void the_address_pins_pull_up_is_disconnected_if_possible(void)
{
    insert_accel();
    accel.registers[0x1E] = 0x10;
    CHECK(accel_start());
    CHECK_EQUAL(accel.registers[0x1E], 0x90);
    insert_accel(); /* an old sample */
    CHECK(accel_start());
    CHECK_EQUAL(accel.registers[0x1E], 0);
}

void samples_are_in_milli_g_and_in_order(void)
{
    struct vector samples[8];
    uint8_t count;
    insert_accel();
    accel.level = 11;
    for (int i = 0; i < 11; i++) {
        accel.fifo[i][0] = (int16_t)(8000 + 64 * i);
        accel.fifo[i][1] = -32768;
        accel.fifo[i][2] = 32767;
    }
    CHECK(accel_fetch(samples, 8, &count));
    CHECK_EQUAL(count, 8);
    CHECK_EQUAL(samples[7].x, 1056);
    CHECK_EQUAL(samples[0].y, -4096);
    CHECK_EQUAL(samples[0].z, 4095);
    CHECK(accel_fetch(samples, 8, &count));
    CHECK_EQUAL(count, 3);
    CHECK_EQUAL(samples[0].x, 1064);
}

void a_reset_accelerometer_is_detected(void)
{
    struct vector sample;
    insert_accel();
    CHECK(accel_start());
    CHECK(accel_glance(&sample));
    accel.registers[0x20] = 0x07; /* as after power on */
    CHECK(!accel_glance(&sample));
}

void the_interrupt_by_motion_begins_with_the_first_sample(void)
{
    struct vector sample;
    insert_accel();
    CHECK(accel_start());
    CHECK_EQUAL(accel.registers[0x22], 0x10);
    CHECK_EQUAL(accel.registers[0x30], 0);
    accel.registers[0x2D] = 0x40;
    CHECK(accel_arm(&sample));
    CHECK_EQUAL(sample.z, 1024);
    CHECK_EQUAL(accel.registers[0x22], 0x40);
    CHECK_EQUAL(accel.registers[0x30], 0x2A);
}

void an_accelerometer_can_fail_at_any_transfer(void)
{
    struct vector samples[8];
    uint8_t count;
    for (int transfers = 0; transfers < 6; transfers++) {
        insert_accel();
        accel.dies_after = transfers;
        CHECK(!accel_start());
    }
    for (int transfers = 0; transfers < 6; transfers++) {
        insert_accel();
        CHECK(accel_start());
        accel.dies_after = transfers;
        CHECK(!accel_arm(samples));
    }
    for (int transfers = 0; transfers < 4; transfers++) {
        insert_accel();
        accel.dies_after = transfers;
        CHECK(!accel_move());
    }
    for (int transfers = 0; transfers < 2; transfers++) {
        insert_accel();
        accel.level = 6;
        accel.dies_after = transfers;
        CHECK(!accel_fetch(samples, 8, &count));
    }
}

/* --- an nRF24L01+: registers and one frame --- */

static struct {
    bool dead;
    uint8_t stuck; /* the reply of a dead chip: the level of MISO */
    uint8_t registers[0x20];
    uint8_t addresses[0x20][5];
    uint8_t command, at;
    bool enabled, waits; /* CE; whether a frame was received */
    uint8_t frame[32];
} chip;

void radio_port_start(void)
{
}

void radio_port_select(void)
{
    chip.at = 0;
}

void radio_port_release(void)
{
    if (chip.command == 0x61 && chip.at > 1)
        chip.waits = false;
}

void radio_port_enable(bool on)
{
    chip.enabled = on;
}

bool radio_port_irq(void)
{
    return false;
}

static bool is_address(uint8_t at)
{
    return at == 0x0A || at == 0x0B || at == 0x10;
}

static uint8_t exchange(uint8_t byte)
{
    uint8_t at = chip.command & 0x1F;
    uint8_t index = (uint8_t)(chip.at - 1);
    if (chip.command == 0x61)
        return chip.frame[index];
    if (chip.command < 0x20) {
        if (at == 0x17)
            return chip.waits ? 0x10 : 0x11;
        return is_address(at) ? chip.addresses[at][index] : chip.registers[at];
    }
    if (chip.command < 0x40) {
        if (is_address(at))
            chip.addresses[at][index] = byte;
        else if (at == 0x07)
            chip.registers[at] &= (uint8_t)~byte;
        else
            chip.registers[at] = byte;
    }
    return 0;
}

uint8_t radio_port_transfer(uint8_t byte)
{
    uint8_t back = 0x0E;
    if (chip.at == 0)
        chip.command = byte;
    else
        back = exchange(byte);
    chip.at++;
    return chip.dead ? chip.stuck : back;
}

static const struct nrf24_setup setup = {{0xB1, 2, 3, 4, 5}, false, 76, 8, 3};
static const struct nrf24_setup hub_setup = {{0x6A, 2, 3, 4, 5}, true, 76, 18, 2};

void a_radio_that_does_not_keep_its_settings_has_failed(void)
{
    memset(&chip, 0, sizeof chip);
    CHECK(nrf24_start(&setup));
    CHECK(nrf24_is_alive(&setup));
    CHECK_EQUAL(chip.registers[0x05], 76);
    CHECK_EQUAL(chip.registers[0x04], 2 << 4 | AIR_RETRY_COUNT);
    CHECK_EQUAL(chip.registers[0x00] & 0x02, 0); /* power-down */
    chip.dead = true;
    CHECK(!nrf24_start(&setup));
    chip.stuck = 0xFF;
    CHECK(!nrf24_start(&setup));
}

void a_radio_that_lost_its_power_is_detected(void)
{
    memset(&chip, 0, sizeof chip);
    CHECK(nrf24_start(&setup));
    memset(&chip, 0, sizeof chip);
    CHECK(!nrf24_is_alive(&setup));
}

void pipe_0_is_open_only_while_sending(void)
{
    const uint8_t to[] = {0x6D, 9, 9, 9, 9};
    const uint8_t frame[18] = {1, 2, 3};
    memset(&chip, 0, sizeof chip);
    CHECK(nrf24_start(&setup));
    nrf24_send(to, frame, sizeof frame);
    CHECK_EQUAL(chip.registers[0x02], 1);
    CHECK(memcmp(chip.addresses[0x10], to, 5) == 0 && memcmp(chip.addresses[0x0A], to, 5) == 0);
    CHECK(chip.enabled);
    CHECK_EQUAL(nrf24_poll(), NRF24_BUSY);
    chip.registers[0x07] = 0x20;
    CHECK_EQUAL(nrf24_poll(), NRF24_ACKNOWLEDGED);
    CHECK_EQUAL(nrf24_poll(), NRF24_BUSY);
    nrf24_listen(&setup);
    CHECK_EQUAL(chip.registers[0x02], 2);
    CHECK_EQUAL(chip.registers[0x00] & 0x03, 3);
    nrf24_send(to, frame, sizeof frame);
    chip.registers[0x07] = 0x10;
    CHECK_EQUAL(nrf24_poll(), NRF24_UNACKNOWLEDGED);
    CHECK(!chip.enabled);
}

void a_hub_listens_on_six_addresses_again_after_sending(void)
{
    const uint8_t to[] = {0xB3, 2, 3, 4, 5};
    const uint8_t frame[8] = {1, 2, 3};
    memset(&chip, 0, sizeof chip);
    CHECK(nrf24_start(&hub_setup));
    nrf24_send(to, frame, sizeof frame);
    CHECK_EQUAL(chip.registers[0x02], 1);
    nrf24_listen(&hub_setup);
    CHECK_EQUAL(chip.registers[0x02], 0x3F);
    CHECK(memcmp(chip.addresses[0x0A], hub_setup.address, 5) == 0);
    CHECK_EQUAL(chip.addresses[0x0B][0], 0x6B);
    for (uint8_t pipe = 2; pipe < 6; pipe++)
        CHECK_EQUAL(chip.registers[0x0A + pipe], 0x6A + pipe);
    for (uint8_t pipe = 0; pipe < 6; pipe++)
        CHECK_EQUAL(chip.registers[0x11 + pipe], 18);
    CHECK(nrf24_is_alive(&hub_setup));
}

void a_frame_is_received_once(void)
{
    uint8_t frame[8];
    memset(&chip, 0, sizeof chip);
    CHECK(!nrf24_receive(frame, sizeof frame));
    chip.waits = true;
    chip.frame[7] = 0x55;
    CHECK(nrf24_receive(frame, sizeof frame));
    CHECK_EQUAL(frame[7], 0x55);
    CHECK(!nrf24_receive(frame, sizeof frame));
}

void a_radio_that_fails_receives_and_sends_nothing(void)
{
    static const uint8_t hangs[] = {0x00, 0xFF};
    uint8_t frame[18];
    for (uint8_t i = 0; i < sizeof hangs; i++) {
        check_row(hangs[i] ? "MISO hangs high" : "MISO hangs low");
        memset(&chip, 0, sizeof chip);
        CHECK(nrf24_start(&hub_setup));
        chip.dead = true;
        chip.stuck = hangs[i];
        CHECK(!nrf24_receive(frame, sizeof frame));
        CHECK_EQUAL(nrf24_poll(), NRF24_BUSY);
    }
}
