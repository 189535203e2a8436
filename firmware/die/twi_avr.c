#include "twi.h"

#include <avr/io.h>
#include <util/delay.h>
#include <util/twi.h>

#include "pins.h"

enum {
    BUS_HZ = 400000,                     /* at most, also with an oscillator that is 10 % fast */
    FASTEST_HZ = F_CPU / 10 * 11,        /* (data sheet, calibrated internal RC oscillator) */
    DIVIDER = (FASTEST_HZ / BUS_HZ - 16) / 2, /* data sheet 21.5.2, prescaler 1: 364 kHz at 8 MHz */
    /* Iterations of the waiting loop, of about ten clocks each: half a millisecond, which is twenty
     * times the duration of a byte. */
    PATIENCE = F_CPU / 1000 / 20,
    PULSES_TO_FREE = 9,
};

/* A slave interrupted within a byte holds SDA until it has received the remaining clock pulses. The
 * pins are driven as open collectors: low by the direction, high by the pull-up. */
static void free_bus(void)
{
    PORTC &= (uint8_t)~(_BV(DIE_SDA_BIT) | _BV(DIE_SCL_BIT));
    for (uint8_t i = 0; i < PULSES_TO_FREE && bit_is_clear(PINC, DIE_SDA_BIT); i++) {
        DDRC |= _BV(DIE_SCL_BIT);
        _delay_us(5);
        DDRC &= (uint8_t)~_BV(DIE_SCL_BIT);
        _delay_us(5);
    }
}

void twi_start(void)
{
    TWCR = 0;
    free_bus();
    TWSR = 0;
    TWBR = DIVIDER;
    TWCR = _BV(TWEN);
}

/* Performs one step of a transfer, and returns whether it ended with `status`. */
static bool step(uint8_t control, uint8_t status)
{
    uint16_t patience = PATIENCE;
    TWCR = _BV(TWINT) | _BV(TWEN) | control;
    while (bit_is_clear(TWCR, TWINT))
        if (--patience == 0)
            return false;
    return TW_STATUS == status;
}

static bool send(uint8_t byte, uint8_t status)
{
    TWDR = byte;
    return step(0, status);
}

/* Ends a transfer. A failed one can have left the bus occupied. */
static bool finish(bool good)
{
    uint16_t patience = PATIENCE;
    TWCR = _BV(TWINT) | _BV(TWEN) | _BV(TWSTO);
    while (bit_is_set(TWCR, TWSTO) && --patience) {
    }
    if (!good || !patience)
        twi_start();
    return good;
}

static bool send_all(const uint8_t *bytes, uint8_t size)
{
    while (size--)
        if (!send(*bytes++, TW_MT_DATA_ACK))
            return false;
    return true;
}

static bool receive_all(uint8_t *bytes, uint8_t size)
{
    while (size--) {
        bool more = size > 0;
        if (!step(more ? _BV(TWEA) : 0, more ? TW_MR_DATA_ACK : TW_MR_DATA_NACK))
            return false;
        *bytes++ = TWDR;
    }
    return true;
}

bool twi_write(uint8_t address, const uint8_t *bytes, uint8_t size)
{
    return finish(step(_BV(TWSTA), TW_START) &&
                  send((uint8_t)(address << 1 | TW_WRITE), TW_MT_SLA_ACK) &&
                  send_all(bytes, size));
}

bool twi_read(uint8_t address, uint8_t first, uint8_t *bytes, uint8_t size)
{
    return finish(step(_BV(TWSTA), TW_START) &&
                  send((uint8_t)(address << 1 | TW_WRITE), TW_MT_SLA_ACK) &&
                  send(first, TW_MT_DATA_ACK) && step(_BV(TWSTA), TW_REP_START) &&
                  send((uint8_t)(address << 1 | TW_READ), TW_MR_SLA_ACK) &&
                  receive_all(bytes, size));
}
