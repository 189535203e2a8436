#include "board.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/power.h>
#include <avr/sleep.h>
#include <avr/wdt.h>

#include "pins.h"

enum { PERIOD_1_S = _BV(WDP2) | _BV(WDP1), PERIOD_8_S = _BV(WDP3) | _BV(WDP0) };

static volatile bool watchdog_barked;
static bool heeds_accel;

/* After a watchdog reset the watchdog is still on, with its shortest period, so it must be disabled
 * before the C runtime initializes the memory. */
__attribute__((naked, used, section(".init3"))) static void rein_in_watchdog(void)
{
    MCUSR = 0;
    wdt_disable();
}

/* The lines only have to end the sleep; the main loop reads their levels. */
EMPTY_INTERRUPT(PCINT2_vect)

/* The hardware has cleared WDIE: unless the main loop sets it again, the next period resets. */
ISR(WDT_vect)
{
    watchdog_barked = true;
}

void board_start(void)
{
    /* Pull-ups on undriven pins, because a floating input draws current. The radio does not drive
     * MISO while it is not selected, and there is no crystal at PB6 and PB7. */
    PORTB = _BV(0) | _BV(DIE_MISO_BIT) | _BV(6) | _BV(7);
    PORTC = _BV(1) | _BV(2) | _BV(3);
    PORTD = _BV(0) | _BV(1) | _BV(4) | _BV(5) | _BV(7);
    DIDR0 = _BV(DIE_BATTERY_ADC);
    DDRD = _BV(DIE_LED_BIT);
    ACSR = _BV(ACD);
    power_timer1_disable();
    power_timer2_disable();
    power_usart0_disable();
    PCMSK2 = _BV(DIE_RADIO_IRQ_BIT);
    PCICR = _BV(PCIE2);
    board_enable_accel_irq(true);
    board_set_watchdog(1);
    sei();
}

void board_lamp(bool on)
{
    if (on)
        PORTD |= _BV(DIE_LED_BIT);
    else
        PORTD &= (uint8_t)~_BV(DIE_LED_BIT);
}

bool board_accel_irq(void)
{
    return bit_is_set(PIND, DIE_ACCEL_INT_BIT);
}

void board_enable_accel_irq(bool on)
{
    heeds_accel = on;
    if (on)
        PCMSK2 |= _BV(DIE_ACCEL_INT_BIT);
    else
        PCMSK2 &= (uint8_t)~_BV(DIE_ACCEL_INT_BIT);
}

void board_set_watchdog(uint8_t seconds)
{
    uint8_t value = _BV(WDIE) | _BV(WDE) | (seconds > 1 ? PERIOD_8_S : PERIOD_1_S);
    uint8_t interrupts = SREG;
    cli();
    wdt_reset();
    WDTCSR = _BV(WDCE) | _BV(WDE); /* within four clocks: data sheet 10.8.2 */
    WDTCSR = value;
    SREG = interrupts;
}

void board_feed_watchdog(void)
{
    wdt_reset();
}

bool board_watchdog_elapsed(void)
{
    if (!watchdog_barked)
        return false;
    watchdog_barked = false;
    WDTCSR |= _BV(WDIE);
    return true;
}

void board_idle(void)
{
    set_sleep_mode(SLEEP_MODE_IDLE);
    sleep_mode();
}

void board_power_down(void)
{
    set_sleep_mode(SLEEP_MODE_PWR_DOWN);
    cli();
    if (!watchdog_barked && !(heeds_accel && board_accel_irq())) {
        sleep_enable();
        sleep_bod_disable();
        sei(); /* takes effect after the next instruction, so no interrupt is lost in between */
        sleep_cpu();
        sleep_disable();
    }
    sei();
}
