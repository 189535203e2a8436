/* The registers, commands and pins; radio_link.c sends and receives. */
#include "radio_link.h"

#include <string.h>

enum {
    W_REGISTER = 0x20, R_RX_PAYLOAD = 0x61, W_TX_PAYLOAD = 0xA0, FLUSH_TX = 0xE1, FLUSH_RX = 0xE2,
    NOP = 0xFF, POWER_ON_MS = 100, CRYSTAL_US = 4500, CE_PULSE_US = 10,
};

static const uint8_t reset_values[0x20] = {
    [CONFIG] = 0x08, [EN_AA] = 0x3F, [EN_RXADDR] = 0x03, [SETUP_AW] = 0x03, [SETUP_RETR] = 0x03,
    [RF_CH] = 0x02, [RF_SETUP] = 0x0E, [RX_ADDR_P0 + 2] = 0xC3, [RX_ADDR_P0 + 3] = 0xC4,
    [RX_ADDR_P0 + 4] = 0xC5, [RX_ADDR_P0 + 5] = 0xC6,
};

/* The bits that may be written as 1. */
static const uint8_t writable[0x20] = {
    [CONFIG] = 0x7F, [EN_AA] = 0x3F, [EN_RXADDR] = 0x3F, [SETUP_AW] = 0x03, [SETUP_RETR] = 0xFF,
    [RF_CH] = 0x7F, [RF_SETUP] = 0xBE, [STATUS] = 0x70, [RX_ADDR_P0] = 0xFF, [RX_ADDR_P0 + 1] = 0xFF,
    [RX_ADDR_P0 + 2] = 0xFF, [RX_ADDR_P0 + 3] = 0xFF, [RX_ADDR_P0 + 4] = 0xFF,
    [RX_ADDR_P0 + 5] = 0xFF, [TX_ADDR] = 0xFF, [RX_PW_P0] = 0x3F, [RX_PW_P0 + 1] = 0x3F,
    [RX_PW_P0 + 2] = 0x3F, [RX_PW_P0 + 3] = 0x3F, [RX_PW_P0 + 4] = 0x3F, [RX_PW_P0 + 5] = 0x3F,
    [DYNPD] = 0x3F, [FEATURE] = 0x07,
};

static bool exists(uint8_t at)
{
    return at <= FIFO_STATUS || at == DYNPD || at == FEATURE;
}

/* Returns the bytes of an address register, or null. */
static uint8_t *address_at(struct radio *r, uint8_t at)
{
    if (at == RX_ADDR_P0 || at == RX_ADDR_P0 + 1)
        return r->address[at - RX_ADDR_P0];
    return at == TX_ADDR ? r->address[2] : NULL;
}

static void complain(struct radio *r, ps now, const char *what, unsigned value)
{
    if (!r->quiet)
        violation(r->violations, now, "radio: %s (%02x)", what, value);
}

static void set_reset_values(struct radio *r)
{
    static const uint8_t first[3] = {0xE7, 0xC2, 0xE7};
    memcpy(r->reg, reset_values, sizeof r->reg);
    for (int i = 0; i < 3; i++)
        memset(r->address[i], first[i], 5);
    r->tx.count = r->rx.count = 0;
    memset(r->last, 0, sizeof r->last);
}

void radio_power(struct radio *r, ps now, bool on)
{
    if (on == r->powered)
        return;
    r->powered = on;
    r->ready = now + POWER_ON_MS * PS_MS;
    set_reset_values(r);
    r->pid = chance_bits(r->chance) & 3;
    radio_stop(r);
    r->state = RADIO_DOWN;
    r->due = PS_NEVER;
}

void radio_scramble(struct radio *r)
{
    for (int at = 0; at < 0x20; at++)
        r->reg[at] = (uint8_t)(chance_bits(r->chance) & writable[at]);
    for (int i = 0; i < 15; i++)
        r->address[i / 5][i % 5] = (uint8_t)chance_bits(r->chance);
    r->tx.count = (int)(chance_bits(r->chance) % (RADIO_FIFO + 1));
    for (int i = 0; i < RADIO_FIFO; i++)
        r->tx.frame[i].size = 18;
    r->rx.count = 0;
    r->selected = false;
    radio_stop(r);
    r->state = r->reg[CONFIG] & PWR_UP ? RADIO_STANDBY : RADIO_DOWN;
    r->due = PS_NEVER;
}

uint8_t radio_status(const struct radio *r)
{
    uint8_t pipe = r->rx.count ? r->rx.frame[0].pipe : 7;
    return (uint8_t)((r->reg[STATUS] & 0x70) | pipe << 1 | (r->tx.count == RADIO_FIFO));
}

static uint8_t fifo_status(const struct radio *r)
{
    return (uint8_t)((r->tx.count == RADIO_FIFO ? 0x20 : 0) | (r->tx.count ? 0 : 0x10) |
                     (r->rx.count == RADIO_FIFO ? 2 : 0) | (r->rx.count ? 0 : 1));
}

static uint8_t read_register(struct radio *r, ps now, uint8_t at, int byte)
{
    const uint8_t *address = address_at(r, at);
    if (!exists(at))
        complain(r, now, "a register is read that does not exist", at);
    if (at == RPD)
        complain(r, now, "RPD is not modelled", at);
    if (byte && (!address || byte > 4))
        complain(r, now, "more bytes are read than the register has", at);
    if (address)
        return address[byte < 5 ? byte : 4];
    return at == STATUS ? radio_status(r) : at == FIFO_STATUS ? fifo_status(r) : r->reg[at];
}

static bool is_active(const struct radio *r)
{
    return r->state > RADIO_STANDBY;
}

static void check_modelled(struct radio *r, ps now, uint8_t at, uint8_t value)
{
    if (at == RF_SETUP && (value & 0xB8))
        complain(r, now, "only 1 Mbit/s without test signals is modelled", value);
    if ((at == DYNPD || at == FEATURE) && value)
        complain(r, now, "dynamic lengths and features are not modelled", value);
    if (at == SETUP_AW && value != 3)
        complain(r, now, "only addresses of five bytes are modelled", value);
    if (at == CONFIG && (value & 0x0C) != 0x0C)
        complain(r, now, "only a CRC of two bytes is modelled", value);
    if (at == SETUP_RETR && (value >> 4) < 1)
        complain(r, now, "retransmission after 250 us leaves no margin for an acknowledgement", value);
    if (at >= RX_PW_P0 && at < FIFO_STATUS && value > RADIO_PAYLOAD_MAX)
        complain(r, now, "a payload is longer than 32 bytes", value);
}

/* Changes of the mode, after a register or CE changed. */
static void update(struct radio *r, ps now)
{
    bool up = r->reg[CONFIG] & PWR_UP;
    if (!up) {
        radio_stop(r);
        r->state = RADIO_DOWN;
        r->due = PS_NEVER;
        return;
    }
    if (r->state == RADIO_DOWN) {
        r->state = RADIO_STARTING;
        r->due = now + CRYSTAL_US * PS_US;
    }
    if (r->state == RADIO_STARTING && r->enabled)
        complain(r, now, "CE is high before the crystal runs", r->reg[CONFIG]);
    else
        radio_link_update(r, now);
}

static void write_register(struct radio *r, ps now, uint8_t at, const uint8_t *bytes, int size)
{
    uint8_t *address = address_at(r, at);
    if (!exists(at) || !writable[at]) {
        complain(r, now, "a register is written that is reserved or read-only", at);
        return;
    }
    /* Table 20: in power-down or standby only. Clearing flags is part of receiving (7.8). */
    if (is_active(r) && at != STATUS)
        complain(r, now, "a register is written while it sends or listens", at);
    if (size < 1 || size > (address ? 5 : 1)) {
        complain(r, now, "a register is written with a wrong number of bytes", at);
        return;
    }
    if (address) {
        memcpy(address, bytes, (size_t)size);
        return;
    }
    if (bytes[0] & ~writable[at])
        complain(r, now, "reserved bits of a register are set", at);
    check_modelled(r, now, at, bytes[0]);
    if (at == STATUS)
        r->reg[STATUS] &= (uint8_t)~(bytes[0] & 0x70);
    else if (!(r->is_clone && (at == DYNPD || at == FEATURE)))
        r->reg[at] = bytes[0];
}

static void drop_first(struct fifo *fifo)
{
    memmove(&fifo->frame[0], &fifo->frame[1], sizeof fifo->frame - sizeof fifo->frame[0]);
    fifo->count--;
}

void radio_tx_done(struct radio *r)
{
    if (r->tx.count)
        drop_first(&r->tx);
}

static void write_payload(struct radio *r, ps now, int size)
{
    if (size < 1 || size > RADIO_PAYLOAD_MAX || r->tx.count == RADIO_FIFO) {
        complain(r, now, "a payload does not fit into the FIFO", (unsigned)size);
        return;
    }
    struct frame *frame = &r->tx.frame[r->tx.count++];
    frame->size = (uint8_t)size;
    memcpy(frame->bytes, r->in, (size_t)size);
    r->pid = (r->pid + 1) & 3;
}

static void flush_tx(struct radio *r)
{
    r->tx.count = 0;
    r->flushed = true;
}

/* CSN has risen: the command is complete, with `size` bytes after it. */
static void execute(struct radio *r, ps now, int size)
{
    uint8_t command = r->command;
    if (command < W_REGISTER || command == NOP)
        return;
    if (command < 2 * W_REGISTER)
        write_register(r, now, command & 31, r->in, size);
    else if (command == R_RX_PAYLOAD) {
        if (r->rx.count && size != r->rx.frame[0].size)
            complain(r, now, "a payload is not read as a whole", (unsigned)size);
        if (r->rx.count)
            drop_first(&r->rx);
    } else if (command == W_TX_PAYLOAD)
        write_payload(r, now, size);
    else if (command == FLUSH_TX)
        flush_tx(r);
    else if (command == FLUSH_RX) {
        if (r->state == RADIO_ACK || r->state == RADIO_ACK_SETTLING)
            complain(r, now, "FLUSH_RX during an acknowledgement", command);
        r->rx.count = 0;
    } else
        complain(r, now, "a command is not modelled", command);
    update(r, now);
}

void radio_select(struct radio *r, ps now, bool selected)
{
    if (selected == r->selected || !r->powered)
        return;
    r->selected = selected;
    if (selected)
        r->byte = 0;
    else if (r->byte)
        execute(r, now, r->byte - 1);
    else
        complain(r, now, "CSN falls and rises without a command", 0);
}

uint8_t radio_transfer(struct radio *r, ps now, uint8_t byte)
{
    int at = r->byte++ - 1;
    if (!r->powered || !r->selected)
        return (uint8_t)chance_bits(r->chance); /* nobody drives MISO */
    if (now < r->ready) {
        complain(r, now, "it is accessed during its power-on reset", byte);
        return (uint8_t)chance_bits(r->chance);
    }
    if (at < 0) {
        r->command = byte;
        if (byte == R_RX_PAYLOAD && !r->rx.count)
            complain(r, now, "an empty FIFO is read", byte);
        return radio_status(r);
    }
    if (at < RADIO_PAYLOAD_MAX)
        r->in[at] = byte;
    if (r->command < W_REGISTER)
        return read_register(r, now, r->command, at);
    if (r->command == R_RX_PAYLOAD && at < RADIO_PAYLOAD_MAX)
        return r->rx.count ? r->rx.frame[0].bytes[at] : 0;
    return 0;
}

void radio_enable(struct radio *r, ps now, bool enabled)
{
    if (enabled == r->enabled || !r->powered)
        return;
    if (r->enabled && r->state == RADIO_TX_SETTLING && now - r->enabled_since < CE_PULSE_US * PS_US)
        complain(r, now, "CE's pulse is shorter than 10 us", 0);
    r->enabled = enabled;
    r->enabled_since = now;
    update(r, now);
}

bool radio_irq(const struct radio *r)
{
    return r->powered && r->reg[STATUS] & 0x70 & ~r->reg[CONFIG];
}

/* Section 5.1, table 13. */
double radio_current_ua(const struct radio *r)
{
    if (!r->powered)
        return 0;
    switch (r->state) {
    case RADIO_DOWN: return r->is_clone ? 2.0 : 0.9;
    case RADIO_STARTING: return 400;
    case RADIO_STANDBY: return r->enabled ? 320 : 26;
    case RADIO_TX_SETTLING: return 8000;
    case RADIO_TX: case RADIO_ACK: return 11300;
    case RADIO_WAITING: case RADIO_RX: return 13100;
    default: return 8900;
    }
}
