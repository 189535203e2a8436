/* The watchdog with its own 128 kHz oscillator, which also runs in power-down. simavr counts the
 * processor's cycles instead, and clears WDIE where the chip does not. */
#include "atmega328p.h"
#include "core.h"

#include <simavr/avr_watchdog.h>
#include <stddef.h>

#define WDIF 0x80
#define WDIE 0x40
#define WDCE 0x10
#define WDE 0x08
#define WDP 0x27
#define OPEN_CYCLES 4
#define SHORTEST_NS 16000000.0 /* 2048 cycles of 128 kHz */
#define OSCILLATOR_OFF 0.10    /* data sheet 34: over supply and temperature */

static uint8_t control(const struct core *core)
{
    return core->avr->data[WDTCSR_AT];
}

static uint64_t period_ns(const struct core *core)
{
    unsigned prescaler = (control(core) & 7u) | (control(core) >> 2 & 8u);
    return (uint64_t)(SHORTEST_NS * (double)(1u << prescaler) / core->watchdog.rate);
}

static void restart(struct core *core, uint64_t now_ns)
{
    bool on = control(core) & (WDE | WDIE);
    core->watchdog.due_ns = on ? now_ns + period_ns(core) : UINT64_MAX;
}

static bool is_open(const struct core *core)
{
    return core->avr->cycle - core->watchdog.open_cycle <= OPEN_CYCLES + 2;
}

static void control_written(avr_t *avr, avr_io_addr_t at, uint8_t value, void *param)
{
    struct core *core = param;
    uint8_t before = avr->data[at];
    bool open = is_open(core);
    uint8_t kept = open ? 0 : before & (WDE | WDP);
    uint8_t taken = value & (open ? WDIE | WDE | WDP : WDIE | WDE);
    if ((value & WDCE) && (value & WDE))
        core->watchdog.open_cycle = avr->cycle;
    else if (open)
        core->watchdog.open_cycle = 0;
    if (avr->data[MCUSR_AT] & MCUSR_WDRF)
        taken |= WDE;
    uint8_t flag = value & WDIF ? 0 : before & WDIF; /* writing a one clears it */
    avr->data[at] = (uint8_t)(kept | taken | flag);
    if ((before ^ avr->data[at]) & (WDIE | WDE | WDP))
        restart(core, core_now_ns(core));
}

/* The WDR instruction. */
static int restarted(struct avr_io_t *io, uint32_t request, void *param)
{
    (void)param;
    if (request != AVR_IOCTL_WATCHDOG_RESET)
        return -1;
    /* simavr passes only the module; the core is what was registered with its register. */
    struct core *core = io->avr->io[AVR_DATA_TO_IO(WDTCSR_AT)].w.param;
    restart(core, core_now_ns(core));
    return 0;
}

/* If WDE is set, too, WDIE is valid for one interrupt; the next time-out resets (12.9.2). */
static void routine_called(struct avr_irq_t *irq, uint32_t running, void *param)
{
    struct core *core = param;
    (void)irq;
    if (running && (control(core) & WDE))
        core->avr->data[WDTCSR_AT] &= (uint8_t)~WDIE;
}

void core_watchdog_begin(struct core *core)
{
    avr_io_t *module = core_module(core, "watchdog");
    avr_int_vector_t *vector = core_vector(core, WDT_VECTOR);
    module->ioctl = restarted;
    module->reset = NULL;
    vector->irq[AVR_INT_IRQ_PENDING].hook = NULL; /* here simavr always clears WDIE */
    avr_irq_register_notify(vector->irq + AVR_INT_IRQ_RUNNING, routine_called, core);
    core_on_write(core, WDTCSR_AT, control_written);
    core->watchdog.due_ns = UINT64_MAX;
    core->watchdog.rate = chance_between(&core->chance, 1 - OSCILLATOR_OFF, 1 + OSCILLATOR_OFF);
}

void core_watchdog_reset(struct core *core, uint64_t now_ns)
{
    core->watchdog.open_cycle = 0;
    if (core->avr->data[MCUSR_AT] & MCUSR_WDRF)
        core->avr->data[WDTCSR_AT] = WDE; /* and sets the shortest time */
    restart(core, now_ns);
}

void core_watchdog_advance(struct core *core, uint64_t now_ns)
{
    if (core->watchdog.due_ns > now_ns)
        return;
    uint64_t at_ns = core->watchdog.due_ns;
    if (control(core) & WDIE) {
        restart(core, at_ns);
        core->avr->data[WDTCSR_AT] |= WDIF;
        avr_raise_interrupt(core->avr, core_vector(core, WDT_VECTOR));
    } else {
        core_reset(core, at_ns, MCUSR_WDRF);
    }
}
