/* The radio nRF24L01+ (Nordic, Product Specification 1.0) with Enhanced ShockBurst: the chip
 * acknowledges and resends by itself, and drops what it has already received.
 *
 * A node listens on pipe 1 alone, or on all six pipes. While it sends only pipe 0 is on, with the
 * other's address, for the acknowledgement: left on, a listening die would acknowledge what is
 * meant for the hub.
 */
#ifndef URPI_NRF24_H
#define URPI_NRF24_H

#include <stdbool.h>
#include <stdint.h>

#include "air_protocol.h"

struct nrf24_setup {
    uint8_t address[AIR_ADDRESS_BYTES]; /* its own, lowest byte first; of six, the first */
    bool six_pipes;                     /* listens to this address and the five that follow */
    uint8_t channel;                    /* 2400 MHz + so many */
    uint8_t receive_bytes;              /* the length of what it is sent */
    uint8_t retry_steps;                /* wait before a resend, in AIR_RETRY_STEP_US */
};

enum nrf24_result { NRF24_BUSY, NRF24_HEARD, NRF24_UNHEARD };

/* Sets the chip up and leaves it in power-down (0.9 uA). False when its registers do not keep
 * what is written: it is dead or not there. */
bool nrf24_start(const struct nrf24_setup *setup);

/* Whether its registers still hold the set-up. A chip that lost its supply has forgotten it. */
bool nrf24_is_alive(const struct nrf24_setup *setup);

/* Power-down, or ready (26 uA) 5 ms later. */
void nrf24_power(bool on);

/* Begins to send `size` bytes to `address`; the chip must be ready. Ends listening. */
void nrf24_send(const uint8_t address[AIR_ADDRESS_BYTES], const uint8_t *bytes, uint8_t size);

/* How sending goes; tells its end once. */
enum nrf24_result nrf24_poll(void);

/* Gives up what is being sent. */
void nrf24_cancel(void);

/* Listens (13.1 mA at 1 Mbit/s), until it sends or is hushed. */
void nrf24_listen(const struct nrf24_setup *setup);

/* Stops listening; ready. */
void nrf24_hush(void);

/* Takes a frame of `size` bytes, the set-up's receive_bytes, that came; false when none waits. */
bool nrf24_receive(uint8_t *bytes, uint8_t size);

#endif
