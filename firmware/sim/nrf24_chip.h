/* The radio: Nordic nRF24L01+ (Product Specification 1.0, 2008; "PS" below) on SPI.
 *
 * Modelled: the register file and all SPI commands but REUSE_TX_PL, three-deep FIFOs, Enhanced
 * ShockBurst with acknowledgement, payloads in acknowledgements, dynamic length, automatic
 * resend with its waits, duplicate detection, the IRQ pin with its masks, CE, the power states
 * with their turn-on and settling times and currents. air.h decides which radios receive a packet.
 */
#ifndef SIM_NRF24_CHIP_H
#define SIM_NRF24_CHIP_H

#include "meter.h"

#include <stdbool.h>
#include <stdint.h>

enum nrf24_chip_register {
    RADIO_CONFIG,
    RADIO_EN_AA,
    RADIO_EN_RXADDR,
    RADIO_SETUP_AW,
    RADIO_SETUP_RETR,
    RADIO_RF_CH,
    RADIO_RF_SETUP,
    RADIO_STATUS,
    RADIO_OBSERVE_TX,
    RADIO_RPD,
    RADIO_RX_ADDR_P0,
    RADIO_TX_ADDR = 0x10,
    RADIO_RX_PW_P0,
    RADIO_FIFO_STATUS = 0x17,
    RADIO_DYNPD = 0x1C,
    RADIO_FEATURE,
    RADIO_REGISTERS
};

enum nrf24_chip_state {
    RADIO_UNPOWERED,
    RADIO_DOWN,
    RADIO_STARTING, /* the quartz, PS 6.1.7 */
    RADIO_STANDBY,  /* I; II as a transmitter with CE high and nothing to send */
    RADIO_RX_SETTLING,
    RADIO_RX,
    RADIO_TX_SETTLING,
    RADIO_TX,
    /* A transmitter between a packet's end and its acknowledgement. */
    RADIO_ACK_SETTLING,
    RADIO_ACK_WAIT,
    /* A receiver that acknowledges. */
    RADIO_REPLY_SETTLING,
    RADIO_REPLY,
};

/* The states that the meter distinguishes. */
enum nrf24_chip_draw { RADIO_DRAW_DOWN, RADIO_DRAW_STANDBY, RADIO_DRAW_RX, RADIO_DRAW_TX };

enum { RADIO_PIPES = 6, RADIO_PAYLOAD_MAX = 32, RADIO_FIFO_DEPTH = 3, RADIO_ADDRESS_MAX = 5 };

struct nrf24_chip_payload {
    uint8_t byte[RADIO_PAYLOAD_MAX];
    uint8_t length;
    uint8_t pipe;
    uint8_t pid;
    bool no_ack;
};

struct nrf24_chip_fifo {
    struct nrf24_chip_payload entry[RADIO_FIFO_DEPTH];
    int count;
};

/* What is on the air; `address` with its least byte first. */
struct nrf24_chip_packet {
    uint8_t address[RADIO_ADDRESS_MAX];
    uint8_t address_length;
    uint8_t channel;
    uint16_t kbit_per_s;
    uint8_t crc_length;
    bool enhanced; /* has a packet control field */
    bool acknowledges;
    struct nrf24_chip_payload payload;
};

struct nrf24_chip;

/* What the radio reaches out to: the air, and its two wires to the processor. */
struct nrf24_chip_links {
    void (*transmit)(void *context, uint64_t now_ns, uint64_t until_ns,
                     const struct nrf24_chip_packet *packet);
    void (*irq)(void *context, uint64_t now_ns, bool high);
    void *context;
};

/* The last packet of a pipe, to detect duplicates. */
struct nrf24_chip_last_packet {
    uint8_t pid;
    uint32_t sum;
    bool any;
};

struct nrf24_chip_counts {
    uint32_t sent, resent, given_up, acknowledged; /* as a transmitter */
    uint32_t received, copies, overflows;          /* as a receiver */
    uint32_t hasty; /* CE rose before the quartz ran, which PS 6.1.7 forbids */
};

struct nrf24_chip {
    struct nrf24_chip_links links;
    struct meter meter;
    struct nrf24_chip_counts counts;
    enum nrf24_chip_state state;
    uint64_t due_ns; /* when the state ends by itself; UINT64_MAX for never */
    uint64_t powered_ns, ce_rose_ns, listening_ns, sent_ns;
    uint8_t value[RADIO_REGISTERS];
    uint8_t rx_address[2][RADIO_ADDRESS_MAX]; /* pipes 0 and 1; the others differ in a byte */
    uint8_t tx_address[RADIO_ADDRESS_MAX];
    struct nrf24_chip_fifo tx, rx;
    struct nrf24_chip_last_packet last_packet[RADIO_PIPES];
    struct nrf24_chip_packet reply;
    bool reply_pending[RADIO_PIPES]; /* its payload went out and waits for the next packet */
    uint8_t pid, resends;
    bool ce, irq_high, broken;
    bool selected; /* CSN is low */
    uint8_t command;
    int bytes; /* since CSN fell */
    struct nrf24_chip_payload shifted;
};

void nrf24_chip_begin(struct nrf24_chip *chip, const struct nrf24_chip_links *links);

/* Supply on or off; registers and FIFOs are reset. */
void nrf24_chip_power(struct nrf24_chip *chip, uint64_t now_ns, bool on);

/* The wires from the processor. */
void nrf24_chip_ce(struct nrf24_chip *chip, uint64_t now_ns, bool high);
void nrf24_chip_csn(struct nrf24_chip *chip, uint64_t now_ns, bool high);
uint8_t nrf24_chip_exchange(struct nrf24_chip *chip, uint64_t now_ns, uint8_t mosi);

/* When the chip does something by itself; then call nrf24_chip_advance(). */
uint64_t nrf24_chip_due(const struct nrf24_chip *chip);
void nrf24_chip_advance(struct nrf24_chip *chip, uint64_t now_ns);

/* A packet has just ended that began at `from_ns`, and reached the antenna whole. */
void nrf24_chip_receive(struct nrf24_chip *chip, uint64_t from_ns, uint64_t now_ns,
                        const struct nrf24_chip_packet *packet);

/* Whether it has listened on this channel since `from_ns`. */
bool nrf24_chip_listens(const struct nrf24_chip *chip, uint64_t from_ns,
                        const struct nrf24_chip_packet *packet);

/* How long a packet lasts, PS 7.4 and 7.10. */
uint64_t nrf24_chip_airtime_ns(const struct nrf24_chip_packet *packet);

/* Between nrf24_chip.c, which owns the registers, nrf24_chip_link.c, which owns the states, and
 * nrf24_chip_receive.c. */
struct nrf24_chip_packet nrf24_chip_packet(const struct nrf24_chip *chip, const uint8_t *address);
void nrf24_chip_finish(struct nrf24_chip *chip, uint64_t now_ns, uint8_t flags);
void nrf24_chip_reconsider(struct nrf24_chip *chip, uint64_t now_ns);
void nrf24_chip_enter(struct nrf24_chip *chip, uint64_t now_ns, enum nrf24_chip_state state,
                      uint64_t due_ns);
void nrf24_chip_flag(struct nrf24_chip *chip, uint64_t now_ns, uint8_t status_bits);
void nrf24_chip_drop_first(struct nrf24_chip_fifo *fifo, int at);
uint8_t nrf24_chip_address_length(const struct nrf24_chip *chip);
uint16_t nrf24_chip_kbit_per_s(const struct nrf24_chip *chip);
bool nrf24_chip_has_dynamic_length(const struct nrf24_chip *chip, int pipe);

#define RADIO_SETTLE_NS 130000u /* Tstby2a, PS table 16 */

#define RADIO_RX_DR 0x40
#define RADIO_TX_DS 0x20
#define RADIO_MAX_RT 0x10
#define RADIO_EN_DPL 0x04
#define RADIO_EN_ACK_PAY 0x02
#define RADIO_EN_DYN_ACK 0x01

#endif
