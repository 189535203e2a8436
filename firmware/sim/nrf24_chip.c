#include "nrf24_chip.h"

#include <string.h>

#define POWER_ON_RESET_NS 100000000 /* PS table 16, Tpor */

/* SPI commands, PS table 20. */
enum {
    R_REGISTER = 0x00,
    W_REGISTER = 0x20,
    R_RX_PL_WID = 0x60,
    R_RX_PAYLOAD = 0x61,
    W_TX_PAYLOAD = 0xA0,
    W_ACK_PAYLOAD = 0xA8,
    W_TX_PAYLOAD_NOACK = 0xB0,
    FLUSH_TX = 0xE1,
    FLUSH_RX = 0xE2,
};

/* Values after power-on, PS table 28, except the addresses. */
static const uint8_t reset_value[RADIO_REGISTERS] = {
    [RADIO_CONFIG] = 0x08,         [RADIO_EN_AA] = 0x3F,          [RADIO_EN_RXADDR] = 0x03,
    [RADIO_SETUP_AW] = 0x03,       [RADIO_SETUP_RETR] = 0x03,     [RADIO_RF_CH] = 0x02,
    [RADIO_RF_SETUP] = 0x0E,       [RADIO_RX_ADDR_P0 + 2] = 0xC3, [RADIO_RX_ADDR_P0 + 3] = 0xC4,
    [RADIO_RX_ADDR_P0 + 4] = 0xC5, [RADIO_RX_ADDR_P0 + 5] = 0xC6,
};

/* Bits that can be written; the others are reserved or read-only. */
static const uint8_t writable[RADIO_REGISTERS] = {
    [RADIO_CONFIG] = 0x7F,         [RADIO_EN_AA] = 0x3F,          [RADIO_EN_RXADDR] = 0x3F,
    [RADIO_SETUP_AW] = 0x03,       [RADIO_SETUP_RETR] = 0xFF,     [RADIO_RF_CH] = 0x7F,
    [RADIO_RF_SETUP] = 0xBE,       [RADIO_RX_ADDR_P0 + 2] = 0xFF, [RADIO_RX_ADDR_P0 + 3] = 0xFF,
    [RADIO_RX_ADDR_P0 + 4] = 0xFF, [RADIO_RX_ADDR_P0 + 5] = 0xFF, [RADIO_RX_PW_P0] = 0x3F,
    [RADIO_RX_PW_P0 + 1] = 0x3F,   [RADIO_RX_PW_P0 + 2] = 0x3F,   [RADIO_RX_PW_P0 + 3] = 0x3F,
    [RADIO_RX_PW_P0 + 4] = 0x3F,   [RADIO_RX_PW_P0 + 5] = 0x3F,   [RADIO_DYNPD] = 0x3F,
    [RADIO_FEATURE] = 0x07,
};

static void reset_registers(struct nrf24_chip *chip)
{
    memcpy(chip->value, reset_value, sizeof chip->value);
    memset(chip->rx_address[0], 0xE7, RADIO_ADDRESS_MAX);
    memset(chip->rx_address[1], 0xC2, RADIO_ADDRESS_MAX);
    memset(chip->tx_address, 0xE7, RADIO_ADDRESS_MAX);
    memset(chip->last_packet, 0, sizeof chip->last_packet);
    memset(chip->reply_pending, 0, sizeof chip->reply_pending);
    chip->tx.count = chip->rx.count = 0;
    chip->pid = chip->resends = 0;
    chip->selected = false;
}

void nrf24_chip_begin(struct nrf24_chip *chip, const struct nrf24_chip_links *links)
{
    *chip = (struct nrf24_chip){.links = *links, .irq_high = true, .due_ns = UINT64_MAX};
    reset_registers(chip);
}

static void drive_irq(struct nrf24_chip *chip, uint64_t now_ns)
{
    uint8_t shown = chip->value[RADIO_STATUS] & ~chip->value[RADIO_CONFIG] & 0x70;
    bool high = shown == 0;
    if (high == chip->irq_high)
        return;
    chip->irq_high = high;
    chip->links.irq(chip->links.context, now_ns, high);
}

void nrf24_chip_flag(struct nrf24_chip *chip, uint64_t now_ns, uint8_t status_bits)
{
    chip->value[RADIO_STATUS] |= status_bits;
    drive_irq(chip, now_ns);
}

void nrf24_chip_power(struct nrf24_chip *chip, uint64_t now_ns, bool on)
{
    reset_registers(chip);
    chip->powered_ns = now_ns;
    chip->ce = false;
    drive_irq(chip, now_ns);
    nrf24_chip_enter(chip, now_ns, on ? RADIO_DOWN : RADIO_UNPOWERED, UINT64_MAX);
}

void nrf24_chip_drop_first(struct nrf24_chip_fifo *fifo, int at)
{
    fifo->count--;
    memmove(&fifo->entry[at], &fifo->entry[at + 1],
            (size_t)(fifo->count - at) * sizeof fifo->entry[0]);
}

uint8_t nrf24_chip_address_length(const struct nrf24_chip *chip)
{
    return (chip->value[RADIO_SETUP_AW] & 3) + 2;
}

uint16_t nrf24_chip_kbit_per_s(const struct nrf24_chip *chip)
{
    uint8_t setup = chip->value[RADIO_RF_SETUP];
    return setup & 0x20 ? 250 : setup & 0x08 ? 2000 : 1000;
}

bool nrf24_chip_has_dynamic_length(const struct nrf24_chip *chip, int pipe)
{
    return (chip->value[RADIO_FEATURE] & RADIO_EN_DPL) && (chip->value[RADIO_DYNPD] >> pipe) & 1;
}

static uint8_t status(const struct nrf24_chip *chip)
{
    int pipe = chip->rx.count ? chip->rx.entry[0].pipe : 7;
    bool full = chip->tx.count == RADIO_FIFO_DEPTH;
    return (uint8_t)((chip->value[RADIO_STATUS] & 0x70) | pipe << 1 | full);
}

static uint8_t fifo_status(const struct nrf24_chip *chip)
{
    return (uint8_t)((chip->tx.count == RADIO_FIFO_DEPTH) << 5 | (chip->tx.count == 0) << 4 |
                     (chip->rx.count == RADIO_FIFO_DEPTH) << 1 | (chip->rx.count == 0));
}

/* The five-byte register with this number, or null. */
static uint8_t *long_register(struct nrf24_chip *chip, int at)
{
    if (at == RADIO_TX_ADDR)
        return chip->tx_address;
    if (at == RADIO_RX_ADDR_P0 || at == RADIO_RX_ADDR_P0 + 1)
        return chip->rx_address[at - RADIO_RX_ADDR_P0];
    return NULL;
}

static uint8_t read_register(struct nrf24_chip *chip, int at, int byte)
{
    const uint8_t *bytes = long_register(chip, at);
    if (bytes)
        return byte < RADIO_ADDRESS_MAX ? bytes[byte] : 0;
    if (at == RADIO_STATUS)
        return status(chip);
    if (at == RADIO_FIFO_STATUS)
        return fifo_status(chip);
    return at < RADIO_REGISTERS ? chip->value[at] : 0;
}

static void write_register(struct nrf24_chip *chip, uint64_t now_ns, int at, int byte,
                           uint8_t value)
{
    uint8_t *bytes = long_register(chip, at);
    if (bytes) {
        if (byte < RADIO_ADDRESS_MAX)
            bytes[byte] = value;
        return;
    }
    if (byte > 0 || at >= RADIO_REGISTERS)
        return;
    if (at == RADIO_STATUS)
        chip->value[at] &= (uint8_t)~(value & 0x70); /* writing ones clears them */
    else
        chip->value[at] = (value & writable[at]) | (chip->value[at] & (uint8_t)~writable[at]);
    if (at == RADIO_RF_CH)
        chip->value[RADIO_OBSERVE_TX] &= 0x0F;
    drive_irq(chip, now_ns);
    nrf24_chip_reconsider(chip, now_ns);
}

static bool writes_payload(uint8_t command)
{
    return command == W_TX_PAYLOAD || command == W_TX_PAYLOAD_NOACK ||
           (command >= W_ACK_PAYLOAD && command < W_ACK_PAYLOAD + RADIO_PIPES);
}

/* The reply to byte number `at` of a command, from 0, after the command itself. */
static uint8_t command_byte(struct nrf24_chip *chip, uint64_t now_ns, int at, uint8_t mosi)
{
    uint8_t command = chip->command;
    if (command < W_REGISTER)
        return read_register(chip, command & 0x1F, at);
    if (command < W_REGISTER + 0x20) {
        write_register(chip, now_ns, command & 0x1F, at, mosi);
        return 0;
    }
    if (command == R_RX_PL_WID)
        return chip->rx.count ? chip->rx.entry[0].length : 0;
    if (command == R_RX_PAYLOAD)
        return chip->rx.count && at < RADIO_PAYLOAD_MAX ? chip->rx.entry[0].byte[at] : 0;
    if (writes_payload(command) && at < RADIO_PAYLOAD_MAX) {
        chip->shifted.byte[at] = mosi;
        chip->shifted.length = (uint8_t)(at + 1);
    }
    return 0;
}

static bool is_dead(const struct nrf24_chip *chip, uint64_t now_ns)
{
    return chip->broken || chip->state == RADIO_UNPOWERED ||
           now_ns < chip->powered_ns + POWER_ON_RESET_NS;
}

uint8_t nrf24_chip_exchange(struct nrf24_chip *chip, uint64_t now_ns, uint8_t mosi)
{
    if (is_dead(chip, now_ns) || !chip->selected)
        return 0;
    int at = chip->bytes++ - 1;
    if (at >= 0)
        return command_byte(chip, now_ns, at, mosi);
    uint8_t before = status(chip);
    chip->command = mosi;
    if (mosi == FLUSH_RX)
        chip->rx.count = 0;
    if (mosi == FLUSH_TX) {
        chip->tx.count = 0;
        memset(chip->reply_pending, 0, sizeof chip->reply_pending);
    }
    return before;
}

static void store_payload(struct nrf24_chip *chip)
{
    uint8_t feature = chip->value[RADIO_FEATURE];
    bool for_reply = chip->command >= W_ACK_PAYLOAD && chip->command < W_TX_PAYLOAD_NOACK;
    bool no_ack = chip->command == W_TX_PAYLOAD_NOACK;
    bool refused =
        (for_reply && !(feature & RADIO_EN_ACK_PAY)) || (no_ack && !(feature & RADIO_EN_DYN_ACK));
    if (refused || chip->shifted.length == 0 || chip->tx.count == RADIO_FIFO_DEPTH)
        return;
    chip->pid = (chip->pid + 1) & 3; /* "for each new packet received via SPI", PS 7.3.3.2 */
    chip->shifted.pid = chip->pid;
    chip->shifted.no_ack = no_ack;
    chip->shifted.pipe = for_reply ? chip->command & 7 : 0;
    chip->tx.entry[chip->tx.count++] = chip->shifted;
}

void nrf24_chip_csn(struct nrf24_chip *chip, uint64_t now_ns, bool high)
{
    if (chip->selected == !high)
        return;
    chip->selected = !high;
    if (!high) {
        chip->bytes = 0;
        chip->shifted = (struct nrf24_chip_payload){.length = 0};
        return;
    }
    if (is_dead(chip, now_ns) || chip->bytes == 0)
        return;
    if (chip->command == R_RX_PAYLOAD && chip->bytes > 1 && chip->rx.count)
        nrf24_chip_drop_first(&chip->rx, 0); /* deleted after it was read, PS table 20 */
    if (writes_payload(chip->command))
        store_payload(chip);
    nrf24_chip_reconsider(chip, now_ns);
}
