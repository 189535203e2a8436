#include "clock.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <util/atomic.h>

enum { PRESCALER = 64, TICKS_PER_MS = F_CPU / PRESCALER / 1000 };

static volatile uint32_t now_ms;

ISR(TIMER0_COMPA_vect)
{
    now_ms++;
}

void clock_run(void)
{
    if (clock_is_running())
        return;
    TCNT0 = 0;
    OCR0A = TICKS_PER_MS - 1;
    TCCR0A = _BV(WGM01);
    TIFR0 = _BV(OCF0A);
    TIMSK0 = _BV(OCIE0A);
    TCCR0B = _BV(CS01) | _BV(CS00);
}

void clock_halt(void)
{
    TCCR0B = 0;
    TIMSK0 = 0;
}

bool clock_is_running(void)
{
    return TIMSK0 & _BV(OCIE0A);
}

uint32_t clock_now(void)
{
    uint32_t now;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        now = now_ms;
    }
    return now;
}

void clock_add(uint16_t ms)
{
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        now_ms += ms;
    }
}
