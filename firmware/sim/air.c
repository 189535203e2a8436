#include "air.h"

#include <string.h>

void air_begin(struct air *air, uint64_t seed)
{
    *air = (struct air){.radios = 0};
    for (int i = 0; i < AIR_RADIOS_MAX; i++)
        air->flight[i].until_ns = UINT64_MAX;
    chance_seed(&air->chance, seed, 3);
}

int air_add(struct air *air, struct nrf24_chip *radio)
{
    air->radio[air->radios] = radio;
    return air->radios++;
}

void air_transmit(struct air *air, int radio, uint64_t now_ns, uint64_t until_ns,
                  const struct nrf24_chip_packet *packet)
{
    struct air_flight *mine = &air->flight[radio];
    *mine = (struct air_flight){.packet = *packet, .from_ns = now_ns, .until_ns = until_ns};
    /* An acknowledgement comes from a radio that listens, and has no content. */
    if (packet->payload.length)
        air->heard[radio] = *packet;
    air->counts.packets++;
    for (int i = 0; i < air->radios; i++) {
        struct air_flight *other = &air->flight[i];
        bool meets = i != radio && other->until_ns != UINT64_MAX && other->until_ns > now_ns &&
                     other->packet.channel == packet->channel;
        if (meets)
            other->collided = mine->collided = true;
    }
}

bool air_forge(struct air *air, int as, int to, uint64_t now_ns, const uint8_t *bytes)
{
    struct nrf24_chip_packet *packet = &air->heard[as];
    /* Another number than the last one, or the chip takes it for a repetition. */
    packet->payload.pid = (packet->payload.pid + 1) & 3;
    memcpy(packet->payload.byte, bytes, packet->payload.length);
    if (!nrf24_chip_listens(air->radio[to], now_ns, packet))
        return false;
    nrf24_chip_receive(air->radio[to], now_ns, now_ns, packet);
    return true;
}

uint64_t air_due(const struct air *air)
{
    uint64_t due = UINT64_MAX;
    for (int i = 0; i < air->radios; i++)
        due = air->flight[i].until_ns < due ? air->flight[i].until_ns : due;
    return due;
}

static bool is_lost(struct air *air, int from, int to)
{
    double arrives = (1 - air->loss[from]) * (1 - air->loss[to]);
    return chance_between(&air->chance, 0, 1) >= arrives;
}

static void land(struct air *air, int from)
{
    struct air_flight flight = air->flight[from];
    air->flight[from].until_ns = UINT64_MAX;
    air->counts.collisions += flight.collided;
    for (int to = 0; to < air->radios && !flight.collided; to++) {
        if (to == from || !nrf24_chip_listens(air->radio[to], flight.from_ns, &flight.packet))
            continue;
        if (is_lost(air, from, to))
            air->counts.lost++;
        else
            nrf24_chip_receive(air->radio[to], flight.from_ns, flight.until_ns, &flight.packet);
    }
}

void air_advance(struct air *air, uint64_t now_ns)
{
    for (int i = 0; i < air->radios; i++)
        if (air->flight[i].until_ns <= now_ns)
            land(air, i);
}
