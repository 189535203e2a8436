#include "core.h"

#include "atmega328p.h"

#include <simavr/avr_adc.h>
#include <simavr/sim_core.h>
#include <simavr/sim_elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define START_NS 65000000u /* data sheet 9.3: SUT as delivered, after each reset */
#define WAKE_NS 4000u      /* the RC oscillator starts; six cycles are added */
#define NEVER UINT64_MAX

/* Supply currents at 3.3 V, 8 MHz, data sheet 33.1 and 34: active, idle, power-down with and
 * without the watchdog, and the brown-out detector unless it is disabled during sleep. */
#define ACTIVE_UA_PER_MHZ 410.0
#define IDLE_UA_PER_MHZ 95.0
#define DOWN_UA 0.1
#define DOWN_WATCHDOG_UA 4.2
#define BROWN_OUT_UA 20.0

static double down_microamps(const struct core *core)
{
    bool detects = !(core->avr->data[MCUCR_AT] & MCUCR_BODS);
    double watched = core->watchdog.due_ns == NEVER ? DOWN_UA : DOWN_WATCHDOG_UA;
    return watched + (detects ? BROWN_OUT_UA : 0);
}

static void account(struct core *core, uint64_t now_ns)
{
    double microamps = 0;
    if (core->state == CORE_RUNNING || core->state == CORE_CRASHED)
        microamps = ACTIVE_UA_PER_MHZ * core->mhz;
    else if (core->state == CORE_IDLE)
        microamps = IDLE_UA_PER_MHZ * core->mhz;
    else if (core->state == CORE_DOWN)
        microamps = down_microamps(core);
    meter_enter(&core->meter, now_ns, core->state, microamps);
}

static void enter(struct core *core, uint64_t now_ns, enum core_state state)
{
    core->state = state;
    account(core, now_ns);
}

uint64_t core_cycle_ns(const struct core *core, uint64_t cycle)
{
    return core->base_ns + (cycle - core->base_cycle) * 1000 / core->mhz;
}

uint64_t core_now_ns(const struct core *core)
{
    return core_cycle_ns(core, core->avr->cycle);
}

static uint64_t cycle_at(const struct core *core, uint64_t ns)
{
    return core->base_cycle + ((ns - core->base_ns) * core->mhz + 999) / 1000;
}

avr_int_vector_t *core_vector(const struct core *core, int number)
{
    const avr_int_table_t *table = &core->avr->interrupts;
    for (int i = 0; i < table->vector_count; i++)
        if (table->vector[i]->vector == number)
            return table->vector[i];
    return NULL;
}

avr_io_t *core_module(const struct core *core, const char *kind)
{
    avr_io_t *io = core->avr->io_port;
    while (io && strcmp(io->kind, kind) != 0)
        io = io->next;
    return io;
}

void core_on_write(struct core *core, uint16_t at, avr_io_write_t call)
{
    core->avr->io[AVR_DATA_TO_IO(at)].w.c = call;
    core->avr->io[AVR_DATA_TO_IO(at)].w.param = core;
}

void core_on_read(struct core *core, uint16_t at, avr_io_read_t call)
{
    core->avr->io[AVR_DATA_TO_IO(at)].r.c = call;
    core->avr->io[AVR_DATA_TO_IO(at)].r.param = core;
}

void core_level_update(struct core *core, int which)
{
    struct core_level *level = &core->level[which];
    if (level->holds(core) && avr_regbit_get(core->avr, level->vector->enable))
        avr_raise_interrupt(core->avr, level->vector);
}

/* The interrupt routine ends: if the condition still holds, the interrupt is requested again. */
static void level_returned(struct avr_irq_t *irq, uint32_t running, void *param)
{
    struct core_level *level = param;
    (void)irq;
    if (!running && level->holds(level->core))
        core_level_update(level->core, (int)(level - level->core->level));
}

void core_level_begin(struct core *core, int which, int vector,
                      bool (*holds)(const struct core *core))
{
    struct core_level *level = &core->level[which];
    *level = (struct core_level){core, core_vector(core, vector), holds};
    level->vector->raise_sticky = 1; /* the flag follows the condition */
    avr_irq_register_notify(level->vector->irq + AVR_INT_IRQ_RUNNING, level_returned, level);
}

static void log_error(struct avr_t *avr, const int level, const char *format, va_list values)
{
    (void)avr;
    if (level <= LOG_ERROR)
        vfprintf(stderr, format, values);
}

/* Programs the flash like avr_load_firmware(), without the tags that only simavr understands. */
static bool load(struct core *core, const char *path)
{
    elf_firmware_t image = {.flashsize = 0};
    if (elf_read_firmware(path, &image) != 0 || image.flashsize == 0)
        return false;
    core->avr->frequency = core->mhz * 1000000;
    avr_loadcode(core->avr, image.flash, image.flashsize, image.flashbase);
    core->avr->codeend = image.flashsize + image.flashbase - image.datasize;
    return true;
}

bool core_begin(struct core *core, const char *path, uint32_t mhz, const struct core_wires *wires,
                uint64_t seed)
{
    avr_global_logger_set(log_error);
    *core = (struct core){.mhz = mhz, .wires = *wires, .avr = avr_make_mcu_by_name("atmega328p")};
    if (!core->avr || avr_init(core->avr) != 0 || !load(core, path))
        return false;
    core->avr->log = LOG_ERROR;
    chance_seed(&core->chance, seed, 6);
    core_pins_begin(core);
    core_spi_begin(core);
    core_twi_begin(core);
    core_uart_begin(core);
    core_eeprom_begin(core);
    core_watchdog_begin(core);
    return core_skip_begin(core);
}

static void forget_memory(struct core *core)
{
    avr_t *avr = core->avr;
    for (uint32_t at = avr->ioend + 1u; at <= avr->ramend; at++)
        avr->data[at] = (uint8_t)chance_bits(&core->chance);
    for (int i = 0; i < 32; i++)
        avr->data[i] = (uint8_t)chance_bits(&core->chance);
}

static void count_reset(struct core *core, uint8_t cause)
{
    core->counts.power_on += cause == MCUSR_PORF;
    core->counts.external += cause == MCUSR_EXTRF;
    core->counts.brown_out += cause == MCUSR_BORF;
    core->counts.watchdog += cause == MCUSR_WDRF;
}

void core_reset(struct core *core, uint64_t now_ns, uint8_t cause)
{
    avr_t *avr = core->avr;
    uint8_t before = cause == MCUSR_PORF ? 0 : avr->data[MCUSR_AT];
    if (cause == MCUSR_PORF || cause == MCUSR_BORF)
        forget_memory(core);
    avr_reset(avr);
    avr->data[MCUSR_AT] = before | cause;
    core_pins_reset(core);
    core_spi_reset(core);
    core_twi_reset(core);
    core_uart_reset(core);
    core_eeprom_reset(core);
    core->base_ns = now_ns + START_NS;
    core->base_cycle = avr->cycle;
    core_watchdog_reset(core, core->base_ns);
    count_reset(core, cause);
    enter(core, now_ns, CORE_RUNNING);
}

void core_power_off(struct core *core, uint64_t now_ns)
{
    core_eeprom_tear(core);
    avr_reset(core->avr); /* all pins are inputs */
    core_pins_reset(core);
    core->watchdog.due_ns = NEVER;
    enter(core, now_ns, CORE_OFF);
}

void core_look_up(struct core *core, uint64_t now_ns)
{
    if (core->avr->state != cpu_Running)
        return;
    if (core->state == CORE_DOWN) {
        core->base_ns = now_ns + WAKE_NS + 6000 / core->mhz;
        core->base_cycle = core->avr->cycle;
    }
    if (core->state != CORE_DOWN && core->state != CORE_IDLE)
        return;
    core->counts.wakes++;
    enter(core, now_ns, CORE_RUNNING);
    if (core->avr->interrupt_state)
        avr_service_interrupts(core->avr); /* before the instruction that follows SLEEP */
}

/* Entering noise reduction starts a conversion (data sheet 24.6). */
static void start_conversion(avr_t *avr)
{
    uint8_t control = avr->data[ADCSRA_AT];
    if ((control & ADCSRA_ADEN) && !(control & ADCSRA_ADSC))
        avr->io[AVR_DATA_TO_IO(ADCSRA_AT)].w.c(avr, ADCSRA_AT, control | ADCSRA_ADSC,
                                               avr->io[AVR_DATA_TO_IO(ADCSRA_AT)].w.param);
}

static void fall_asleep(struct core *core)
{
    avr_t *avr = core->avr;
    uint8_t control = avr->data[SMCR_AT];
    uint8_t mode = control >> 1 & 7;
    if (!(control & SMCR_SE)) { /* SLEEP has no effect then */
        avr->state = cpu_Running;
        return;
    }
    if (mode == 1)
        start_conversion(avr);
    enter(core, core_now_ns(core), mode <= 1 ? CORE_IDLE : CORE_DOWN);
    avr->data[MCUCR_AT] &= (uint8_t)~MCUCR_BODS; /* valid for one sleep */
    core_level_update(core, CORE_LEVEL_INT0);
    core_level_update(core, CORE_LEVEL_INT1);
    core_look_up(core, core_now_ns(core));
}

static void crash(struct core *core)
{
    core->counts.crashes++;
    enter(core, core_now_ns(core), CORE_CRASHED);
}

static void run_step(struct core *core)
{
    avr_t *avr = core->avr;
    avr_flashaddr_t next = avr_run_one(avr);
    avr_cycle_timer_process(avr);
    avr->pc = next;
    if (avr->state == cpu_Sleeping)
        fall_asleep(core);
    else if (avr->state != cpu_Running)
        crash(core);
    else if (avr->interrupt_state)
        avr_service_interrupts(avr);
}

/* Does nothing: simavr runs up to its next timer, so this timer ends the run. */
static avr_cycle_count_t end_run(avr_t *avr, avr_cycle_count_t when, void *param)
{
    (void)avr;
    (void)when;
    (void)param;
    return 0;
}

static void idle_until(struct core *core, uint64_t cycle)
{
    avr_t *avr = core->avr;
    avr_cycle_timer_slot_p timer = avr->cycle_timers.timer;
    uint64_t next = timer && timer->when < cycle ? timer->when : cycle;
    avr->cycle = next > avr->cycle ? next : avr->cycle;
    avr_cycle_timer_process(avr);
    core_look_up(core, core_now_ns(core));
}

void core_run(struct core *core, uint64_t until_ns)
{
    avr_t *avr = core->avr;
    if (until_ns <= core->base_ns)
        return;
    uint64_t until = cycle_at(core, until_ns);
    if (core->state == CORE_RUNNING && avr->cycle < until) {
        avr->run_cycle_limit = until;
        avr_cycle_timer_register(avr, until - avr->cycle, end_run, core);
    }
    while (avr->cycle < until && (core->state == CORE_RUNNING || core->state == CORE_IDLE)) {
        if (core->state == CORE_RUNNING)
            run_step(core);
        else
            idle_until(core, until);
    }
    avr_cycle_timer_cancel(avr, end_run, core);
}

uint64_t core_due(const struct core *core)
{
    uint64_t due = core->watchdog.due_ns;
    const avr_cycle_timer_slot_t *timer = core->avr->cycle_timers.timer;
    if (core->state == CORE_RUNNING)
        return core_now_ns(core);
    if (core->state == CORE_IDLE && timer && core_cycle_ns(core, timer->when) < due)
        due = core_cycle_ns(core, timer->when);
    return due;
}

void core_advance(struct core *core, uint64_t now_ns)
{
    core_watchdog_advance(core, now_ns);
    core_look_up(core, now_ns);
}

void core_set_supply(struct core *core, uint32_t millivolts)
{
    core->avr->vcc = core->avr->avcc = core->avr->aref = millivolts;
}

void core_set_adc(struct core *core, int channel, uint32_t millivolts)
{
    avr_raise_irq(avr_io_getirq(core->avr, AVR_IOCTL_ADC_GETIRQ, ADC_IRQ_ADC0 + channel),
                  millivolts);
}
