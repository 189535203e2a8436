/* The EEPROM: writing a byte takes 3.4 ms (data sheet 8.6.3), during which EEPE is set; a power cut
 * then leaves the byte incomplete. simavr writes at once. */
#include "atmega328p.h"
#include "core.h"

#include <string.h>

#define EERE 0x01
#define EEPE 0x02
#define EEMPE 0x04
#define EERIE 0x08
#define EEPM 0x30
#define ARMED_CYCLES 4

static bool is_ready(const struct core *core)
{
    return !core->eeprom.writing;
}

static uint16_t address(const avr_t *avr)
{
    return (uint16_t)((avr->data[EEARL_AT] | avr->data[EEARH_AT] << 8) % CORE_EEPROM_BYTES);
}

static avr_cycle_count_t byte_written(avr_t *avr, avr_cycle_count_t when, void *param)
{
    struct core *core = param;
    (void)when;
    core->eeprom.writing = false;
    avr->data[EECR_AT] &= (uint8_t)~EEPE;
    core_level_update(core, CORE_LEVEL_EE_READY);
    return 0;
}

/* EEPM1..0: erase and write, erase, or write, which only clears bits. */
static void write_byte(struct core *core, uint8_t mode)
{
    avr_t *avr = core->avr;
    uint8_t *byte = &core->eeprom.byte[address(avr)];
    uint8_t value = avr->data[EEDR_AT];
    core->eeprom.at = address(avr);
    core->eeprom.writing = true;
    core->eeprom.writes++;
    *byte = mode == 1 ? 0xFF : mode == 2 ? *byte & value : value;
    avr_cycle_timer_register_usec(avr, mode == 0 ? 3400 : 1800, byte_written, core);
}

static bool is_armed(const struct core *core)
{
    return core->avr->cycle - core->eeprom.armed_cycle <= ARMED_CYCLES + 2;
}

static void control_written(avr_t *avr, avr_io_addr_t at, uint8_t value, void *param)
{
    struct core *core = param;
    uint8_t busy = core->eeprom.writing ? EEPE : 0;
    avr->data[at] = (uint8_t)((value & (EERIE | EEPM)) | busy);
    if ((value & EEMPE) && !(value & EEPE))
        core->eeprom.armed_cycle = avr->cycle;
    if ((value & EEPE) && !busy && is_armed(core)) {
        write_byte(core, value >> 4 & 3);
        avr->data[at] |= EEPE;
        core->eeprom.armed_cycle = 0;
    }
    if ((value & EERE) && !core->eeprom.writing)
        avr->data[EEDR_AT] = core->eeprom.byte[address(avr)];
    core_level_update(core, CORE_LEVEL_EE_READY);
}

void core_eeprom_begin(struct core *core)
{
    memset(core->eeprom.byte, 0xFF, sizeof core->eeprom.byte);
    core_level_begin(core, CORE_LEVEL_EE_READY, EE_READY_VECTOR, is_ready);
    core_on_write(core, EECR_AT, control_written);
}

/* A reset does not interrupt a running write, but a power cut does. */
void core_eeprom_reset(struct core *core)
{
    core->eeprom.writing = false;
    core->eeprom.armed_cycle = 0;
}

void core_eeprom_tear(struct core *core)
{
    if (core->eeprom.writing)
        core->eeprom.byte[core->eeprom.at] |= (uint8_t)chance_bits(&core->chance);
    core->eeprom.writing = false;
}
