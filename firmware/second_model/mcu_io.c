/* Registers, ports, interrupts, sleep and resets of the ATmega328P. */
#include <string.h>

#include "board.h"
#include "mcu.h"

enum {
    BIT_I = 0x80,
    SMCR_SE = 1, SLEEP_IDLE = 0, SLEEP_POWER_DOWN = 2,
    MCUCR_BODSE = 0x20, MCUCR_BODS = 0x40,
    ALL_RESET_CAUSES = 15,
    RAM_END = MCU_DATA_BYTES - 1,
    /* An instruction's access happens in its last cycle, the window counts from there. */
    WINDOW_CYCLES = 4, BOD_WINDOW_CYCLES = 3,
};

/* The modelled registers, and their bits that may be written as 1. */
static const struct {
    uint8_t at, writable;
} registers[] = {
    {PINB, 0}, {DDRB, 0xFF}, {PORTB, 0xFF}, {PINC, 0}, {DDRC, 0x7F}, {PORTC, 0x7F},
    {PIND, 0}, {DDRD, 0xFF}, {PORTD, 0xFF}, {TIFR0, 0x07}, {PCIFR, 0x07},
    {EECR, 0x3F}, {EEDR, 0xFF}, {EEARL, 0xFF}, {EEARH, 0x03},
    {TCCR0A, 0xF3}, {TCCR0B, 0xCF}, {TCNT0, 0xFF}, {OCR0A, 0xFF},
    {SPCR, 0xFF}, {SPSR, 0x01}, {SPDR, 0xFF}, {ACSR, 0x80}, {SMCR, 0x0F}, {MCUSR, 0},
    {MCUCR, MCUCR_BODS | MCUCR_BODSE}, {SPL, 0xFF}, {SPH, 0x0F}, {SREG, 0xFF}, {WDTCSR, 0xFF},
    {PRR, 0xEF}, {PCICR, 0x07}, {PCMSK2, 0xFF}, {TIMSK0, 0x02},
    {ADCL, 0}, {ADCH, 0}, {ADCSRA, 0xFF}, {ADMUX, 0xEF}, {DIDR0, 0x3F},
    {TWBR, 0xFF}, {TWSR, 0x03}, {TWAR, 0xFF}, {TWDR, 0xFF}, {TWCR, 0xFD},
    {UCSR0A, 0x43}, {UCSR0B, 0xFD}, {UCSR0C, 0xFF}, {UBRR0L, 0xFF}, {UBRR0H, 0x0F}, {UDR0, 0xFF},
};

static bool is_modelled(uint16_t at, uint8_t *writable)
{
    static uint8_t bits[256], known[256];
    static bool filled;
    if (!filled) {
        for (unsigned i = 0; i < sizeof registers / sizeof *registers; i++) {
            bits[registers[i].at] = registers[i].writable;
            known[registers[i].at] = 1;
        }
        filled = true;
    }
    *writable = bits[at];
    return known[at];
}

static bool is_port(uint16_t at)
{
    return at >= PINB && at <= PORTD;
}

uint64_t mcu_io_cycles(const struct mcu *mcu)
{
    if (!mcu_clock_runs(mcu))
        return mcu->io_cycles;
    return mcu->io_cycles + (mcu->now - mcu->io_counted) / mcu->period;
}

bool mcu_clock_runs(const struct mcu *mcu)
{
    return mcu->state == MCU_RUNNING || mcu->state == MCU_IDLE;
}

static void stop_clock(struct mcu *mcu, enum mcu_state state)
{
    mcu->io_cycles = mcu_io_cycles(mcu);
    mcu->state = state;
    mcu_timer0_stopped(mcu);
}

static void start_clock(struct mcu *mcu)
{
    mcu->io_counted = mcu->now;
    mcu->state = MCU_RUNNING;
    mcu_timer0_resumed(mcu);
}

/* --- registers --- */

uint8_t mcu_read(struct mcu *mcu, uint16_t at)
{
    uint8_t value = mcu->data[at];
    uint8_t writable;
    if (at < 0x20)
        return value;
    if (!is_modelled(at, &writable)) {
        MCU_VIOLATION(mcu, "mcu: reads register %02x, which is not modelled", at);
        return value;
    }
    if (at == PINB || at == PINC || at == PIND)
        return board_read_port(mcu->board, (at - PINB) / 3, mcu->data[at + 1], mcu->data[at + 2]);
    if (mcu_clocked_read(mcu, at, &value) || mcu_serial_read(mcu, at, &value))
        return value;
    return value;
}

static void write_mcucr(struct mcu *mcu, uint8_t value)
{
    uint8_t both = MCUCR_BODS | MCUCR_BODSE;
    if ((value & both) == both)
        mcu->bod_change_until = mcu->now + WINDOW_CYCLES * mcu->period;
    else if (value & MCUCR_BODS && mcu->now <= mcu->bod_change_until)
        mcu->bod_off_until = mcu->now + BOD_WINDOW_CYCLES * mcu->period;
    mcu->data[MCUCR] = value & (uint8_t)~both;
}

void mcu_write(struct mcu *mcu, uint16_t at, uint8_t value)
{
    uint8_t writable;
    if (at < 0x20) {
        mcu->data[at] = value;
        return;
    }
    if (!is_modelled(at, &writable)) {
        MCU_VIOLATION(mcu, "mcu: writes register %02x, which is not modelled", at);
        return;
    }
    if (value & ~writable && at != SPSR && at != MCUSR && at != UCSR0A && at != TWCR)
        MCU_VIOLATION(mcu, "mcu: writes %02x to register %02x, whose other bits are reserved", value,
                      at);
    if (mcu_clocked_write(mcu, at, value) || mcu_serial_write(mcu, at, value)) {
        mcu_update_interrupts(mcu);
        return;
    }
    if (at == PCIFR)
        mcu->data[at] &= (uint8_t)~value;
    else if (at == MCUCR)
        write_mcucr(mcu, value);
    else if (at == MCUSR)
        mcu->data[at] &= value;
    else
        mcu->data[at] = value;
    if (is_port(at))
        board_outputs_changed(mcu->board);
    if (at == SPH && (value << 8 | mcu->data[SPL]) > RAM_END)
        MCU_VIOLATION(mcu, "mcu: sets the stack pointer outside the RAM");
    mcu_update_interrupts(mcu);
}

/* --- interrupts --- */

static void wake(struct mcu *mcu)
{
    mcu->wakes += mcu->state == MCU_POWER_DOWN;
    if (mcu->state == MCU_IDLE) {
        mcu->state = MCU_RUNNING;
        return;
    }
    mcu->state = MCU_WAKING;
    mcu_schedule(mcu, EVENT_START, mcu->now + mcu->wake_delay);
}

void mcu_update_interrupts(struct mcu *mcu)
{
    const uint8_t *r = mcu->data;
    uint32_t pending = 0;
    pending |= (uint32_t)(r[PCIFR] & r[PCICR] & 4 ? 1 : 0) << VECTOR_PCINT2;
    pending |= (uint32_t)(r[WDTCSR] & 0x80 && r[WDTCSR] & 0x40) << VECTOR_WDT;
    pending |= (uint32_t)(r[TIFR0] & r[TIMSK0] & 2 ? 1 : 0) << VECTOR_TIMER0_COMPA;
    pending |= (uint32_t)(r[UCSR0A] & r[UCSR0B] & 0x80 ? 1 : 0) << VECTOR_USART_RX;
    pending |= (uint32_t)(r[UCSR0A] & r[UCSR0B] & 0x20 ? 1 : 0) << VECTOR_USART_UDRE;
    mcu->pending = pending;
    if (pending && r[SREG] & BIT_I && (mcu->state == MCU_IDLE || mcu->state == MCU_POWER_DOWN))
        wake(mcu);
}

void mcu_interrupt_taken(struct mcu *mcu, int vector)
{
    if (vector == VECTOR_PCINT2)
        mcu->data[PCIFR] &= (uint8_t)~4u;
    else if (vector == VECTOR_TIMER0_COMPA)
        mcu->data[TIFR0] &= (uint8_t)~2u;
    else if (vector == VECTOR_WDT)
        mcu->data[WDTCSR] &= mcu->data[WDTCSR] & 8 ? 0x3F : 0x7F; /* with WDE, WDIE too */
    mcu_update_interrupts(mcu);
}

void mcu_pin_changed(struct mcu *mcu, int bit)
{
    if (mcu->state == MCU_OFF || mcu->state == MCU_RESET || !(mcu->data[PCMSK2] & 1 << bit))
        return;
    mcu->data[PCIFR] |= 4;
    mcu_update_interrupts(mcu);
}

/* --- sleep --- */

void mcu_sleep(struct mcu *mcu)
{
    int mode = mcu->data[SMCR] >> 1 & 7;
    if (!(mcu->data[SMCR] & SMCR_SE)) {
        MCU_VIOLATION(mcu, "mcu: SLEEP without SE does nothing");
        return;
    }
    if (!(mcu->data[SREG] & BIT_I))
        MCU_VIOLATION(mcu, "mcu: sleeps with interrupts disabled");
    if (mode == SLEEP_POWER_DOWN) {
        mcu->bod_off_in_sleep = mcu->now <= mcu->bod_off_until;
        stop_clock(mcu, MCU_POWER_DOWN);
        board_check_power_down(mcu->board);
    } else {
        if (mode != SLEEP_IDLE)
            MCU_VIOLATION(mcu, "mcu: sleep mode %d is not modelled", mode);
        mcu->state = MCU_IDLE;
    }
    mcu_update_interrupts(mcu);
}

/* --- resets --- */

static void reset_registers(struct mcu *mcu)
{
    uint8_t causes = mcu->data[MCUSR];
    memset(mcu->data + 0x20, 0, MCU_RAM_START - 0x20);
    mcu->data[MCUSR] = causes;
    /* The data sheet gives no initial value of EEAR. */
    mcu->data[EEARL] = (uint8_t)chance_bits(mcu->chance);
    mcu->data[EEARH] = chance_bits(mcu->chance) & 3;
    mcu->data[SPL] = (uint8_t)RAM_END;
    mcu->data[SPH] = (uint8_t)(RAM_END >> 8);
    mcu->pc = 0;
    mcu->pending = 0;
    mcu->interrupts_wait = false;
    mcu->bod_off_until = mcu->bod_change_until = mcu->watchdog_change_until = 0;
    mcu->bod_off_in_sleep = false;
    mcu_clocked_reset(mcu);
    mcu_serial_reset(mcu);
}

void mcu_reset(struct mcu *mcu, enum mcu_reset cause)
{
    if (mcu_clock_runs(mcu))
        stop_clock(mcu, MCU_RESET);
    mcu->state = MCU_RESET;
    mcu->resets[cause]++;
    mcu->data[MCUSR] = (uint8_t)((mcu->data[MCUSR] & ALL_RESET_CAUSES) | cause);
    reset_registers(mcu);
    mcu_schedule(mcu, EVENT_START, mcu->now + mcu->start_delay);
    board_mcu_reset(mcu->board);
}

/* RAM and the working registers are random when the supply comes. */
static void power_on(struct mcu *mcu)
{
    for (int i = 0; i < MCU_DATA_BYTES; i++)
        mcu->data[i] = (uint8_t)chance_bits(mcu->chance);
    memset(mcu->written, 0, sizeof mcu->written);
    mcu->data[MCUSR] = 0;
    mcu->sp_low = RAM_END;
    mcu_reset(mcu, RESET_POWER_ON);
}

void mcu_power(struct mcu *mcu, int supply_mv)
{
    enum { POWER_ON_MV = 1500 };
    mcu->supply_mv = supply_mv;
    if (supply_mv < POWER_ON_MV) {
        if (mcu->state == MCU_OFF)
            return;
        if (mcu->due[EVENT_EEPROM] != PS_NEVER) /* an interrupted write leaves anything */
            mcu->eeprom[mcu->eeprom_at] = (uint8_t)chance_bits(mcu->chance);
        mcu->state = MCU_OFF;
        for (int i = 0; i < EVENT_SENSOR; i++)
            mcu_schedule(mcu, (enum mcu_event)i, PS_NEVER);
        return;
    }
    if (mcu->state == MCU_OFF)
        power_on(mcu);
    bool watched = !(mcu->state == MCU_POWER_DOWN && mcu->bod_off_in_sleep);
    if (supply_mv >= mcu->brown_out_mv) {
        if (mcu->state == MCU_RESET && mcu->due[EVENT_START] == PS_NEVER)
            mcu_schedule(mcu, EVENT_START, mcu->now + mcu->start_delay);
    } else if (watched) {
        if (mcu->state != MCU_RESET)
            mcu_reset(mcu, RESET_BROWN_OUT);
        mcu_schedule(mcu, EVENT_START, PS_NEVER);
    }
}

/* The oscillator has started. */
static void begin(struct mcu *mcu)
{
    bool resets = mcu->state == MCU_RESET;
    mcu_schedule(mcu, EVENT_START, PS_NEVER);
    if (!resets && mcu->supply_mv < mcu->brown_out_mv) {
        mcu_power(mcu, mcu->supply_mv);
        return;
    }
    start_clock(mcu);
    if (resets)
        mcu_watchdog_restart(mcu);
}

/* --- time --- */

void mcu_schedule(struct mcu *mcu, enum mcu_event event, ps at)
{
    mcu->due[event] = at;
    ps soonest = PS_NEVER;
    for (int i = 0; i < EVENT_COUNT; i++)
        soonest = mcu->due[i] < soonest ? mcu->due[i] : soonest;
    mcu->soonest = soonest;
    if (soonest < mcu->limit)
        mcu->limit = soonest;
}

static void serve(struct mcu *mcu)
{
    int next = 0;
    for (int i = 1; i < EVENT_COUNT; i++)
        next = mcu->due[i] < mcu->due[next] ? i : next;
    enum mcu_event event = (enum mcu_event)next;
    if (event == EVENT_START) {
        begin(mcu);
        return;
    }
    ps at = mcu->due[next];
    mcu_schedule(mcu, event, PS_NEVER);
    if (event == EVENT_SENSOR || event == EVENT_RADIO)
        board_event(mcu->board, event, at);
    else if (event >= EVENT_SPI)
        mcu_serial_event(mcu, event);
    else
        mcu_clocked_event(mcu, event);
    mcu_update_interrupts(mcu);
}

void mcu_run(struct mcu *mcu, ps until)
{
    while (mcu->now < until) {
        if (mcu->soonest <= mcu->now) {
            serve(mcu);
            continue;
        }
        ps from = mcu->now;
        enum mcu_state state = mcu->state;
        mcu->limit = mcu->soonest < until ? mcu->soonest : until;
        if (state == MCU_RUNNING)
            while (mcu->now < mcu->limit && mcu->state == MCU_RUNNING)
                mcu_step(mcu);
        else
            mcu->now = mcu->limit;
        board_elapsed(mcu->board, state, mcu->now - from);
    }
}

int mcu_stack_headroom(const struct mcu *mcu)
{
    int headroom = 0;
    for (int at = mcu->sp_low; at >= MCU_RAM_START && !mcu->written[at]; at--)
        headroom++;
    return headroom;
}
