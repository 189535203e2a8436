/* What runs by a clock of its own in the ATmega328P: Timer 0, watchdog, ADC and EEPROM. */
#include <math.h>

#include "board.h"
#include "mcu.h"

enum {
    WDIF = 0x80, WDIE = 0x40, WDP3 = 0x20, WDCE = 0x10, WDE = 0x08, WDP = 0x27,
    OCF0A = 2, CTC = 2,
    ADEN = 0x80, ADSC = 0x40, ADIF = 0x10, ADC_CONVERSION = 13, ADC_FIRST_CONVERSION = 25,
    EEMPE = 4, EEPE = 2, EERE = 1,
    PRADC = 1, PRTIM0 = 0x20,
    WINDOW_CYCLES = 4,
};

/* --- watchdog --- */

static ps watchdog_period(const struct mcu *mcu)
{
    int step = (mcu->data[WDTCSR] & 7) | (mcu->data[WDTCSR] & WDP3 ? 8 : 0);
    return (ps)((double)(16 * PS_MS * (1u << step)) * 0.9765625 / mcu->watchdog_rate);
}

void mcu_watchdog_restart(struct mcu *mcu)
{
    bool on = mcu->data[WDTCSR] & (WDIE | WDE);
    mcu_schedule(mcu, EVENT_WATCHDOG, on ? mcu->now + watchdog_period(mcu) : PS_NEVER);
}

static void write_watchdog(struct mcu *mcu, uint8_t value)
{
    uint8_t old = mcu->data[WDTCSR];
    bool open = mcu->now <= mcu->watchdog_change_until;
    uint8_t flag = value & WDIF ? 0 : old & WDIF;
    uint8_t kept = open ? value & (WDE | WDP) : (old & (WDE | WDP)) | (value & WDE);
    if (!open && (value & WDP) != (old & WDP) && !(value & WDCE))
        MCU_VIOLATION(mcu, "mcu: changes the watchdog's period outside of its window");
    if (!open && old & WDE && !(value & WDE))
        MCU_VIOLATION(mcu, "mcu: switches the watchdog off outside of its window");
    if (mcu->data[MCUSR] & RESET_WATCHDOG)
        kept |= WDE;
    mcu->watchdog_change_until = 0;
    if (value & WDCE && value & WDE)
        mcu->watchdog_change_until = mcu->now + WINDOW_CYCLES * mcu->period;
    mcu->data[WDTCSR] = flag | kept | (value & WDIE);
    if ((mcu->data[WDTCSR] ^ old) & (WDP | WDE) || !(old & (WDE | WDIE)))
        mcu_watchdog_restart(mcu);
}

static void watchdog_elapsed(struct mcu *mcu)
{
    mcu_watchdog_restart(mcu);
    if (mcu->data[WDTCSR] & WDIE)
        mcu->data[WDTCSR] |= WDIF;
    else if (mcu->data[WDTCSR] & WDE)
        mcu_reset(mcu, RESET_WATCHDOG);
}

/* --- Timer 0 --- */

static unsigned prescaler(const struct mcu *mcu)
{
    static const uint16_t by[] = {0, 1, 8, 64, 256, 1024};
    unsigned clock = mcu->data[TCCR0B] & 7;
    return clock < 6 ? by[clock] : 0;
}

/* `timer0_from` is the prescaler's tick at which TCNT0 was 0. The prescaler itself is never reset. */
static void schedule_timer0(struct mcu *mcu)
{
    unsigned by = prescaler(mcu);
    mcu_schedule(mcu, EVENT_TIMER0, PS_NEVER);
    if (!by || !mcu_clock_runs(mcu))
        return;
    if (mcu->data[TCCR0A] != CTC || mcu->data[TCCR0B] & 0xC8)
        MCU_VIOLATION(mcu, "mcu: only CTC of Timer 0 is modelled");
    uint64_t match = (mcu->timer0_from + mcu->data[OCR0A] + 1) * by;
    uint64_t cycles = mcu_io_cycles(mcu);
    mcu_schedule(mcu, EVENT_TIMER0, mcu->now + (match > cycles ? match - cycles : 1) * mcu->period);
}

void mcu_timer0_stopped(struct mcu *mcu)
{
    mcu_schedule(mcu, EVENT_TIMER0, PS_NEVER);
}

void mcu_timer0_resumed(struct mcu *mcu)
{
    schedule_timer0(mcu);
}

static void write_timer0(struct mcu *mcu, uint16_t at, uint8_t value)
{
    unsigned was = prescaler(mcu);
    uint64_t cycles = mcu_io_cycles(mcu);
    uint8_t count = was ? (uint8_t)(cycles / was - mcu->timer0_from) : mcu->data[TCNT0];
    if (mcu->data[PRR] & PRTIM0)
        MCU_VIOLATION(mcu, "mcu: uses Timer 0 while it is switched off");
    mcu->data[at] = value;
    if (at == TCNT0)
        count = value;
    mcu->data[TCNT0] = count;
    unsigned by = prescaler(mcu);
    if (by)
        mcu->timer0_from = cycles / by - count;
    schedule_timer0(mcu);
}

/* --- ADC --- */

static double reference(const struct mcu *mcu, ps at)
{
    double gone = exp(-(double)(at - mcu->reference_on) / (double)mcu->reference_tau);
    return 1.0 - (1.0 - mcu->reference_charge) * gone;
}

static void switch_reference(struct mcu *mcu)
{
    bool on = mcu->data[ADCSRA] & ADEN && mcu->data[ADMUX] >> 6 == 3;
    if (on && mcu->reference_on == PS_NEVER) {
        double gone = exp(-(double)(mcu->now - mcu->reference_left) / (double)PS_S);
        mcu->reference_charge *= gone;
        mcu->reference_on = mcu->now;
    } else if (!on && mcu->reference_on != PS_NEVER) {
        mcu->reference_charge = reference(mcu, mcu->now);
        mcu->reference_on = PS_NEVER;
        mcu->reference_left = mcu->now;
    }
}

static void start_conversion(struct mcu *mcu)
{
    static const uint8_t by[] = {2, 2, 4, 8, 16, 32, 64, 128};
    ps clock = by[mcu->data[ADCSRA] & 7] * mcu->period;
    int clocks = (mcu->adc_first ? ADC_FIRST_CONVERSION : ADC_CONVERSION) + 1;
    if (clock < PS_US * 5 || clock > PS_US * 20)
        MCU_VIOLATION(mcu, "mcu: the ADC's clock is not within 50 to 200 kHz");
    if (mcu->reference_on == PS_NEVER)
        MCU_VIOLATION(mcu, "mcu: only the ADC's internal reference is modelled");
    mcu->adc_first = false;
    mcu_schedule(mcu, EVENT_ADC, mcu->now + (ps)clocks * clock);
}

static void conversion_done(struct mcu *mcu)
{
    double mv = board_analog(mcu->board, mcu->data[ADMUX] & 15);
    double volts = mcu->reference_mv * reference(mcu, mcu->now);
    /* Absolute accuracy is 2 LSB (table 29-16). */
    double steps = mv * 1024.0 / (volts > 1.0 ? volts : 1.0) + chance_between(mcu->chance, -2, 2);
    mcu->adc_result = (uint16_t)fmin(1023.0, fmax(0.0, steps));
    mcu->data[ADCSRA] = (uint8_t)((mcu->data[ADCSRA] & ~ADSC) | ADIF);
}

static void write_adcsra(struct mcu *mcu, uint8_t value)
{
    uint8_t old = mcu->data[ADCSRA];
    uint8_t flag = value & ADIF ? 0 : old & ADIF;
    if (mcu->data[PRR] & PRADC)
        MCU_VIOLATION(mcu, "mcu: uses the ADC while it is switched off");
    if (value & 0x28)
        MCU_VIOLATION(mcu, "mcu: the ADC's interrupt and triggers are not modelled");
    bool busy = mcu->due[EVENT_ADC] != PS_NEVER;
    if (busy && value & ADEN)
        value |= ADSC;
    if (!(old & ADEN) && value & ADEN)
        mcu->adc_first = true;
    if (!(value & ADEN)) {
        value &= (uint8_t)~ADSC;
        mcu_schedule(mcu, EVENT_ADC, PS_NEVER);
    }
    mcu->data[ADCSRA] = (uint8_t)((value & ~ADIF) | flag);
    switch_reference(mcu);
    if (value & ADSC && !busy)
        start_conversion(mcu);
}

/* --- EEPROM --- */

static void write_eecr(struct mcu *mcu, uint8_t value)
{
    bool busy = mcu->due[EVENT_EEPROM] != PS_NEVER;
    uint16_t at = (uint16_t)(mcu->data[EEARL] | mcu->data[EEARH] << 8);
    bool prepared = mcu->now <= mcu->eeprom_write_until;
    if (value & 0x38)
        MCU_VIOLATION(mcu, "mcu: the EEPROM's other modes and interrupt are not modelled");
    if (busy && value & (EERE | EEMPE))
        MCU_VIOLATION(mcu, "mcu: accesses the EEPROM while it writes");
    if (value & EERE) {
        mcu->data[EEDR] = mcu->eeprom[at];
        mcu->now += 4 * mcu->period;
    }
    if (value & EEPE && !busy) {
        if (!prepared) {
            MCU_VIOLATION(mcu, "mcu: EEPE without EEMPE in the four cycles before");
        } else {
            /* 3.3 ms by the data sheet, with a clock that is 10 % slow. */
            mcu->eeprom_at = at;
            mcu_schedule(mcu, EVENT_EEPROM, mcu->now + 3670 * PS_US);
        }
        mcu->eeprom_write_until = 0;
    } else if (value & EEMPE) {
        mcu->eeprom_write_until = mcu->now + (WINDOW_CYCLES + 1) * mcu->period;
    }
    mcu->data[EECR] = mcu->due[EVENT_EEPROM] != PS_NEVER ? EEPE : 0;
}

/* --- all --- */

void mcu_clocked_reset(struct mcu *mcu)
{
    mcu_schedule(mcu, EVENT_TIMER0, PS_NEVER);
    mcu_schedule(mcu, EVENT_ADC, PS_NEVER);
    mcu_schedule(mcu, EVENT_WATCHDOG, PS_NEVER);
    switch_reference(mcu);
    if (mcu->due[EVENT_EEPROM] != PS_NEVER) /* a write goes on during a reset */
        mcu->data[EECR] = EEPE;
    if (mcu->data[MCUSR] & RESET_WATCHDOG)
        mcu->data[WDTCSR] = WDE;
}

bool mcu_clocked_read(struct mcu *mcu, uint16_t at, uint8_t *value)
{
    unsigned by = prescaler(mcu);
    if (at == TCNT0 && by)
        *value = (uint8_t)(mcu_io_cycles(mcu) / by - mcu->timer0_from);
    else if (at == ADCL)
        *value = (uint8_t)mcu->adc_result;
    else if (at == ADCH)
        *value = (uint8_t)(mcu->adc_result >> 8);
    else
        return false;
    return true;
}

bool mcu_clocked_write(struct mcu *mcu, uint16_t at, uint8_t value)
{
    switch (at) {
    case WDTCSR: write_watchdog(mcu, value); return true;
    case TCCR0A: case TCCR0B: case TCNT0: case OCR0A: write_timer0(mcu, at, value); return true;
    case TIFR0: mcu->data[TIFR0] &= (uint8_t)~value; return true;
    case ADCSRA: write_adcsra(mcu, value); return true;
    case ADMUX:
        if (mcu->due[EVENT_ADC] != PS_NEVER)
            MCU_VIOLATION(mcu, "mcu: changes ADMUX during a conversion");
        if (value & 0x20)
            MCU_VIOLATION(mcu, "mcu: the ADC's ADLAR is not modelled");
        mcu->data[ADMUX] = value;
        switch_reference(mcu);
        return true;
    case EECR: write_eecr(mcu, value); return true;
    default: return false;
    }
}

void mcu_clocked_event(struct mcu *mcu, enum mcu_event event)
{
    switch (event) {
    case EVENT_WATCHDOG: watchdog_elapsed(mcu); break;
    case EVENT_TIMER0:
        mcu->data[TIFR0] |= OCF0A;
        mcu->timer0_from += mcu->data[OCR0A] + 1u;
        schedule_timer0(mcu);
        break;
    case EVENT_ADC: conversion_done(mcu); break;
    default:
        mcu->eeprom[mcu->eeprom_at] = mcu->data[EEDR];
        mcu->data[EECR] &= (uint8_t)~EEPE;
        break;
    }
}
