/* Runs on the simulated ATmega328P and records its results; tests/test_core.c checks them. */
#include <avr/eeprom.h>
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <avr/wdt.h>

#include "core_findings.h"

__attribute__((section(".findings"))) volatile struct core_findings findings;

EMPTY_INTERRUPT(WDT_vect)

static void start_clock(void)
{
    TCCR1A = 0;
    TCCR1B = 0;
    TCNT1 = 0;
    TCCR1B = _BV(CS10); /* cycles */
}

static void skip_over_adiw(void)
{
    uint16_t pair = 100;
    uint8_t after = 0;
    __asm__ volatile("clr __tmp_reg__\n sbrc __tmp_reg__, 0\n adiw %0, 15\n ldi %1, 7\n"
                     : "+w"(pair), "=d"(after));
    findings.skipped = pair;
    findings.after_skip = after;
    __asm__ volatile("clr __tmp_reg__\n sbrs __tmp_reg__, 0\n sbiw %0, 29\n nop\n" : "+w"(pair));
    findings.not_skipped = pair;
    __asm__ volatile("sbrc %1, 0\n adiw %0, 63\n" : "+w"(pair) : "r"(after));
    findings.added = pair;
}

static void time_spi(void)
{
    DDRB = _BV(2) | _BV(3) | _BV(5);
    SPCR = _BV(SPE) | _BV(MSTR) | _BV(SPR0); /* a 16th: 128 cycles */
    start_clock();
    SPDR = 0xA5;
    loop_until_bit_is_set(SPSR, SPIF);
    findings.spi_cycles = TCNT1;
    findings.spi_byte = SPDR;
}

static uint8_t twi(uint8_t control)
{
    TWCR = _BV(TWINT) | _BV(TWEN) | control;
    loop_until_bit_is_set(TWCR, TWINT);
    return TWSR & 0xF8;
}

static void use_twi(void)
{
    TWBR = 2; /* 400 kHz at 8 MHz */
    findings.twi_status[0] = twi(_BV(TWSTA));
    TWDR = 0x30;
    start_clock();
    findings.twi_status[1] = twi(0);
    findings.twi_cycles = TCNT1;
    TWDR = 0x0F;
    findings.twi_status[2] = twi(0);
    findings.twi_status[3] = twi(_BV(TWSTA));
    TWDR = 0x31;
    findings.twi_status[4] = twi(0);
    findings.twi_status[5] = twi(_BV(TWEA));
    findings.twi_byte = TWDR;
    findings.twi_status[6] = twi(0);
    TWCR = _BV(TWINT) | _BV(TWEN) | _BV(TWSTO);
    twi(_BV(TWSTA));
    TWDR = 0x40;
    findings.twi_status[7] = twi(0); /* no device at this address */
    TWCR = _BV(TWINT) | _BV(TWEN) | _BV(TWSTO);
}

static void write_eeprom(void)
{
    eeprom_busy_wait();
    start_clock();
    TCCR1B = _BV(CS11); /* microseconds */
    eeprom_write_byte((uint8_t *)5, 0x5A);
    eeprom_busy_wait();
    findings.eeprom_us = TCNT1;
    findings.eeprom_byte = eeprom_read_byte((uint8_t *)5);
}

static void sleep_by_watchdog(void)
{
    start_clock();
    wdt_reset();
    WDTCSR = _BV(WDCE) | _BV(WDE);
    WDTCSR = _BV(WDIE) | _BV(WDP2); /* 0.25 s */
    set_sleep_mode(SLEEP_MODE_PWR_DOWN);
    sei();
    sleep_mode();
    findings.sleep_cycles = TCNT1;
    findings.still_asks = WDTCSR & _BV(WDIE);
    cli();
}

int main(void)
{
    findings.starts = eeprom_read_byte((uint8_t *)9) + 1; /* 0xFF in a new chip */
    findings.cause = MCUSR;
    MCUSR = 0;
    wdt_disable();
    eeprom_write_byte((uint8_t *)9, findings.starts);
    skip_over_adiw();
    time_spi();
    use_twi();
    write_eeprom();
    sleep_by_watchdog();
    findings.done = 0xD0;
    if (findings.starts < 1)
        wdt_enable(WDTO_15MS); /* which is never reset */
    for (;;)
        ;
}
