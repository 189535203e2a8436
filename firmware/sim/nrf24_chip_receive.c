/* Processing of a packet that ends at the nRF24L01+'s antenna: pipes, duplicates, replies. */
#include "nrf24_chip.h"

#include <string.h>

bool nrf24_chip_listens(const struct nrf24_chip *chip, uint64_t from_ns,
                        const struct nrf24_chip_packet *packet)
{
    bool open = chip->state == RADIO_RX || chip->state == RADIO_ACK_WAIT;
    return open && !chip->broken && chip->listening_ns <= from_ns &&
           packet->channel == chip->value[RADIO_RF_CH] &&
           packet->kbit_per_s == nrf24_chip_kbit_per_s(chip);
}

/* The pipe with this address, or -1. */
static int pipe_of(const struct nrf24_chip *chip, const struct nrf24_chip_packet *packet)
{
    uint8_t length = nrf24_chip_address_length(chip);
    if (packet->address_length != length)
        return -1;
    for (int pipe = 0; pipe < RADIO_PIPES; pipe++) {
        uint8_t address[RADIO_ADDRESS_MAX];
        memcpy(address, chip->rx_address[pipe > 0], sizeof address);
        if (pipe > 1)
            address[0] = chip->value[RADIO_RX_ADDR_P0 + pipe];
        if ((chip->value[RADIO_EN_RXADDR] >> pipe) & 1 &&
            memcmp(address, packet->address, length) == 0)
            return pipe;
    }
    return -1;
}

/* Replaces the CRC in the comparison of two packets with the same number (FNV-1a). */
static uint32_t sum_of(const struct nrf24_chip_payload *payload)
{
    uint32_t sum = 2166136261u ^ payload->length;
    for (int i = 0; i < payload->length; i++)
        sum = (sum ^ payload->byte[i]) * 16777619u;
    return sum;
}

static bool is_copy(struct nrf24_chip *chip, int pipe, const struct nrf24_chip_payload *payload)
{
    struct nrf24_chip_last_packet *last = &chip->last_packet[pipe];
    struct nrf24_chip_last_packet now = {payload->pid, sum_of(payload), true};
    bool copy = last->any && last->pid == now.pid && last->sum == now.sum;
    *last = now;
    return copy;
}

static void store(struct nrf24_chip *chip, uint64_t now_ns, int pipe,
                  const struct nrf24_chip_payload *payload)
{
    chip->rx.entry[chip->rx.count] = *payload;
    chip->rx.entry[chip->rx.count++].pipe = (uint8_t)pipe;
    nrf24_chip_flag(chip, now_ns, RADIO_RX_DR);
}

static int reply_payload(const struct nrf24_chip *chip, int pipe)
{
    for (int i = 0; i < chip->tx.count; i++)
        if (chip->tx.entry[i].pipe == pipe)
            return i;
    return -1;
}

/* A new packet on a pipe means that the reply before it was received (PS 7.4.1). */
static void settle_reply(struct nrf24_chip *chip, uint64_t now_ns, int pipe)
{
    int at = reply_payload(chip, pipe);
    if (!chip->reply_pending[pipe] || at < 0)
        return;
    nrf24_chip_drop_first(&chip->tx, at);
    chip->reply_pending[pipe] = false;
    nrf24_chip_flag(chip, now_ns, RADIO_TX_DS);
}

static void acknowledge(struct nrf24_chip *chip, uint64_t now_ns, int pipe,
                        const struct nrf24_chip_packet *packet)
{
    chip->reply = nrf24_chip_packet(chip, packet->address);
    chip->reply.acknowledges = true;
    chip->reply.payload.pid = packet->payload.pid;
    int at = reply_payload(chip, pipe);
    bool allowed = (chip->value[RADIO_FEATURE] & RADIO_EN_ACK_PAY) &&
                   nrf24_chip_has_dynamic_length(chip, pipe);
    if (allowed && at >= 0) {
        chip->reply.payload = chip->tx.entry[at];
        chip->reply_pending[pipe] = true;
    }
    nrf24_chip_enter(chip, now_ns, RADIO_REPLY_SETTLING, now_ns + RADIO_SETTLE_NS);
}

static bool fits(const struct nrf24_chip *chip, int pipe, const struct nrf24_chip_packet *packet)
{
    struct nrf24_chip_packet mine = nrf24_chip_packet(chip, packet->address);
    bool dynamic = nrf24_chip_has_dynamic_length(chip, pipe);
    return mine.enhanced == packet->enhanced && mine.crc_length == packet->crc_length &&
           (dynamic || packet->payload.length == chip->value[RADIO_RX_PW_P0 + pipe]);
}

static void receive_packet(struct nrf24_chip *chip, uint64_t now_ns,
                           const struct nrf24_chip_packet *packet)
{
    int pipe = pipe_of(chip, packet);
    if (pipe < 0 || packet->acknowledges || !fits(chip, pipe, packet))
        return;
    if (chip->rx.count == RADIO_FIFO_DEPTH) { /* no room: not even acknowledged, PS 7.5.2 */
        chip->counts.overflows++;
        return;
    }
    if (is_copy(chip, pipe, &packet->payload)) {
        chip->counts.copies++;
    } else {
        chip->counts.received++;
        settle_reply(chip, now_ns, pipe);
        store(chip, now_ns, pipe, &packet->payload);
    }
    if ((chip->value[RADIO_EN_AA] >> pipe) & 1 && !packet->payload.no_ack)
        acknowledge(chip, now_ns, pipe, packet);
}

static void receive_ack(struct nrf24_chip *chip, uint64_t now_ns,
                        const struct nrf24_chip_packet *packet)
{
    if (!packet->acknowledges || pipe_of(chip, packet) != 0)
        return;
    chip->counts.acknowledged++;
    uint8_t flags = RADIO_TX_DS;
    if (packet->payload.length && chip->rx.count < RADIO_FIFO_DEPTH)
        store(chip, now_ns, 0, &packet->payload);
    nrf24_chip_finish(chip, now_ns, flags);
}

void nrf24_chip_receive(struct nrf24_chip *chip, uint64_t from_ns, uint64_t now_ns,
                        const struct nrf24_chip_packet *packet)
{
    if (!nrf24_chip_listens(chip, from_ns, packet))
        return;
    chip->value[RADIO_RPD] = 1;
    if (chip->state == RADIO_ACK_WAIT)
        receive_ack(chip, now_ns, packet);
    else
        receive_packet(chip, now_ns, packet);
}
