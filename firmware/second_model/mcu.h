/* An ATmega328P, from its data sheet (Atmel 8271) and the AVR instruction set manual.
 *
 * mcu_core.c has the instructions, mcu_io.c the registers, ports, interrupts, sleep and resets,
 * mcu_clocked.c what runs by a clock of its own (Timer 0, watchdog, ADC, EEPROM), mcu_serial.c the
 * SPI, TWI and USART. Registers that the firmware does not use are not modelled, and their use is a
 * violation, as is everything that the data sheet does not allow.
 */
#ifndef SECOND_MCU_H
#define SECOND_MCU_H

#include "model.h"

enum {
    MCU_FLASH_WORDS = 16384,
    MCU_DATA_BYTES = 0x900,
    MCU_RAM_START = 0x100,
    MCU_EEPROM_BYTES = 1024,
};

/* Data addresses of registers. */
enum {
    PINB = 0x23, DDRB, PORTB, PINC, DDRC, PORTC, PIND, DDRD, PORTD,
    TIFR0 = 0x35, PCIFR = 0x3B, EECR = 0x3F, EEDR = 0x40, EEARL, EEARH,
    TCCR0A = 0x44, TCCR0B, TCNT0, OCR0A,
    SPCR = 0x4C, SPSR, SPDR, ACSR = 0x50, SMCR = 0x53, MCUSR, MCUCR,
    SPL = 0x5D, SPH, SREG, WDTCSR = 0x60, PRR = 0x64,
    PCICR = 0x68, PCMSK2 = 0x6D, TIMSK0 = 0x6E,
    ADCL = 0x78, ADCH, ADCSRA, ADMUX = 0x7C, DIDR0 = 0x7E,
    TWBR = 0xB8, TWSR, TWAR, TWDR, TWCR,
    UCSR0A = 0xC0, UCSR0B, UCSR0C, UBRR0L = 0xC4, UBRR0H, UDR0,
};

/* Interrupt vectors, in the order of priority. */
enum {
    VECTOR_PCINT2 = 5,
    VECTOR_WDT = 6,
    VECTOR_TIMER0_COMPA = 14,
    VECTOR_USART_RX = 18,
    VECTOR_USART_UDRE = 19,
    VECTOR_TWI = 24,
};

/* What happens at a known time. */
enum mcu_event {
    EVENT_START,    /* of the oscillator, after a reset or power-down */
    EVENT_TIMER0,
    EVENT_WATCHDOG,
    EVENT_ADC,
    EVENT_EEPROM,
    EVENT_SPI,
    EVENT_TWI,
    EVENT_USART_TX,
    EVENT_USART_RX,
    EVENT_SENSOR,   /* of the other chips on the board */
    EVENT_RADIO,
    EVENT_COUNT
};

enum mcu_state { MCU_OFF, MCU_RESET, MCU_RUNNING, MCU_IDLE, MCU_POWER_DOWN, MCU_WAKING };

enum mcu_reset { RESET_POWER_ON = 1, RESET_EXTERNAL = 2, RESET_BROWN_OUT = 4, RESET_WATCHDOG = 8 };

struct board;

struct mcu {
    struct board *board;
    struct violations *violations;
    struct chance *chance;

    uint16_t flash[MCU_FLASH_WORDS];
    uint8_t eeprom[MCU_EEPROM_BYTES];
    uint8_t data[MCU_DATA_BYTES];        /* registers, I/O and RAM by data address */
    uint8_t written[MCU_DATA_BYTES];     /* RAM written since power-on */
    uint16_t pc;                         /* words */
    enum mcu_state state;
    bool interrupts_wait;                /* one instruction runs after SEI and RETI */
    uint32_t pending;                    /* enabled interrupts whose flags are set, by vector */

    ps now, limit;                       /* the core runs until `limit` */
    ps period;                           /* of the system clock */
    double watchdog_rate;                /* of its oscillator, 1 is nominal */
    ps start_delay;                      /* after power-on and brown-out */
    ps wake_delay;                       /* after power-down */
    int supply_mv, brown_out_mv;
    ps due[EVENT_COUNT], soonest;

    /* timed sequences, until which time */
    ps watchdog_change_until, eeprom_write_until, bod_change_until, bod_off_until;
    bool bod_off_in_sleep;

    /* the I/O clock stops in power-down: its cycles so far, counted at a time */
    uint64_t io_cycles;
    ps io_counted;

    uint64_t timer0_from;                /* I/O cycle at which TCNT0 was 0 */
    ps reference_on;                     /* the ADC's reference, since when; PS_NEVER if off */
    double reference_charge;             /* of the capacitor at AREF, 0 to 1 */
    ps reference_left;
    ps reference_tau;
    double reference_mv;                 /* of this chip */
    bool adc_first;
    uint16_t adc_result;
    uint16_t eeprom_at;
    bool spi_flag_read;
    uint8_t spi_in;
    int twi_bus;                         /* enum in mcu_serial.c */
    uint8_t twi_status;
    uint8_t usart_tx[2];                 /* the shift register's and the buffered byte */
    int usart_tx_count;
    uint8_t usart_rx[3];
    int usart_rx_count;

    /* measured */
    uint16_t sp_low;                     /* lowest stack pointer since power-on */
    uint64_t instructions;
    unsigned wakes, resets[9];           /* resets by enum mcu_reset */
};

/* --- control, by the board --- */

void mcu_power(struct mcu *mcu, int supply_mv);
void mcu_reset(struct mcu *mcu, enum mcu_reset cause);
void mcu_run(struct mcu *mcu, ps until);

/* Sets when an event happens; PS_NEVER cancels it. */
void mcu_schedule(struct mcu *mcu, enum mcu_event event, ps at);

/* The level of an input of port D has changed. */
void mcu_pin_changed(struct mcu *mcu, int bit);

/* Receives a byte by the USART. */
void mcu_receive(struct mcu *mcu, uint8_t byte);

/* Returns the number of RAM bytes between data and stack that nothing ever wrote. */
int mcu_stack_headroom(const struct mcu *mcu);

/* --- between the parts --- */

void mcu_step(struct mcu *mcu);
uint8_t mcu_read(struct mcu *mcu, uint16_t at);
void mcu_write(struct mcu *mcu, uint16_t at, uint8_t value);
void mcu_sleep(struct mcu *mcu);
void mcu_update_interrupts(struct mcu *mcu);
void mcu_interrupt_taken(struct mcu *mcu, int vector);

/* Cycles of the I/O clock so far. */
uint64_t mcu_io_cycles(const struct mcu *mcu);
bool mcu_clock_runs(const struct mcu *mcu);

void mcu_clocked_reset(struct mcu *mcu);
void mcu_timer0_stopped(struct mcu *mcu);
void mcu_timer0_resumed(struct mcu *mcu);
bool mcu_clocked_read(struct mcu *mcu, uint16_t at, uint8_t *value);
bool mcu_clocked_write(struct mcu *mcu, uint16_t at, uint8_t value);
void mcu_clocked_event(struct mcu *mcu, enum mcu_event event);
void mcu_watchdog_restart(struct mcu *mcu);

void mcu_serial_reset(struct mcu *mcu);
bool mcu_serial_read(struct mcu *mcu, uint16_t at, uint8_t *value);
bool mcu_serial_write(struct mcu *mcu, uint16_t at, uint8_t value);
void mcu_serial_event(struct mcu *mcu, enum mcu_event event);
ps mcu_usart_byte_time(const struct mcu *mcu);

#define MCU_VIOLATION(mcu, ...) violation((mcu)->violations, (mcu)->now, __VA_ARGS__)

#endif
