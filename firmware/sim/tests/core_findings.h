/* The results of tests/core_program.c; the same bytes on both machines. */
#ifndef SIM_TESTS_CORE_FINDINGS_H
#define SIM_TESTS_CORE_FINDINGS_H

#include <stdint.h>

#define CORE_FINDINGS_AT 0x700 /* in the SRAM */

struct core_findings {
    uint8_t starts, cause, done;
    uint8_t spi_byte, twi_byte, eeprom_byte, still_asks, after_skip;
    uint8_t twi_status[8];
    uint16_t skipped, not_skipped, added;
    uint16_t spi_cycles, twi_cycles, eeprom_us, sleep_cycles;
};

#endif
