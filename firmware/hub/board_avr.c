#include "board.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <avr/wdt.h>
#include <util/delay.h>

#include "air_protocol.h"
#include "pins.h"

/* After a watchdog reset the watchdog is still on, with its shortest period, so it must be disabled
 * before the C runtime initializes the memory. */
__attribute__((naked, used, section(".init3"))) static void rein_in_watchdog(void)
{
    MCUSR = 0;
    wdt_disable();
}

/* The radio's interrupt only has to end the sleep; the main loop reads the radio's status. */
EMPTY_INTERRUPT(PCINT2_vect)

void board_start(void)
{
    DDRD |= _BV(HUB_LED_BIT);
    PCMSK2 = _BV(HUB_RADIO_IRQ_BIT);
    PCICR = _BV(PCIE2);
    ACSR = _BV(ACD);
    set_sleep_mode(SLEEP_MODE_IDLE);
    wdt_enable(WDTO_1S);
    sei();
}

void board_lamp(bool on)
{
    if (on)
        PORTD |= _BV(HUB_LED_BIT);
    else
        PORTD &= (uint8_t)~_BV(HUB_LED_BIT);
}

void board_feed_watchdog(void)
{
    wdt_reset();
}

void board_idle(void)
{
    sleep_mode();
}

void board_wait_for_die(void)
{
    _delay_us(AIR_COMMAND_DELAY_US);
}
