/* Enhanced ShockBurst: the radio's modes, and the packets in the air. */
#include "radio_link.h"

#include <string.h>

enum { SETTLING_US = 130, OVERHEAD_BITS = 8 + 40 + 9 + 16, RETRY_US = 250 };

/* --- the air --- */

static struct packet *transmit(struct air *air, const struct packet *packet)
{
    struct packet *free_one = NULL;
    for (int i = 0; i < AIR_PACKETS_MAX; i++)
        if (!air->packet[i].active)
            free_one = &air->packet[i];
    if (!free_one)
        return NULL;
    *free_one = *packet;
    free_one->active = true;
    air->sent++;
    for (int i = 0; i < AIR_PACKETS_MAX; i++) {
        struct packet *other = &air->packet[i];
        int apart = other->channel - packet->channel;
        if (!other->active || other == free_one || other->end <= packet->start || apart * apart > 1)
            continue;
        air->collisions += !other->collided;
        other->collided = free_one->collided = true;
    }
    return free_one;
}

static void deliver(struct radio *r, const struct packet *packet, ps now);

static void finish(struct air *air, struct packet *packet, ps now)
{
    packet->active = false;
    for (int i = 0; i < air->radios; i++) {
        if (i == packet->sender || packet->collided)
            continue;
        if (chance_between(&air->chance, 0, 1) < air->loss)
            air->lost++;
        else
            deliver(air->radio[i], packet, now);
    }
}

static ps air_time(int bytes)
{
    return (ps)(OVERHEAD_BITS + 8 * bytes) * PS_US;
}

/* --- sending --- */

static void enter(struct radio *r, enum radio_state state, ps due)
{
    r->state = state;
    r->due = due;
}

static void send(struct radio *r, ps now)
{
    const struct frame *frame = &r->tx.frame[0];
    struct packet packet = {.sender = r->number, .channel = r->reg[RF_CH], .pid = r->pid,
                            .size = frame->size, .start = now, .end = now + air_time(frame->size)};
    memcpy(packet.address, r->address[2], 5);
    memcpy(packet.bytes, frame->bytes, frame->size);
    r->sending = transmit(r->air, &packet);
    enter(r, RADIO_TX, packet.end);
}

static void acknowledge(struct radio *r, ps now)
{
    struct packet packet = {.sender = r->number, .channel = r->reg[RF_CH], .is_ack = true,
                            .start = now, .end = now + air_time(0)};
    int pipe = r->ack_pipe;
    memcpy(packet.address, r->address[pipe ? 1 : 0], 5);
    if (pipe > 1)
        packet.address[0] = r->reg[RX_ADDR_P0 + pipe];
    r->sending = transmit(r->air, &packet);
    enter(r, RADIO_ACK, packet.end);
}

void radio_stop(struct radio *r)
{
    if (r->sending)
        r->sending->active = false;
    r->sending = NULL;
}

static void end_of_cycle(struct radio *r, ps now, uint8_t flag)
{
    r->reg[STATUS] |= flag;
    enter(r, RADIO_STANDBY, PS_NEVER);
    radio_link_update(r, now);
}

static void sent(struct radio *r, ps now)
{
    struct packet *packet = r->sending;
    r->sending = NULL;
    if (r->flushed || !(r->reg[EN_AA] & 1)) {
        if (packet)
            finish(r->air, packet, now);
        enter(r, RADIO_STANDBY, PS_NEVER);
        radio_link_update(r, now);
        return;
    }
    r->listens_since = now + SETTLING_US * PS_US;
    enter(r, RADIO_WAITING, now + ((r->reg[SETUP_RETR] >> 4) + 1u) * RETRY_US * PS_US);
    if (packet)
        finish(r->air, packet, now);
}

static void not_acknowledged(struct radio *r, ps now)
{
    if (r->flushed || !r->tx.count) {
        enter(r, RADIO_STANDBY, PS_NEVER);
        radio_link_update(r, now);
    } else if (r->tries < (r->reg[SETUP_RETR] & 15)) {
        r->tries++;
        send(r, now);
    } else {
        r->unacknowledged++;
        end_of_cycle(r, now, MAX_RT);
    }
}

/* --- receiving --- */

/* Returns the pipe with this address, or -1. */
static int pipe_of(const struct radio *r, const uint8_t address[5])
{
    for (int pipe = 0; pipe < 6; pipe++) {
        const uint8_t *base = r->address[pipe ? 1 : 0];
        uint8_t first = pipe > 1 ? r->reg[RX_ADDR_P0 + pipe] : base[0];
        if (r->reg[EN_RXADDR] & 1 << pipe && first == address[0] &&
            memcmp(base + 1, address + 1, 4) == 0)
            return pipe;
    }
    return -1;
}

static bool is_duplicate(struct radio *r, int pipe, const struct packet *packet)
{
    int slot = r->remembers_pipes ? pipe : 0;
    bool same = r->last[slot].known && r->last[slot].pipe == pipe &&
                r->last[slot].pid == packet->pid && r->last[slot].size == packet->size &&
                memcmp(r->last[slot].bytes, packet->bytes, packet->size) == 0;
    r->last[slot].known = true;
    r->last[slot].pipe = (uint8_t)pipe;
    r->last[slot].pid = packet->pid;
    r->last[slot].size = packet->size;
    memcpy(r->last[slot].bytes, packet->bytes, packet->size);
    return same;
}

static void receive(struct radio *r, const struct packet *packet, int pipe, ps now)
{
    if (r->reg[RX_PW_P0 + pipe] != packet->size || r->rx.count == RADIO_FIFO)
        return;
    if (!is_duplicate(r, pipe, packet)) {
        struct frame *frame = &r->rx.frame[r->rx.count++];
        frame->size = packet->size;
        frame->pipe = (uint8_t)pipe;
        memcpy(frame->bytes, packet->bytes, packet->size);
        r->reg[STATUS] |= RX_DR;
        r->received++;
    }
    if (r->reg[EN_AA] & 1 << pipe) {
        r->ack_pipe = (uint8_t)pipe;
        enter(r, RADIO_ACK_SETTLING, now + SETTLING_US * PS_US);
    }
}

static void deliver(struct radio *r, const struct packet *packet, ps now)
{
    if (!r->powered || r->reg[RF_CH] != packet->channel || r->listens_since > packet->start)
        return;
    if (r->state == RADIO_RX && !packet->is_ack) {
        int pipe = pipe_of(r, packet->address);
        if (pipe >= 0)
            receive(r, packet, pipe, now);
    } else if (r->state == RADIO_WAITING && packet->is_ack && r->reg[EN_RXADDR] & 1 &&
               memcmp(packet->address, r->address[0], 5) == 0) {
        r->acknowledged++;
        radio_tx_done(r);
        end_of_cycle(r, now, TX_DS);
    }
}

/* --- modes --- */

static bool is_sending(const struct radio *r)
{
    return r->state >= RADIO_TX_SETTLING && r->state <= RADIO_WAITING;
}

static bool is_listening(const struct radio *r)
{
    return r->state >= RADIO_RX_SETTLING;
}

static void listen(struct radio *r, ps now)
{
    enter(r, RADIO_RX_SETTLING, now + SETTLING_US * PS_US);
}

void radio_link_update(struct radio *r, ps now)
{
    bool receiver = r->reg[CONFIG] & PRIM_RX;
    if (r->state == RADIO_DOWN || r->state == RADIO_STARTING)
        return;
    if (is_sending(r)) { /* a packet is completed even if CE falls */
        if (receiver && !r->quiet)
            violation(r->violations, now, "radio: PRIM_RX is changed while it sends");
        return;
    }
    if (is_listening(r) && (!r->enabled || !receiver)) {
        radio_stop(r);
        enter(r, RADIO_STANDBY, PS_NEVER);
    }
    if (r->state != RADIO_STANDBY || !r->enabled)
        return;
    if (receiver) {
        listen(r, now);
    } else if (r->tx.count && !(r->reg[STATUS] & MAX_RT)) {
        r->tries = 0;
        r->flushed = false;
        enter(r, RADIO_TX_SETTLING, now + SETTLING_US * PS_US);
    }
}

void radio_event(struct radio *r, ps now)
{
    switch (r->state) {
    case RADIO_STARTING:
        enter(r, RADIO_STANDBY, PS_NEVER);
        radio_link_update(r, now);
        break;
    case RADIO_TX_SETTLING:
        if (r->tx.count)
            send(r, now);
        else
            enter(r, RADIO_STANDBY, PS_NEVER);
        break;
    case RADIO_TX: sent(r, now); break;
    case RADIO_WAITING: not_acknowledged(r, now); break;
    case RADIO_RX_SETTLING:
        r->listens_since = now;
        enter(r, RADIO_RX, PS_NEVER);
        break;
    case RADIO_ACK_SETTLING: acknowledge(r, now); break;
    case RADIO_ACK: {
        struct packet *packet = r->sending;
        r->sending = NULL;
        if (packet)
            finish(r->air, packet, now);
        listen(r, now);
        break;
    }
    default: r->due = PS_NEVER; break;
    }
}
