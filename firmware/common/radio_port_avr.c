/* The radio's pins are the same on die and hub except for IRQ. Both define RADIO_* in pins.h. */
#include "radio_port.h"

#include <avr/io.h>

#include "pins.h"

void radio_port_start(void)
{
    PORTB |= _BV(RADIO_CSN_BIT);
    PORTB &= (uint8_t)~_BV(RADIO_CE_BIT);
    DDRB |= _BV(RADIO_CSN_BIT) | _BV(RADIO_CE_BIT) | _BV(RADIO_MOSI_BIT) | _BV(RADIO_SCK_BIT);
    /* Half the processor's clock: 4 MHz on the die, 8 MHz on the hub; the radio allows 10. */
    SPCR = _BV(SPE) | _BV(MSTR);
    SPSR = _BV(SPI2X);
}

void radio_port_select(void)
{
    PORTB &= (uint8_t)~_BV(RADIO_CSN_BIT);
}

uint8_t radio_port_transfer(uint8_t byte)
{
    SPDR = byte;
    loop_until_bit_is_set(SPSR, SPIF);
    return SPDR;
}

void radio_port_release(void)
{
    PORTB |= _BV(RADIO_CSN_BIT);
}

void radio_port_enable(bool on)
{
    if (on)
        PORTB |= _BV(RADIO_CE_BIT);
    else
        PORTB &= (uint8_t)~_BV(RADIO_CE_BIT);
}

bool radio_port_irq(void)
{
    return bit_is_clear(PIND, RADIO_IRQ_BIT);
}
