/* The transmission between up to eight radios: receivers, collisions and random losses. */
#ifndef SIM_AIR_H
#define SIM_AIR_H

#include "chance.h"
#include "nrf24_chip.h"

enum { AIR_RADIOS_MAX = 8 };

struct air_flight {
    struct nrf24_chip_packet packet;
    uint64_t from_ns, until_ns; /* until_ns is UINT64_MAX without a packet */
    bool collided;
};

struct air_counts {
    uint32_t packets, collisions, lost;
};

struct air {
    struct nrf24_chip *radio[AIR_RADIOS_MAX];
    int radios;
    struct air_flight flight[AIR_RADIOS_MAX]; /* a radio sends one packet at a time */
    double loss[AIR_RADIOS_MAX];              /* of each packet to or from this radio, 0 to 1 */
    struct nrf24_chip_packet heard[AIR_RADIOS_MAX]; /* the last one of each radio, for attackers */
    struct air_counts counts;
    struct chance chance;
};

void air_begin(struct air *air, uint64_t seed);

/* Adds a radio; returns its number. */
int air_add(struct air *air, struct nrf24_chip *radio);

/* Begins a packet sent by the radio with this number. */
void air_transmit(struct air *air, int radio, uint64_t now_ns, uint64_t until_ns,
                  const struct nrf24_chip_packet *packet);

/* An attacker sends a packet to the radio `to`, as if it came from the radio `as`, which must have
 * sent one. Returns false if `to` does not listen. */
bool air_forge(struct air *air, int as, int to, uint64_t now_ns, const uint8_t *bytes);

/* Returns when the next packet ends, UINT64_MAX for none. Call air_advance() then, before the
 * radios' nrf24_chip_advance(). */
uint64_t air_due(const struct air *air);
void air_advance(struct air *air, uint64_t now_ns);

#endif
