/* An nRF24L01+ and the air, from its product specification 1.0.
 *
 * Modelled: 1 Mbit/s, static lengths, Enhanced ShockBurst with acknowledgements without payload.
 * Everything else is a violation if used. Where the data sheet does not decide, the model does the
 * worst:
 * - The crystal needs the longest time that is allowed, 4.5 ms, and the power-on reset 100 ms.
 * - An acknowledgement is cut off when CE falls while it is sent.
 * - Whether duplicates are detected per pipe or only against the last frame depends on the chip.
 * - Any radio that waits for an acknowledgement with this address accepts it.
 * - While the processor is in reset, CSN and CE float, and the registers can get any values.
 */
#ifndef SECOND_RADIO_H
#define SECOND_RADIO_H

#include "model.h"

enum { AIR_RADIOS_MAX = 9, AIR_PACKETS_MAX = 16, RADIO_PAYLOAD_MAX = 32, RADIO_FIFO = 3 };

struct packet {
    bool active, collided, is_ack;
    int sender;
    uint8_t channel, pid, size;
    uint8_t address[5];
    uint8_t bytes[RADIO_PAYLOAD_MAX];
    ps start, end;
};

struct radio;

struct air {
    struct chance chance;
    double loss; /* of each packet at each receiver, 0 to 1 */
    struct radio *radio[AIR_RADIOS_MAX];
    int radios;
    struct packet packet[AIR_PACKETS_MAX];
    uint64_t sent, lost, collisions;
};

enum radio_state {
    RADIO_DOWN, RADIO_STARTING, RADIO_STANDBY,
    RADIO_TX_SETTLING, RADIO_TX, RADIO_WAITING,   /* for the acknowledgement */
    RADIO_RX_SETTLING, RADIO_RX, RADIO_ACK_SETTLING, RADIO_ACK,
};

struct frame {
    uint8_t size, pipe;
    uint8_t bytes[RADIO_PAYLOAD_MAX];
};

struct fifo {
    struct frame frame[RADIO_FIFO];
    int count;
};

struct radio {
    struct violations *violations;
    struct chance *chance;
    struct air *air;
    int number;
    bool remembers_pipes; /* duplicates are detected per pipe */
    bool is_clone;        /* registers of the features need ACTIVATE; more current in power-down */
    bool powered, quiet;  /* `quiet`: its processor is in reset, so nothing is the firmware's fault */
    ps ready;             /* its power-on reset lasts until then */

    uint8_t reg[0x20];
    uint8_t address[3][5]; /* pipe 0, pipe 1, TX */
    struct fifo tx, rx;

    bool selected, enabled;
    int byte;              /* of the command */
    uint8_t command;
    uint8_t in[RADIO_PAYLOAD_MAX + 1];
    ps enabled_since;

    enum radio_state state;
    ps due;                /* of the state's end */
    ps listens_since;
    struct packet *sending;
    uint8_t pid, tries;
    bool flushed;          /* while it was sent */
    struct {
        bool known;
        uint8_t pid, size, pipe;
        uint8_t bytes[RADIO_PAYLOAD_MAX];
    } last[6];
    uint8_t ack_pipe;
    uint64_t received, acknowledged, unacknowledged;
};

void radio_power(struct radio *radio, ps now, bool on);

/* The pins. */
void radio_select(struct radio *radio, ps now, bool selected);
void radio_enable(struct radio *radio, ps now, bool enabled);
uint8_t radio_transfer(struct radio *radio, ps now, uint8_t byte);
bool radio_irq(const struct radio *radio); /* active, which is low */

/* The registers get random values. */
void radio_scramble(struct radio *radio);

/* The state's time is over. */
void radio_event(struct radio *radio, ps now);

double radio_current_ua(const struct radio *radio);

#endif
