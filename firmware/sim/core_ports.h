/* The parts of core.h that stand in for simavr's: each owns its registers. */
#ifndef SIM_CORE_PORTS_H
#define SIM_CORE_PORTS_H

#include "chance.h"
#include "meter.h"

#include <stdbool.h>
#include <stdint.h>

struct avr_t;
struct core;

/* --- core_pins.c: pins, INT0 and INT1, pin change --- */

struct core_pins {
    uint8_t driven[3], level[3]; /* from outside, ports B, C, D */
    uint8_t idle[3];             /* what pull-up resistors on the board make of an input */
    uint8_t shown[3];            /* the levels reported last */
    struct core_pins_call {
        void (*call)(struct avr_t *avr, uint16_t at, uint8_t value, void *param);
        void *param;
    } inner[3][3]; /* simavr's own, for PIN, DDR and PORT of each */
};

void core_pins_begin(struct core *core);
void core_pins_reset(struct core *core);

/* Something outside drives this pin. */
void core_pins_drive(struct core *core, uint64_t now_ns, char port, int bit, bool high);

/* --- core_skip.c: instructions that simavr skips wrongly --- */

enum { CORE_SKIPS_MAX = 64 };

struct core_skip {
    uint32_t at[CORE_SKIPS_MAX];
    uint16_t word[CORE_SKIPS_MAX];
    int count;
};

bool core_skip_begin(struct core *core);

/* --- core_spi.c: SPI as its master --- */

struct core_spi {
    bool busy, flag_seen;
    uint8_t out, in;
};

void core_spi_begin(struct core *core);
void core_spi_reset(struct core *core);

/* --- core_twi.c: two-wire bus as its only master --- */

struct core_twi {
    bool owns, addressed, reading; /* the bus */
    bool busy;
    uint8_t action, status;
    struct meter meter; /* the pull-up resistors */
};

void core_twi_begin(struct core *core);
void core_twi_reset(struct core *core);

/* --- core_uart.c: USART0, asynchronous --- */

enum { CORE_UART_BUFFER = 3 /* two in the buffer and one in the shift register */ };

struct core_uart {
    uint8_t received[CORE_UART_BUFFER];
    int count;
    bool shifting, waiting; /* transmitter: a byte goes out, another waits */
    uint8_t shift, next;
    uint32_t overruns;
};

void core_uart_begin(struct core *core);
void core_uart_reset(struct core *core);
void core_uart_receive(struct core *core, uint64_t now_ns, uint8_t byte);

/* How long a byte lasts as the UART is set now, in ns. */
uint64_t core_uart_byte_ns(const struct core *core);

/* --- core_eeprom.c --- */

enum { CORE_EEPROM_BYTES = 1024 };

struct core_eeprom {
    uint8_t byte[CORE_EEPROM_BYTES];
    bool writing;
    uint16_t at;
    uint64_t armed_cycle; /* EEMPE was set then */
    uint32_t writes;
};

void core_eeprom_begin(struct core *core);
void core_eeprom_reset(struct core *core);
void core_eeprom_tear(struct core *core);

/* --- core_watchdog.c --- */

struct core_watchdog {
    uint64_t due_ns;     /* UINT64_MAX when off */
    uint64_t open_cycle; /* WDCE was set then */
    double rate;         /* of its own oscillator, 1 is exact */
};

void core_watchdog_begin(struct core *core);
void core_watchdog_reset(struct core *core, uint64_t now_ns);
void core_watchdog_advance(struct core *core, uint64_t now_ns);

#endif
