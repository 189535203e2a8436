/* The model of the nRF24L01+ compared with its product specification, with several radios. */
#include "../air.h"
#include "check.h"

#include <stdlib.h>
#include <string.h>

#define US UINT64_C(1000)
#define MS UINT64_C(1000000)

struct bench {
    struct air air;
    struct nrf24_chip chip[3];
    struct {
        struct bench *bench;
        int number;
    } end[3];
    bool irq_high[3];
    uint64_t now_ns;
};

static void transmit(void *context, uint64_t now_ns, uint64_t until_ns,
                     const struct nrf24_chip_packet *packet)
{
    const int *number = (const int *)((char *)context + sizeof(struct bench *));
    air_transmit(&(*(struct bench **)context)->air, *number, now_ns, until_ns, packet);
}

static void irq(void *context, uint64_t now_ns, bool high)
{
    (void)now_ns;
    const int *number = (const int *)((char *)context + sizeof(struct bench *));
    (*(struct bench **)context)->irq_high[*number] = high;
}

static struct bench *start_bench(void)
{
    struct bench *bench = calloc(1, sizeof *bench);
    air_begin(&bench->air, 5);
    for (int i = 0; i < 3; i++) {
        bench->end[i].bench = bench;
        bench->end[i].number = i;
        bench->irq_high[i] = true;
        struct nrf24_chip_links links = {transmit, irq, &bench->end[i]};
        nrf24_chip_begin(&bench->chip[i], &links);
        nrf24_chip_power(&bench->chip[i], 0, true);
        air_add(&bench->air, &bench->chip[i]);
    }
    bench->now_ns = 101 * MS;
    return bench;
}

static void pass(struct bench *bench, uint64_t ns)
{
    uint64_t until = bench->now_ns + ns;
    for (;;) {
        uint64_t due = air_due(&bench->air);
        for (int i = 0; i < 3; i++)
            due = nrf24_chip_due(&bench->chip[i]) < due ? nrf24_chip_due(&bench->chip[i]) : due;
        if (due > until)
            break;
        bench->now_ns = due;
        air_advance(&bench->air, due);
        for (int i = 0; i < 3; i++)
            nrf24_chip_advance(&bench->chip[i], due);
    }
    bench->now_ns = until;
}

/* Executes an SPI transaction, replaces the bytes by those received, and returns STATUS. */
static uint8_t spi(struct bench *bench, int who, uint8_t command, uint8_t *bytes, int count)
{
    struct nrf24_chip *chip = &bench->chip[who];
    nrf24_chip_csn(chip, bench->now_ns, false);
    uint8_t status = nrf24_chip_exchange(chip, bench->now_ns, command);
    for (int i = 0; i < count; i++)
        bytes[i] = nrf24_chip_exchange(chip, bench->now_ns, bytes[i]);
    nrf24_chip_csn(chip, bench->now_ns, true);
    return status;
}

static void set(struct bench *bench, int who, uint8_t at, uint8_t value)
{
    spi(bench, who, 0x20 | at, &value, 1);
}

static uint8_t get(struct bench *bench, int who, uint8_t at)
{
    uint8_t value = 0;
    spi(bench, who, at, &value, 1);
    return value;
}

static void send_text(struct bench *bench, int who, uint8_t command, const char *text)
{
    uint8_t bytes[32];
    size_t length = strlen(text);
    memcpy(bytes, text, length);
    spi(bench, who, command, bytes, (int)length);
}

static const char *receive_text(struct bench *bench, int who)
{
    static char text[33];
    uint8_t bytes[32] = {0};
    uint8_t length = 0;
    if (get(bench, who, RADIO_FIFO_STATUS) & 1)
        return "";
    spi(bench, who, 0x60, &length, 1);
    spi(bench, who, 0x61, bytes, length);
    memcpy(text, bytes, length);
    text[length] = 0;
    return text;
}

/* Number 0 receives and the others send to it: 1 Mbit/s, dynamic length, payloads in
 * acknowledgements. */
static struct bench *start_link(void)
{
    struct bench *bench = start_bench();
    for (int i = 0; i < 3; i++) {
        set(bench, i, RADIO_RF_SETUP, 0x06);
        set(bench, i, RADIO_SETUP_RETR, 0x25 + (uint8_t)i * 0x30);
        set(bench, i, RADIO_FEATURE, 0x07);
        set(bench, i, RADIO_DYNPD, 0x3F);
        set(bench, i, RADIO_CONFIG, i == 0 ? 0x0F : 0x0E);
    }
    pass(bench, 2 * MS);
    nrf24_chip_ce(&bench->chip[0], bench->now_ns, true);
    pass(bench, 1 * MS);
    return bench;
}

static void pulse_ce(struct bench *bench, int who, uint64_t ns)
{
    nrf24_chip_ce(&bench->chip[who], bench->now_ns, true);
    pass(bench, ns);
    nrf24_chip_ce(&bench->chip[who], bench->now_ns, false);
}

static void starts_with_the_registers_of_table_28(void)
{
    static const struct {
        uint8_t at, value;
    } reset[] = {{0x00, 0x08}, {0x01, 0x3F}, {0x02, 0x03}, {0x03, 0x03}, {0x04, 0x03},
                 {0x05, 0x02}, {0x06, 0x0E}, {0x07, 0x0E}, {0x08, 0x00}, {0x09, 0x00},
                 {0x0A, 0xE7}, {0x0B, 0xC2}, {0x0C, 0xC3}, {0x0F, 0xC6}, {0x10, 0xE7},
                 {0x11, 0x00}, {0x17, 0x11}, {0x1C, 0x00}, {0x1D, 0x00}};
    struct bench *bench = start_bench();
    for (size_t i = 0; i < sizeof reset / sizeof reset[0]; i++)
        CHECK(get(bench, 0, reset[i].at) == reset[i].value, "register %02x", reset[i].at);
    set(bench, 0, RADIO_CONFIG, 0xFF);
    CHECK(get(bench, 0, RADIO_CONFIG) == 0x7F, "a reserved bit stays 0");
    uint8_t address[5] = {1, 2, 3, 4, 5};
    spi(bench, 0, 0x20 | RADIO_TX_ADDR, address, 5);
    uint8_t back[5] = {0};
    spi(bench, 0, RADIO_TX_ADDR, back, 5);
    CHECK(back[0] == 1 && back[4] == 5, "five bytes, the least first");
    bench->now_ns = 50 * MS;
    CHECK(get(bench, 0, RADIO_CONFIG) == 0, "silent until 100 ms after power-on");
    free(bench);
}

/* PS 7.4 and 7.10: (1 + address + payload + CRC) * 8 + 9 bits. */
static void lasts_as_long_as_its_bits(void)
{
    static const struct {
        uint16_t rate;
        uint8_t address, payload, crc;
        bool enhanced;
        uint64_t ns;
    } packet[] = {{1000, 5, 18, 2, true, 217000},
                  {1000, 5, 0, 2, true, 73000},
                  {2000, 5, 32, 2, true, 164500},
                  {250, 3, 1, 1, true, 228000},
                  {1000, 5, 8, 1, false, 120000}};
    for (size_t i = 0; i < sizeof packet / sizeof packet[0]; i++) {
        struct nrf24_chip_packet one = {.kbit_per_s = packet[i].rate,
                                        .address_length = packet[i].address,
                                        .crc_length = packet[i].crc,
                                        .enhanced = packet[i].enhanced};
        one.payload.length = packet[i].payload;
        CHECK(nrf24_chip_airtime_ns(&one) == packet[i].ns, "packet %zu: %llu ns", i,
              (unsigned long long)nrf24_chip_airtime_ns(&one));
    }
}

static void delivers_and_acknowledges(void)
{
    struct bench *bench = start_link();
    send_text(bench, 1, 0xA0, "hello");
    pulse_ce(bench, 1, 15 * US);
    /* 130 settle + (1+5+5+2)*8+9 = 113 us on the air, then 130 + 73 us of acknowledgement */
    pass(bench, 227 * US);
    CHECK(bench->irq_high[0], "not there yet");
    pass(bench, 2 * US);
    CHECK(!bench->irq_high[0] && bench->irq_high[1], "received, not acknowledged yet");
    pass(bench, 203 * US);
    CHECK(!bench->irq_high[1] && get(bench, 1, RADIO_STATUS) == 0x2E, "acknowledged");
    CHECK(get(bench, 0, RADIO_STATUS) == 0x40, "RX_DR, pipe 0");
    CHECK(strcmp(receive_text(bench, 0), "hello") == 0, "what was sent");
    CHECK(get(bench, 0, RADIO_FIFO_STATUS) & 1, "and only once");
    set(bench, 0, RADIO_STATUS, 0x40);
    CHECK(bench->irq_high[0], "written ones clear");
    free(bench);
}

static void needs_ten_microseconds_of_ce(void)
{
    struct bench *bench = start_link();
    send_text(bench, 1, 0xA0, "short");
    pulse_ce(bench, 1, 9 * US);
    pass(bench, 5 * MS);
    CHECK(bench->chip[1].counts.sent == 0, "9 us are too short");
    pulse_ce(bench, 1, 10 * US);
    pass(bench, 5 * MS);
    CHECK(bench->chip[1].counts.sent == 1, "10 us are enough");
    free(bench);
}

static void resends_after_its_wait_and_gives_up(void)
{
    struct bench *bench = start_link();
    bench->air.loss[0] = 1;
    send_text(bench, 1, 0xA0, "lost");
    uint64_t began = bench->now_ns;
    pulse_ce(bench, 1, 15 * US);
    while (bench->irq_high[1])
        pass(bench, 10 * US);
    /* six transmissions of 105 us each, five waits of 1500 us between them, and one at the end */
    double took = (double)(bench->now_ns - began) / 1000;
    CHECK(fabs(took - (130 + 6 * (105 + 1500))) < 15, "took %f us", took);
    CHECK((get(bench, 1, RADIO_STATUS) & 0x70) == 0x10, "MAX_RT");
    CHECK(get(bench, 1, RADIO_OBSERVE_TX) == 0x15, "one lost, five resends");
    CHECK(!(get(bench, 1, RADIO_FIFO_STATUS) & 0x10), "its payload is still in the FIFO");
    bench->air.loss[0] = 0;
    pulse_ce(bench, 1, 15 * US);
    pass(bench, 5 * MS);
    CHECK(get(bench, 0, RADIO_FIFO_STATUS) & 1, "MAX_RT blocks until it is cleared");
    set(bench, 1, RADIO_STATUS, 0x10);
    pulse_ce(bench, 1, 15 * US);
    pass(bench, 5 * MS);
    CHECK(strcmp(receive_text(bench, 0), "lost") == 0, "sent again");
    free(bench);
}

static void drops_copies_but_acknowledges_them(void)
{
    struct bench *bench = start_link();
    bench->air.loss[0] = 0.5;
    int arrived = 0;
    for (int i = 0; i < 200; i++) {
        char text[16];
        snprintf(text, sizeof text, "n%d", i);
        send_text(bench, 1, 0xA0, text);
        while (!(get(bench, 1, RADIO_FIFO_STATUS) & 0x10)) {
            set(bench, 1, RADIO_STATUS, 0x70);
            pulse_ce(bench, 1, 15 * US);
            pass(bench, 20 * MS);
        }
        while (!(get(bench, 0, RADIO_FIFO_STATUS) & 1)) {
            CHECK(strcmp(receive_text(bench, 0), text) == 0, "%s is the next", text);
            arrived++;
        }
        set(bench, 0, RADIO_STATUS, 0x70);
    }
    CHECK(arrived == 200, "%d of 200 arrived", arrived);
    CHECK(bench->chip[0].counts.copies > 20, "%u copies", bench->chip[0].counts.copies);
    free(bench);
}

static void acknowledges_with_a_payload(void)
{
    struct bench *bench = start_link();
    send_text(bench, 0, 0xA8, "reply");
    send_text(bench, 1, 0xA0, "one");
    pulse_ce(bench, 1, 15 * US);
    pass(bench, 3 * MS);
    CHECK((get(bench, 1, RADIO_STATUS) & 0x60) == 0x60, "sent, with a reply");
    CHECK(strcmp(receive_text(bench, 1), "reply") == 0, "the reply's payload");
    CHECK(!(get(bench, 0, RADIO_STATUS) & 0x20), "it may be lost, as far as the receiver knows");
    set(bench, 1, RADIO_STATUS, 0x70);
    send_text(bench, 1, 0xA0, "two");
    pulse_ce(bench, 1, 15 * US);
    pass(bench, 3 * MS);
    CHECK(get(bench, 0, RADIO_STATUS) & 0x20, "a new packet acknowledges it");
    CHECK(get(bench, 0, RADIO_FIFO_STATUS) & 0x10, "and frees its place");
    free(bench);
}

static void does_not_acknowledge_when_its_fifo_is_full(void)
{
    struct bench *bench = start_link();
    for (int i = 0; i < 4; i++) {
        char text[2] = {(char)('a' + i), 0};
        send_text(bench, 1, 0xA0, text);
        pulse_ce(bench, 1, 15 * US);
        pass(bench, 20 * MS);
    }
    CHECK(get(bench, 0, RADIO_FIFO_STATUS) & 2, "three fill it");
    CHECK((get(bench, 1, RADIO_STATUS) & 0x10), "the fourth is not acknowledged");
    free(bench);
}

static void loses_colliding_packets(void)
{
    struct bench *bench = start_link();
    uint8_t own[5] = {0xC2, 0xC2, 0xC2, 0xC2, 0xC2}; /* the receiver's pipe 1 */
    spi(bench, 2, 0x20 | RADIO_TX_ADDR, own, 5);
    memset(own, 0xC2, sizeof own);
    spi(bench, 2, 0x20 | RADIO_RX_ADDR_P0, own, 5);
    send_text(bench, 1, 0xA0, "left");
    send_text(bench, 2, 0xA0, "right");
    nrf24_chip_ce(&bench->chip[1], bench->now_ns, true);
    nrf24_chip_ce(&bench->chip[2], bench->now_ns, true);
    pass(bench, 1 * MS);
    CHECK(get(bench, 0, RADIO_FIFO_STATUS) & 1, "both are lost at once");
    CHECK(bench->air.counts.collisions >= 2, "%u collided", bench->air.counts.collisions);
    pass(bench, 20 * MS);
    CHECK(bench->chip[0].counts.received == 2, "their waits differ: both arrive");
    free(bench);
}

/* Only the address in an acknowledgement shows whose packet it acknowledges. */
static void accepts_an_acknowledgement_for_another_radio_of_its_address(void)
{
    struct bench *bench = start_link();
    send_text(bench, 1, 0xA0, "left");
    send_text(bench, 2, 0xA0, "right");
    nrf24_chip_ce(&bench->chip[1], bench->now_ns, true);
    nrf24_chip_ce(&bench->chip[2], bench->now_ns, true);
    pass(bench, 20 * MS);
    CHECK(bench->chip[0].counts.received == 1, "the second one is lost unseen");
    free(bench);
}

static void receives_only_its_channel_rate_and_address(void)
{
    static const struct {
        uint8_t at, value;
    } other[] = {{RADIO_RF_CH, 3},
                 {RADIO_RF_SETUP, 0x0E},
                 {RADIO_SETUP_AW, 2},
                 {RADIO_TX_ADDR, 0x11},
                 {RADIO_CONFIG, 0x0A}};
    for (size_t i = 0; i < sizeof other / sizeof other[0]; i++) {
        struct bench *bench = start_link();
        set(bench, 1, other[i].at, other[i].value);
        send_text(bench, 1, 0xA0, "elsewhere");
        pulse_ce(bench, 1, 15 * US);
        pass(bench, 20 * MS);
        CHECK(bench->chip[0].counts.received == 0, "case %zu", i);
        free(bench);
    }
}

/* The currents of tables 5 and 6 and their durations, for one acknowledged packet. */
static void meters_its_charge(void)
{
    struct bench *bench = start_link();
    meter_read(&bench->chip[1].meter, bench->now_ns);
    double before = bench->chip[1].meter.microcoulombs;
    send_text(bench, 1, 0xA0, "hello");
    pulse_ce(bench, 1, 15 * US);
    pass(bench, 985 * US);
    meter_read(&bench->chip[1].meter, bench->now_ns);
    double took = bench->chip[1].meter.microcoulombs - before;
    double expected =
        130e-6 * 8000 + 113e-6 * 11300 + 130e-6 * 8900 + 73e-6 * 13100 + (1000 - 446) * 1e-6 * 26;
    CHECK(fabs(took - expected) < 0.02 * expected, "%f uC, expected %f", took, expected);
    set(bench, 1, RADIO_CONFIG, 0x0C);
    CHECK(bench->chip[1].meter.microamps == 0.9, "power-down");
    free(bench);
}

static void does_not_reply_when_broken(void)
{
    struct bench *bench = start_link();
    bench->chip[0].broken = true;
    CHECK(get(bench, 0, RADIO_SETUP_AW) == 0, "every byte is 0");
    send_text(bench, 1, 0xA0, "hello");
    pulse_ce(bench, 1, 15 * US);
    pass(bench, 20 * MS);
    CHECK(get(bench, 1, RADIO_STATUS) & 0x10, "and it receives nothing");
    free(bench);
}

int main(void)
{
    starts_with_the_registers_of_table_28();
    lasts_as_long_as_its_bits();
    delivers_and_acknowledges();
    needs_ten_microseconds_of_ce();
    resends_after_its_wait_and_gives_up();
    drops_copies_but_acknowledges_them();
    acknowledges_with_a_payload();
    does_not_acknowledge_when_its_fifo_is_full();
    loses_colliding_packets();
    accepts_an_acknowledgement_for_another_radio_of_its_address();
    receives_only_its_channel_rate_and_address();
    meters_its_charge();
    does_not_reply_when_broken();
    return check_result();
}
