#include "nrf24.h"

#include <string.h>

#include "radio_port.h"

enum {
    /* commands */
    R_REGISTER = 0x00,
    W_REGISTER = 0x20,
    R_RX_PAYLOAD = 0x61,
    W_TX_PAYLOAD = 0xA0,
    FLUSH_TX = 0xE1,
    FLUSH_RX = 0xE2,
    NOP = 0xFF,
    /* registers */
    CONFIG = 0x00,
    EN_AA = 0x01,
    EN_RXADDR = 0x02,
    SETUP_AW = 0x03,
    SETUP_RETR = 0x04,
    RF_CH = 0x05,
    RF_SETUP = 0x06,
    STATUS = 0x07,
    RX_ADDR_P0 = 0x0A,
    RX_ADDR_P1 = 0x0B,
    TX_ADDR = 0x10,
    RX_PW_P0 = 0x11,
    FIFO_STATUS = 0x17,
    DYNPD = 0x1C,
    FEATURE = 0x1D,
    /* their bits */
    CONFIG_CRC_16 = 0x0C,
    CONFIG_PWR_UP = 0x02,
    CONFIG_PRIM_RX = 0x01,
    PIPE_0 = 0x01,
    PIPE_1 = 0x02,
    ALL_PIPES = 0x3F,
    PIPES = 6,
    ADDRESS_5_BYTES = 3,
    RATE_1_MBIT_0_DBM = 0x06,
    STATUS_RX_DR = 0x40,
    STATUS_TX_DS = 0x20,
    STATUS_MAX_RT = 0x10,
    STATUS_ALL = 0x70,
    STATUS_NEVER = 0x80, /* reserved, reads 0; 1 means that MISO is stuck high */
    FIFO_TX_EMPTY = 0x10,
    FIFO_RX_EMPTY = 0x01,
};

static void write_bytes(uint8_t command, const uint8_t *bytes, uint8_t size)
{
    radio_port_select();
    radio_port_transfer(command);
    while (size--)
        radio_port_transfer(*bytes++);
    radio_port_release();
}

static void write_one(uint8_t at, uint8_t value)
{
    write_bytes(W_REGISTER | at, &value, 1);
}

static void read_bytes(uint8_t command, uint8_t *bytes, uint8_t size)
{
    radio_port_select();
    radio_port_transfer(command);
    while (size--)
        *bytes++ = radio_port_transfer(NOP);
    radio_port_release();
}

static uint8_t read_one(uint8_t at)
{
    uint8_t value;
    read_bytes(R_REGISTER | at, &value, 1);
    return value;
}

static void command(uint8_t byte)
{
    write_bytes(byte, &byte, 0);
}

/* Pipe 1 has a full address, and pipes 2 to 5 differ from it only in the lowest byte (data sheet
 * 7.6). Pipe 0 is set by nrf24_listen() and nrf24_send(). */
static void write_pipes(const struct nrf24_setup *setup)
{
    uint8_t address[AIR_ADDRESS_BYTES];
    memcpy(address, setup->address, sizeof address);
    address[0] = (uint8_t)(address[0] + setup->six_pipes);
    write_bytes(W_REGISTER | RX_ADDR_P1, address, sizeof address);
    for (uint8_t pipe = 2; pipe < PIPES; pipe++)
        write_one((uint8_t)(RX_ADDR_P0 + pipe), (uint8_t)(setup->address[0] + pipe));
    for (uint8_t pipe = 0; pipe < PIPES; pipe++)
        write_one((uint8_t)(RX_PW_P0 + pipe), setup->receive_bytes);
}

bool nrf24_is_alive(const struct nrf24_setup *setup)
{
    uint8_t address[AIR_ADDRESS_BYTES];
    read_bytes(R_REGISTER | RX_ADDR_P1, address, sizeof address);
    address[0] = (uint8_t)(address[0] - setup->six_pipes);
    return memcmp(address, setup->address, sizeof address) == 0 &&
           read_one(RF_CH) == setup->channel && read_one(RX_PW_P0 + 1) == setup->receive_bytes;
}

bool nrf24_start(const struct nrf24_setup *setup)
{
    radio_port_enable(false);
    write_one(CONFIG, CONFIG_CRC_16);
    write_one(EN_AA, ALL_PIPES);
    write_one(EN_RXADDR, 0);
    write_one(SETUP_AW, ADDRESS_5_BYTES);
    write_one(SETUP_RETR, (uint8_t)((setup->retry_steps - 1) << 4 | AIR_RETRY_COUNT));
    write_one(RF_CH, setup->channel);
    write_one(RF_SETUP, RATE_1_MBIT_0_DBM);
    write_one(DYNPD, 0);
    write_one(FEATURE, 0);
    write_pipes(setup);
    command(FLUSH_TX);
    command(FLUSH_RX);
    write_one(STATUS, STATUS_ALL);
    return nrf24_is_alive(setup);
}

void nrf24_power(bool on)
{
    radio_port_enable(false);
    write_one(CONFIG, on ? CONFIG_CRC_16 | CONFIG_PWR_UP : CONFIG_CRC_16);
}

void nrf24_send(const uint8_t address[AIR_ADDRESS_BYTES], const uint8_t *bytes, uint8_t size)
{
    radio_port_enable(false);
    write_one(CONFIG, CONFIG_CRC_16 | CONFIG_PWR_UP);
    write_bytes(W_REGISTER | TX_ADDR, address, AIR_ADDRESS_BYTES);
    write_bytes(W_REGISTER | RX_ADDR_P0, address, AIR_ADDRESS_BYTES);
    write_one(EN_RXADDR, PIPE_0);
    write_one(STATUS, STATUS_TX_DS | STATUS_MAX_RT);
    command(FLUSH_TX);
    write_bytes(W_TX_PAYLOAD, bytes, size);
    radio_port_enable(true);
}

static void end_sending(void)
{
    radio_port_enable(false);
    write_one(STATUS, STATUS_TX_DS | STATUS_MAX_RT);
    command(FLUSH_TX);
}

enum nrf24_result nrf24_poll(void)
{
    uint8_t status = read_one(STATUS);
    if (status & STATUS_NEVER || !(status & (STATUS_TX_DS | STATUS_MAX_RT)))
        return NRF24_BUSY;
    end_sending();
    return status & STATUS_TX_DS ? NRF24_ACKNOWLEDGED : NRF24_UNACKNOWLEDGED;
}

void nrf24_cancel(void)
{
    end_sending();
}

void nrf24_listen(const struct nrf24_setup *setup)
{
    radio_port_enable(false);
    if (setup->six_pipes)
        write_bytes(W_REGISTER | RX_ADDR_P0, setup->address, AIR_ADDRESS_BYTES);
    write_one(EN_RXADDR, setup->six_pipes ? ALL_PIPES : PIPE_1);
    write_one(CONFIG, CONFIG_CRC_16 | CONFIG_PWR_UP | CONFIG_PRIM_RX);
    radio_port_enable(true);
}

void nrf24_stop_listening(void)
{
    radio_port_enable(false);
    write_one(CONFIG, CONFIG_CRC_16 | CONFIG_PWR_UP);
}

bool nrf24_receive(uint8_t *bytes, uint8_t size)
{
    /* Nothing is being sent, so TX_EMPTY must be set. If it is not, MISO is stuck low, and would
     * return frames endlessly. */
    if ((read_one(FIFO_STATUS) & (FIFO_TX_EMPTY | FIFO_RX_EMPTY)) != FIFO_TX_EMPTY)
        return false;
    read_bytes(R_RX_PAYLOAD, bytes, size);
    /* Clear RX_DR only after reading the payload, as the data sheet requires: a frame received in
     * between is then found when the FIFO is checked again. */
    write_one(STATUS, STATUS_RX_DR);
    return true;
}
