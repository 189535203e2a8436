/* common/twi.h with TWIM0. */
#include "twi.h"

#include <string.h>

#include "board.h"
#include "nrf52840.h"

enum {
    SCL = 27,
    SDA = 7,
    OPEN_DRAIN = 6 << 8 | 3 << 2, /* PIN_CNF: S0D1, input connected, pull-up */
    ENABLE_TWIM = 6,
    FREQUENCY_390_KHZ = 0x06200000, /* at 400 the low time is too short: anomaly 219 */
    LASTTX_STARTRX = 1 << 7,
    LASTTX_STOP = 1 << 9,
    LASTRX_STOP = 1 << 12,
    STOPPED = 1 << 1,
    ERROR = 1 << 9,
    PATIENCE_MS = 5, /* 64 bytes take 1.6 ms */
    BUFFER_BYTES = 64,
};

/* EasyDMA reads and writes RAM only. */
static uint8_t sent[BUFFER_BYTES], received[BUFFER_BYTES];

void twi_start(void)
{
    TWIM0_ENABLE = 0;
    REGISTER(P0_PIN_CNF0 + 4U * SCL) = OPEN_DRAIN;
    REGISTER(P0_PIN_CNF0 + 4U * SDA) = OPEN_DRAIN;
    TWIM0_PSEL_SCL = SCL;
    TWIM0_PSEL_SDA = SDA;
    TWIM0_FREQUENCY = FREQUENCY_390_KHZ;
    TWIM0_INTENSET = STOPPED | ERROR;
    TWIM0_ENABLE = ENABLE_TWIM;
}

/* The master does not stop by itself after an error. An event that stays set would end each sleep at
 * once. */
static bool await_stop(void)
{
    bool good = true;
    uint32_t until = board_now() + PATIENCE_MS;
    while (!TWIM0_EVENTS_STOPPED) {
        if (TWIM0_EVENTS_ERROR) {
            TWIM0_EVENTS_ERROR = 0;
            TWIM0_TASKS_STOP = 1;
            good = false;
        }
        if ((int32_t)(board_now() - until) >= 0) {
            twi_start();
            return false;
        }
        board_sleep_until(until);
    }
    TWIM0_EVENTS_STOPPED = 0;
    return good;
}

static bool transfer(uint8_t address, uint8_t send, uint8_t receive)
{
    TWIM0_ADDRESS = address;
    TWIM0_TXD_PTR = (uint32_t)sent;
    TWIM0_TXD_MAXCNT = send;
    TWIM0_RXD_PTR = (uint32_t)received;
    TWIM0_RXD_MAXCNT = receive;
    TWIM0_SHORTS = receive ? LASTTX_STARTRX | LASTRX_STOP : LASTTX_STOP;
    TWIM0_EVENTS_STOPPED = 0;
    TWIM0_EVENTS_ERROR = 0;
    TWIM0_ERRORSRC = TWIM0_ERRORSRC; /* a one clears the bit */
    TWIM0_TASKS_STARTTX = 1;
    return await_stop() && TWIM0_TXD_AMOUNT == send && (!receive || TWIM0_RXD_AMOUNT == receive);
}

bool twi_write(uint8_t address, const uint8_t *bytes, uint8_t size)
{
    if (size > BUFFER_BYTES)
        return false;
    memcpy(sent, bytes, size);
    return transfer(address, size, 0);
}

bool twi_read(uint8_t address, uint8_t first, uint8_t *bytes, uint8_t size)
{
    sent[0] = first;
    if (size > BUFFER_BYTES || !transfer(address, 1, size))
        return false;
    memcpy(bytes, received, size);
    return true;
}
