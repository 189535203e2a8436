#include "atmega328p.h"
#include "core.h"

#include <simavr/avr_extint.h>
#include <simavr/avr_ioport.h>

static const uint16_t pin_at[3] = {PINB_AT, PINC_AT, PIND_AT};

static avr_irq_t *pin_irq(const struct core *core, int port, int bit)
{
    return avr_io_getirq(core->avr, AVR_IOCTL_IOPORT_GETIRQ('B' + port), bit);
}

/* simavr sets every input with a set PORT bit to 1 at each write, whatever drives it, unless the
 * input is declared external. */
static void declare_external(struct core *core, int port)
{
    avr_ioport_external_t external = {.name = (unsigned)('B' + port),
                                      .mask = core->pins.driven[port],
                                      .value = core->pins.level[port]};
    avr_ioctl(core->avr, AVR_IOCTL_IOPORT_SET_EXTERNAL('B' + port), &external);
}

static uint8_t levels(const struct core *core, int port)
{
    const uint8_t *pins = &core->avr->data[pin_at[port]];
    uint8_t direction = pins[1], output = pins[2];
    return (uint8_t)((output & direction) | (core->pins.idle[port] & ~direction));
}

static void show(struct core *core, int port)
{
    uint8_t now = levels(core, port);
    if (now == core->pins.shown[port])
        return;
    core->pins.shown[port] = now;
    core->wires.port(core->wires.context, core_now_ns(core), (char)('B' + port), now);
}

/* PIN, DDR or PORT was written: first simavr's own handling, then the levels on the wires. */
static void register_written(struct avr_t *avr, avr_io_addr_t at, uint8_t value, void *param)
{
    struct core *core = param;
    int port = (at - PINB_AT) / 3;
    const struct core_pins_call *inner = &core->pins.inner[port][(at - PINB_AT) % 3];
    inner->call(avr, at, value, inner->param);
    show(core, port);
}

static void wrap_registers(struct core *core, int port)
{
    for (int i = 0; i < 3; i++) {
        uint16_t at = (uint16_t)(pin_at[port] + i);
        core->pins.inner[port][i].call = core->avr->io[AVR_DATA_TO_IO(at)].w.c;
        core->pins.inner[port][i].param = core->avr->io[AVR_DATA_TO_IO(at)].w.param;
        core_on_write(core, at, register_written);
    }
}

static bool is_low(const struct core *core, int bit)
{
    bool input = !(core->avr->data[DDRD_AT] >> bit & 1);
    return input && !(core->avr->data[PIND_AT] >> bit & 1);
}

static bool int0_holds(const struct core *core)
{
    return (core->avr->data[EICRA_AT] & 0x03) == 0 && is_low(core, 2);
}

static bool int1_holds(const struct core *core)
{
    return (core->avr->data[EICRA_AT] & 0x0C) == 0 && is_low(core, 3);
}

/* A flag that was set while its interrupt was disabled interrupts when it is enabled. */
static void raise_waiting(struct core *core, uint16_t flags_at, uint8_t enabled, int vector)
{
    for (int i = 0; i < 3; i++) {
        avr_int_vector_t *it = core_vector(core, vector + i);
        if ((enabled >> i & 1) && (core->avr->data[flags_at] >> i & 1))
            avr_raise_interrupt(core->avr, it);
    }
}

static void mask_written(struct avr_t *avr, avr_io_addr_t at, uint8_t value, void *param)
{
    struct core *core = param;
    avr->data[at] = value;
    raise_waiting(core, EIFR_AT, avr->data[EIMSK_AT] & 3, INT0_VECTOR);
    core_level_update(core, CORE_LEVEL_INT0);
    core_level_update(core, CORE_LEVEL_INT1);
}

static void pin_change_enabled(struct avr_t *avr, avr_io_addr_t at, uint8_t value, void *param)
{
    avr->data[at] = value;
    raise_waiting(param, PCIFR_AT, value & 7, PCINT0_VECTOR);
}

/* Writing a one clears a flag; simavr would set it. */
static void flags_written(struct avr_t *avr, avr_io_addr_t at, uint8_t value, void *param)
{
    int first = at == EIFR_AT ? INT0_VECTOR : PCINT0_VECTOR;
    for (int i = 0; i < (at == EIFR_AT ? 2 : 3); i++)
        if (value >> i & 1)
            avr_clear_interrupt(avr, core_vector(param, first + i));
    avr->data[at] &= (uint8_t)~value;
}

void core_pins_begin(struct core *core)
{
    core_level_begin(core, CORE_LEVEL_INT0, INT0_VECTOR, int0_holds);
    core_level_begin(core, CORE_LEVEL_INT1, INT1_VECTOR, int1_holds);
    core_vector(core, INT0_VECTOR)->raise_sticky = 0; /* a routine clears the flag of an edge */
    core_vector(core, INT1_VECTOR)->raise_sticky = 0;
    for (int port = 0; port < 3; port++)
        wrap_registers(core, port);
    core_on_write(core, EIMSK_AT, mask_written);
    core_on_write(core, EICRA_AT, mask_written);
    core_on_write(core, PCICR_AT, pin_change_enabled);
    core_on_write(core, EIFR_AT, flags_written);
    core_on_write(core, PCIFR_AT, flags_written);
}

void core_pins_reset(struct core *core)
{
    /* simavr would request a low-level interrupt in every cycle. */
    avr_extint_set_strict_lvl_trig(core->avr, 0, 0);
    avr_extint_set_strict_lvl_trig(core->avr, 1, 0);
    for (int port = 0; port < 3; port++) {
        declare_external(core, port);
        for (int bit = 0; bit < 8; bit++) {
            avr_irq_t *irq = pin_irq(core, port, bit);
            irq->flags |= IRQ_FLAG_INIT; /* it kept its state, unlike the register */
            avr_raise_irq(irq, core->pins.level[port] >> bit & 1);
        }
        show(core, port);
    }
}

/* In power-down no clock runs that could detect an edge on INT0 or INT1 (data sheet 13.2). */
static bool edge_is_unseen(const struct core *core, int port, int bit)
{
    if (core->state != CORE_DOWN || port != 2 || (bit != 2 && bit != 3))
        return false;
    return core->avr->data[EICRA_AT] >> (bit == 2 ? 0 : 2) & 3;
}

void core_pins_drive(struct core *core, uint64_t now_ns, char name, int bit, bool high)
{
    int port = name - 'B';
    uint8_t mask = (uint8_t)(1 << bit);
    core->pins.driven[port] |= mask;
    core->pins.level[port] = (uint8_t)((core->pins.level[port] & ~mask) | (high ? mask : 0));
    declare_external(core, port);
    bool unseen = edge_is_unseen(core, port, bit);
    uint8_t enabled = core->avr->data[EIMSK_AT], flags = core->avr->data[EIFR_AT];
    if (unseen)
        core->avr->data[EIMSK_AT] = 0;
    avr_raise_irq(pin_irq(core, port, bit), high);
    if (unseen) {
        core->avr->data[EIMSK_AT] = enabled;
        core->avr->data[EIFR_AT] = flags;
    }
    core_level_update(core, CORE_LEVEL_INT0);
    core_level_update(core, CORE_LEVEL_INT1);
    core_look_up(core, now_ns);
}
