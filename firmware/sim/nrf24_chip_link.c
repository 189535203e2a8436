/* The nRF24L01+'s states, and Enhanced ShockBurst on the transmitter's side. */
#include "nrf24_chip.h"

#include <string.h>

#define MICROSECOND 1000u
#define START_NS (1500 * MICROSECOND)  /* PS table 16, Tpd2stby with the usual crystal */
#define CE_LEAST_NS (10 * MICROSECOND) /* Thce */
#define RESEND_STEP_NS (250 * MICROSECOND)

#define PRIM_RX 0x01
#define PWR_UP 0x02

/* Supply currents in microamperes, PS tables 5 and 6. */
#define DOWN_UA 0.9
#define STANDBY_UA 26
#define STANDBY_II_UA 320
#define START_UA 400
#define TX_SETTLE_UA 8000
#define RX_SETTLE_UA 8900

static double tx_microamps(const struct nrf24_chip *chip)
{
    static const double by_power[4] = {7000, 7500, 9000, 11300}; /* -18, -12, -6, 0 dBm */
    return by_power[(chip->value[RADIO_RF_SETUP] >> 1) & 3];
}

static double rx_microamps(const struct nrf24_chip *chip)
{
    uint16_t rate = nrf24_chip_kbit_per_s(chip);
    return rate == 250 ? 12600 : rate == 1000 ? 13100 : 13500;
}

static void account(struct nrf24_chip *chip, uint64_t now_ns)
{
    bool waits = chip->ce && !(chip->value[RADIO_CONFIG] & PRIM_RX);
    switch (chip->state) {
    case RADIO_UNPOWERED:
        meter_enter(&chip->meter, now_ns, RADIO_DRAW_DOWN, 0);
        break;
    case RADIO_DOWN:
        meter_enter(&chip->meter, now_ns, RADIO_DRAW_DOWN, DOWN_UA);
        break;
    case RADIO_STARTING:
        meter_enter(&chip->meter, now_ns, RADIO_DRAW_STANDBY, START_UA);
        break;
    case RADIO_STANDBY:
        meter_enter(&chip->meter, now_ns, RADIO_DRAW_STANDBY, waits ? STANDBY_II_UA : STANDBY_UA);
        break;
    case RADIO_RX_SETTLING:
    case RADIO_ACK_SETTLING:
        meter_enter(&chip->meter, now_ns, RADIO_DRAW_RX, RX_SETTLE_UA);
        break;
    case RADIO_RX:
    case RADIO_ACK_WAIT:
        meter_enter(&chip->meter, now_ns, RADIO_DRAW_RX, rx_microamps(chip));
        break;
    case RADIO_TX_SETTLING:
    case RADIO_REPLY_SETTLING:
        meter_enter(&chip->meter, now_ns, RADIO_DRAW_TX, TX_SETTLE_UA);
        break;
    case RADIO_TX:
    case RADIO_REPLY:
        meter_enter(&chip->meter, now_ns, RADIO_DRAW_TX, tx_microamps(chip));
        break;
    }
}

void nrf24_chip_enter(struct nrf24_chip *chip, uint64_t now_ns, enum nrf24_chip_state state,
                      uint64_t due_ns)
{
    chip->state = state;
    chip->due_ns = due_ns;
    if (state == RADIO_RX || state == RADIO_ACK_WAIT)
        chip->listening_ns = now_ns;
    account(chip, now_ns);
}

uint64_t nrf24_chip_due(const struct nrf24_chip *chip)
{
    return chip->due_ns;
}

uint64_t nrf24_chip_airtime_ns(const struct nrf24_chip_packet *packet)
{
    uint64_t bits =
        8u * (1u + packet->address_length + packet->payload.length + packet->crc_length);
    bits += packet->enhanced ? 9 : 0;
    return bits * 1000000 / packet->kbit_per_s;
}

static bool can_send(const struct nrf24_chip *chip)
{
    return chip->tx.count > 0 && !(chip->value[RADIO_STATUS] & RADIO_MAX_RT);
}

/* The state of an idle radio with its present CE and registers (PS figure 4). */
static void leave_standby(struct nrf24_chip *chip, uint64_t now_ns)
{
    if (!chip->ce)
        return;
    if (chip->value[RADIO_CONFIG] & PRIM_RX)
        nrf24_chip_enter(chip, now_ns, RADIO_RX_SETTLING, now_ns + RADIO_SETTLE_NS);
    else if (can_send(chip))
        nrf24_chip_enter(chip, now_ns, RADIO_TX_SETTLING, now_ns + RADIO_SETTLE_NS);
    else
        account(chip, now_ns);
}

static void stand_by(struct nrf24_chip *chip, uint64_t now_ns)
{
    nrf24_chip_enter(chip, now_ns, RADIO_STANDBY, UINT64_MAX);
    leave_standby(chip, now_ns);
}

void nrf24_chip_reconsider(struct nrf24_chip *chip, uint64_t now_ns)
{
    bool on = chip->value[RADIO_CONFIG] & PWR_UP;
    bool receiver = chip->value[RADIO_CONFIG] & PRIM_RX;
    if (chip->state == RADIO_UNPOWERED)
        return;
    if (!on) {
        if (chip->state != RADIO_DOWN)
            nrf24_chip_enter(chip, now_ns, RADIO_DOWN, UINT64_MAX);
        return;
    }
    bool listens = chip->state == RADIO_RX || chip->state == RADIO_RX_SETTLING;
    if (chip->state == RADIO_DOWN)
        nrf24_chip_enter(chip, now_ns, RADIO_STARTING, now_ns + START_NS);
    else if (chip->state == RADIO_STANDBY)
        leave_standby(chip, now_ns);
    else if (listens && (!chip->ce || !receiver))
        stand_by(chip, now_ns);
}

void nrf24_chip_ce(struct nrf24_chip *chip, uint64_t now_ns, bool high)
{
    if (chip->ce == high)
        return;
    chip->ce = high;
    if (high) {
        chip->ce_rose_ns = now_ns;
        chip->counts.hasty += chip->state == RADIO_STARTING;
    } else if (chip->state == RADIO_TX_SETTLING && now_ns < chip->ce_rose_ns + CE_LEAST_NS) {
        nrf24_chip_enter(chip, now_ns, RADIO_STANDBY, UINT64_MAX); /* too short to be detected */
    }
    nrf24_chip_reconsider(chip, now_ns);
    if (chip->state == RADIO_STANDBY)
        account(chip, now_ns);
}

struct nrf24_chip_packet nrf24_chip_packet(const struct nrf24_chip *chip, const uint8_t *address)
{
    uint8_t config = chip->value[RADIO_CONFIG];
    struct nrf24_chip_packet packet = {
        .address_length = nrf24_chip_address_length(chip),
        .channel = chip->value[RADIO_RF_CH],
        .kbit_per_s = nrf24_chip_kbit_per_s(chip),
        .enhanced = chip->value[RADIO_EN_AA] != 0,
    };
    packet.crc_length = !(config & 0x08) && !packet.enhanced ? 0 : config & 0x04 ? 2 : 1;
    memcpy(packet.address, address, packet.address_length);
    return packet;
}

static void send(struct nrf24_chip *chip, uint64_t now_ns)
{
    if (chip->tx.count == 0) { /* the payload was flushed meanwhile */
        stand_by(chip, now_ns);
        return;
    }
    struct nrf24_chip_packet packet = nrf24_chip_packet(chip, chip->tx_address);
    packet.payload = chip->tx.entry[0];
    uint64_t until_ns = now_ns + nrf24_chip_airtime_ns(&packet);
    chip->counts.sent++;
    nrf24_chip_enter(chip, now_ns, RADIO_TX, until_ns);
    chip->links.transmit(chip->links.context, now_ns, until_ns, &packet);
}

void nrf24_chip_finish(struct nrf24_chip *chip, uint64_t now_ns, uint8_t flags)
{
    if (chip->tx.count)
        nrf24_chip_drop_first(&chip->tx, 0);
    chip->resends = 0;
    nrf24_chip_flag(chip, now_ns, flags);
    stand_by(chip, now_ns);
}

static void packet_sent(struct nrf24_chip *chip, uint64_t now_ns)
{
    bool wants_ack = (chip->value[RADIO_EN_AA] & 1) && chip->tx.count && !chip->tx.entry[0].no_ack;
    chip->sent_ns = now_ns;
    if (wants_ack)
        nrf24_chip_enter(chip, now_ns, RADIO_ACK_SETTLING, now_ns + RADIO_SETTLE_NS);
    else
        nrf24_chip_finish(chip, now_ns, RADIO_TX_DS);
}

/* From the end of one transmission to the start of the next, PS 7.4.2. */
static uint64_t resend_ns(const struct nrf24_chip *chip)
{
    return chip->sent_ns + ((chip->value[RADIO_SETUP_RETR] >> 4) + 1) * RESEND_STEP_NS;
}

static void no_ack_came(struct nrf24_chip *chip, uint64_t now_ns)
{
    uint8_t *observe = &chip->value[RADIO_OBSERVE_TX];
    if (chip->resends < (chip->value[RADIO_SETUP_RETR] & 0x0F)) {
        chip->resends++;
        chip->counts.resent++;
        *observe = (*observe & 0xF0) | chip->resends;
        send(chip, now_ns);
        return;
    }
    chip->resends = 0;
    chip->counts.given_up++;
    if (*observe < 0xF0)
        *observe += 0x10;
    nrf24_chip_flag(chip, now_ns, RADIO_MAX_RT);
    stand_by(chip, now_ns);
}

static void reply(struct nrf24_chip *chip, uint64_t now_ns)
{
    uint64_t until_ns = now_ns + nrf24_chip_airtime_ns(&chip->reply);
    nrf24_chip_enter(chip, now_ns, RADIO_REPLY, until_ns);
    chip->links.transmit(chip->links.context, now_ns, until_ns, &chip->reply);
}

void nrf24_chip_advance(struct nrf24_chip *chip, uint64_t now_ns)
{
    if (chip->due_ns > now_ns)
        return;
    uint64_t at_ns = chip->due_ns;
    switch (chip->state) {
    case RADIO_STARTING:
        stand_by(chip, at_ns);
        break;
    case RADIO_RX_SETTLING:
        nrf24_chip_enter(chip, at_ns, RADIO_RX, UINT64_MAX);
        break;
    case RADIO_TX_SETTLING:
        chip->value[RADIO_OBSERVE_TX] &= 0xF0;
        send(chip, at_ns);
        break;
    case RADIO_TX:
        packet_sent(chip, at_ns);
        break;
    case RADIO_ACK_SETTLING:
        nrf24_chip_enter(chip, at_ns, RADIO_ACK_WAIT, resend_ns(chip));
        break;
    case RADIO_ACK_WAIT:
        no_ack_came(chip, at_ns);
        break;
    case RADIO_REPLY_SETTLING:
        reply(chip, at_ns);
        break;
    case RADIO_REPLY:
        stand_by(chip, at_ns);
        break;
    default:
        chip->due_ns = UINT64_MAX;
    }
}
