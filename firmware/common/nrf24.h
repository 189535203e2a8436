/* The radio nRF24L01+ (Nordic, Product Specification 1.0) with Enhanced ShockBurst: the chip
 * acknowledges, retransmits and drops duplicates by itself.
 *
 * A node listens on pipe 1 only, or on all six pipes. While it sends, only pipe 0 is on, with the
 * receiver's address, for the acknowledgement. If pipe 0 stayed on, a listening die would
 * acknowledge frames for the hub.
 */
#ifndef URPI_NRF24_H
#define URPI_NRF24_H

#include <stdbool.h>
#include <stdint.h>

#include "air_protocol.h"

struct nrf24_setup {
    uint8_t address[AIR_ADDRESS_BYTES]; /* its own (or first) address, lowest byte first */
    bool six_pipes;                     /* listen on this address and the following five */
    uint8_t channel;                    /* in MHz above 2400 */
    uint8_t receive_bytes;              /* length of received frames */
    uint8_t retry_steps;                /* retransmission delay in AIR_RETRY_STEP_US */
};

enum nrf24_result { NRF24_BUSY, NRF24_ACKNOWLEDGED, NRF24_UNACKNOWLEDGED };

/* Sets the chip up and leaves it in power-down (0.9 uA). Returns false if its registers do not keep
 * their values, because the chip has failed or is missing. */
bool nrf24_start(const struct nrf24_setup *setup);

/* Returns whether the registers still have the set-up, which is lost with the supply voltage. */
bool nrf24_is_alive(const struct nrf24_setup *setup);

/* Switches to power-down, or to standby (26 uA), which is ready after 5 ms. */
void nrf24_power(bool on);

/* Begins to send `size` bytes to `address`, and ends listening. The chip must be in standby. */
void nrf24_send(const uint8_t address[AIR_ADDRESS_BYTES], const uint8_t *bytes, uint8_t size);

/* Returns the state of sending; its end is returned once. */
enum nrf24_result nrf24_poll(void);

/* Cancels sending. */
void nrf24_cancel(void);

/* Listens (13.1 mA at 1 Mbit/s) until nrf24_send() or nrf24_stop_listening(). */
void nrf24_listen(const struct nrf24_setup *setup);

/* Stops listening and returns to standby. */
void nrf24_stop_listening(void);

/* Reads a received frame of `size` bytes (receive_bytes of the set-up). Returns false if there is
 * none. */
bool nrf24_receive(uint8_t *bytes, uint8_t size);

#endif
