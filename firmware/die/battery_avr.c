#include "battery.h"

#include <avr/io.h>

#include "pins.h"

enum { SETTLING_CONVERSIONS = 8, STEPS = 1024 };

static uint16_t convert(void)
{
    ADCSRA |= _BV(ADSC);
    loop_until_bit_is_clear(ADCSRA, ADSC);
    return ADC;
}

uint16_t battery_measure(uint16_t reference_mv)
{
    uint16_t steps = 0;
    ADMUX = _BV(REFS1) | _BV(REFS0) | DIE_BATTERY_ADC;
    ADCSRA = _BV(ADEN) | _BV(ADPS2) | _BV(ADPS1); /* 125 kHz: 104 us per conversion */
    /* Meanwhile the reference charges the capacitor at AREF. */
    for (uint8_t i = 0; i < SETTLING_CONVERSIONS; i++)
        steps = convert();
    ADCSRA = 0;
    uint32_t pin_mv_64 = (uint32_t)steps * reference_mv / (STEPS / 64);
    return (uint16_t)(pin_mv_64 * DIE_BATTERY_DIVIDER_PERMILLE / 64000);
}
