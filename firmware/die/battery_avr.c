#include "battery.h"

#include <avr/io.h>

#include "pins.h"

enum {
    STEPS = 1024,
    NO_CELL_STEPS = 900, /* a cell of 4.38 V with a reference of 0.9 V */
    ROUND_CONVERSIONS = 4,
    MAX_ROUNDS = 40,
    SETTLED_STEPS = 1,
};

static uint16_t convert(void)
{
    ADCSRA |= _BV(ADSC);
    loop_until_bit_is_clear(ADCSRA, ADSC);
    return ADC;
}

/* Meanwhile the reference charges the capacitor at AREF: 100 nF on a Pro Mini take several
 * milliseconds, a bare chip 70 us. Until then the result falls, at first from full scale; just below
 * it, two results can be alike without being a cell's. */
static uint16_t convert_settled(void)
{
    uint16_t before;
    uint16_t steps = UINT16_MAX;
    uint8_t rounds = MAX_ROUNDS;
    do {
        before = steps;
        for (uint8_t i = 0; i < ROUND_CONVERSIONS; i++)
            steps = convert();
    } while ((before >= NO_CELL_STEPS || steps < before - SETTLED_STEPS) && --rounds);
    return steps;
}

uint16_t battery_measure(uint16_t reference_mv)
{
    ADMUX = _BV(REFS1) | _BV(REFS0) | DIE_BATTERY_ADC;
    ADCSRA = _BV(ADEN) | _BV(ADPS2) | _BV(ADPS1); /* 125 kHz: 104 us per conversion */
    uint16_t steps = convert_settled();
    ADCSRA = 0;
    uint32_t pin_mv_64 = (uint32_t)steps * reference_mv / (STEPS / 64);
    return (uint16_t)(pin_mv_64 * DIE_BATTERY_DIVIDER_PERMILLE / 64000);
}
