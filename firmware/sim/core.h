/* One ATmega328P: simavr's instructions, timers, ADC and interrupt table, and around them what
 * simavr 1.6 leaves out or gets wrong (README.md, What simavr does not do): sleep, watchdog,
 * reset causes, pins, SPI, TWI, UART, EEPROM.
 *
 * A core has its own time, which runs ahead of the world's by one instruction at most; in
 * power-down its clock stands still.
 */
#ifndef SIM_CORE_H
#define SIM_CORE_H

#include "core_ports.h"
#include "meter.h"

#include <simavr/sim_avr.h>

enum core_state { CORE_OFF, CORE_RUNNING, CORE_IDLE, CORE_DOWN, CORE_CRASHED };

/* What the board does with the chip's wires. */
struct core_wires {
    uint8_t (*spi)(void *context, uint64_t now_ns, uint8_t mosi);
    bool (*twi_start)(void *context, uint64_t now_ns, uint8_t byte);
    bool (*twi_write)(void *context, uint64_t now_ns, uint8_t byte);
    uint8_t (*twi_read)(void *context, uint64_t now_ns);
    void (*twi_stop)(void *context, uint64_t now_ns);
    void (*uart)(void *context, uint64_t now_ns, uint8_t byte);
    /* The levels that the chip drives; a pin that is an input shows its bit of `idle`. */
    void (*port)(void *context, uint64_t now_ns, char port, uint8_t levels);
    void *context;
};

/* An interrupt that is requested as long as a condition holds, unlike simavr's, which come once
 * when they are raised. */
struct core_level {
    struct core *core;
    avr_int_vector_t *vector;
    bool (*holds)(const struct core *core);
};

enum { CORE_LEVELS = 5 };

struct core_counts {
    uint32_t power_on, watchdog, brown_out, external, crashes; /* resets by cause */
    uint32_t wakes;
};

struct core {
    avr_t *avr;
    struct core_wires wires;
    struct core_counts counts;
    struct meter meter;
    enum core_state state;
    uint32_t mhz;
    uint64_t base_ns, base_cycle; /* cycle base_cycle happens at base_ns */
    struct core_level level[CORE_LEVELS];
    struct core_skip skip;
    struct core_pins pins;
    struct core_spi spi;
    struct core_twi twi;
    struct core_uart uart;
    struct core_eeprom eeprom;
    struct core_watchdog watchdog;
    struct chance chance;
};

/* Loads the image at `path`; false when it cannot be read. The core is off. */
bool core_begin(struct core *core, const char *path, uint32_t mhz, const struct core_wires *wires,
                uint64_t seed);

/* Resets the chip, for a reason in MCUSR's bits; power-on and brown-out lose the SRAM. */
void core_reset(struct core *core, uint64_t now_ns, uint8_t cause);

/* Takes the supply away. A byte of the EEPROM that is being written is torn. */
void core_power_off(struct core *core, uint64_t now_ns);

/* Runs until `until_ns`. */
void core_run(struct core *core, uint64_t until_ns);

/* When the core next does something if nothing reaches it from outside: now, when it runs;
 * UINT64_MAX for never. Then call core_run() and core_advance(). */
uint64_t core_due(const struct core *core);
void core_advance(struct core *core, uint64_t now_ns);

/* The core's own time. */
uint64_t core_now_ns(const struct core *core);

/* To be called after anything from outside may have raised an interrupt. */
void core_look_up(struct core *core, uint64_t now_ns);

/* What the supply gives, in millivolts: for the ADC. */
void core_set_supply(struct core *core, uint32_t millivolts);
void core_set_adc(struct core *core, int channel, uint32_t millivolts);

/* Between core.c and its parts. */
uint64_t core_cycle_ns(const struct core *core, uint64_t cycle);
avr_int_vector_t *core_vector(const struct core *core, int number);
avr_io_t *core_module(const struct core *core, const char *kind);
void core_on_write(struct core *core, uint16_t at, avr_io_write_t call);
void core_on_read(struct core *core, uint16_t at, avr_io_read_t call);
void core_level_begin(struct core *core, int which, int vector,
                      bool (*holds)(const struct core *core));
void core_level_update(struct core *core, int which);

enum { CORE_LEVEL_INT0, CORE_LEVEL_INT1, CORE_LEVEL_RXC, CORE_LEVEL_UDRE, CORE_LEVEL_EE_READY };

#endif
