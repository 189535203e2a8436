#include "radio.h"

#include "board.h"
#include "nrf52840.h"

/* Core Specification 5.4, volume 6 part B: access address, CRC and whitening (2.1.2, 3.1, 3.2). */
#define ACCESS_ADDRESS 0x8E89BED6U
#define CRC_INIT 0x555555U
#define CRC_POLYNOMIAL 0x00065BU

enum {
    BLE_1_MBIT = 3,
    FAST_RAMP_UP = 1 << 0 | 2 << 8, /* MODECNF0; sends the centre frequency before the start */
    HEADER = 8 << 0 | 1 << 8,       /* PCNF0: length of 8 bits after a byte S0 */
    MAX_BYTES = 37,
    WHITENED = MAX_BYTES | 3 << 16 | 1 << 25, /* PCNF1: base address of 3 bytes */
    CRC_3_BYTES = 3 | 1 << 8,                 /* without the access address */
    READY_START_END_DISABLE = 1 << 0 | 1 << 1,
    DISABLED = 1 << 4,
    PATIENCE_MS = 5,
};

static const struct {
    uint8_t channel, mhz; /* above 2400 */
} channels[] = {{37, 2}, {38, 26}, {39, 80}};

void radio_start(void)
{
    RADIO_POWER = 0; /* resets its registers */
    RADIO_POWER = 1;
    RADIO_MODE = BLE_1_MBIT;
    RADIO_MODECNF0 = FAST_RAMP_UP;
    RADIO_TXPOWER = 0; /* dBm */
    RADIO_PCNF0 = HEADER;
    RADIO_PCNF1 = WHITENED;
    RADIO_BASE0 = ACCESS_ADDRESS << 8;
    RADIO_PREFIX0 = ACCESS_ADDRESS >> 24;
    RADIO_TXADDRESS = 0;
    RADIO_CRCCNF = CRC_3_BYTES;
    RADIO_CRCPOLY = CRC_POLYNOMIAL;
    RADIO_CRCINIT = CRC_INIT;
    RADIO_SHORTS = READY_START_END_DISABLE;
    RADIO_INTENSET = DISABLED;
}

/* The radio needs the crystal, which runs meanwhile only. */
bool radio_advertise(const uint8_t *pdu)
{
    CLOCK_EVENTS_HFCLKSTARTED = 0;
    CLOCK_TASKS_HFCLKSTART = 1;
    bool good = board_await(&CLOCK_EVENTS_HFCLKSTARTED, PATIENCE_MS);
    RADIO_PACKETPTR = (uint32_t)pdu;
    for (uint8_t i = 0; good && i < sizeof channels / sizeof channels[0]; i++) {
        RADIO_FREQUENCY = channels[i].mhz;
        RADIO_DATAWHITEIV = channels[i].channel;
        RADIO_EVENTS_DISABLED = 0;
        RADIO_TASKS_TXEN = 1;
        good = board_await(&RADIO_EVENTS_DISABLED, PATIENCE_MS);
    }
    CLOCK_TASKS_HFCLKSTOP = 1;
    return good;
}
