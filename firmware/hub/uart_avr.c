#include "uart.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <util/atomic.h>

#include "protocol.h"
#include "ring.h"

enum {
    RING_BYTES = 128, /* above a line; at 115200 baud the main loop has 11 ms for one */
    DIVISOR = (F_CPU / 4 / PROTOCOL_BAUD - 1) / 2, /* 16 at 16 MHz: 2.1 % fast, as an Arduino */
};

static uint8_t received_bytes[RING_BYTES];
static uint8_t sent_bytes[RING_BYTES];
static struct ring received;
static struct ring sent;

ISR(USART_RX_vect)
{
    bool bad = UCSR0A & (_BV(FE0) | _BV(DOR0));
    uint8_t byte = UDR0;
    /* A byte with a framing error is stored too: it invalidates its line's CRC, which is counted. */
    (void)ring_put(&received, bad ? 0 : byte);
}

ISR(USART_UDRE_vect)
{
    uint8_t byte;
    if (ring_get(&sent, &byte))
        UDR0 = byte;
    else
        UCSR0B &= (uint8_t)~_BV(UDRIE0);
}

void uart_start(void)
{
    ring_start(&received, received_bytes, RING_BYTES);
    ring_start(&sent, sent_bytes, RING_BYTES);
    UBRR0 = DIVISOR;
    UCSR0A = _BV(U2X0);
    UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
    UCSR0B = _BV(RXCIE0) | _BV(RXEN0) | _BV(TXEN0);
}

bool uart_read(char *byte)
{
    return ring_get(&received, (uint8_t *)byte);
}

bool uart_has_room(uint8_t size)
{
    return ring_room(&sent) >= size;
}

void uart_send(const char *bytes, uint8_t size)
{
    while (size--)
        (void)ring_put(&sent, (uint8_t)*bytes++);
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        UCSR0B |= _BV(UDRIE0);
    }
}

uint8_t uart_get_lost(void)
{
    uint8_t lost;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        lost = ring_get_refused(&received);
    }
    return lost;
}
