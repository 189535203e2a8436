/* The two-wire bus with the processor as its only master. simavr leaves TWINT set during a
 * transfer, so that polling finds each step complete before it began, and confuses two status
 * codes. */
#include "atmega328p.h"
#include "core.h"

#include <stddef.h>

#define TWINT 0x80
#define TWEA 0x40
#define TWSTA 0x20
#define TWSTO 0x10
#define TWEN 0x04

/* Status codes, data sheet tables 22-2 and 22-3. */
#define STARTED 0x08
#define STARTED_AGAIN 0x10
#define WRITE_ACK 0x18
#define WRITE_NACK 0x20
#define SENT_ACK 0x28
#define SENT_NACK 0x30
#define READ_ACK 0x40
#define READ_NACK 0x48
#define GOT_ACK 0x50
#define GOT_NACK 0x58
#define NOTHING 0xF8

/* Two resistors of 4.7 kOhm at 3.3 V, each pulled low for about half of the time. */
#define PULL_UP_UA 700.0

static uint64_t bit_cycles(const struct core *core)
{
    unsigned prescaler = 1u << 2 * (core->avr->data[TWSR_AT] & 3);
    return 16 + 2 * (unsigned)core->avr->data[TWBR_AT] * prescaler;
}

static void finish(struct core *core, uint8_t status)
{
    avr_t *avr = core->avr;
    core->twi.busy = false;
    avr->data[TWSR_AT] = (uint8_t)((avr->data[TWSR_AT] & 3) | status);
    avr->data[TWCR_AT] |= TWINT;
    avr_raise_interrupt(avr, core_vector(core, TWI_VECTOR));
}

static uint8_t send_address(struct core *core, uint64_t now_ns)
{
    uint8_t byte = core->avr->data[TWDR_AT];
    bool acked = core->wires.twi_start(core->wires.context, now_ns, byte);
    core->twi.addressed = true;
    core->twi.reading = byte & 1;
    if (core->twi.reading)
        return acked ? READ_ACK : READ_NACK;
    return acked ? WRITE_ACK : WRITE_NACK;
}

static uint8_t transfer(struct core *core, uint64_t now_ns)
{
    avr_t *avr = core->avr;
    if (!core->twi.addressed)
        return send_address(core, now_ns);
    if (core->twi.reading) {
        avr->data[TWDR_AT] = core->wires.twi_read(core->wires.context, now_ns);
        return core->twi.action & TWEA ? GOT_ACK : GOT_NACK;
    }
    bool acked = core->wires.twi_write(core->wires.context, now_ns, avr->data[TWDR_AT]);
    return acked ? SENT_ACK : SENT_NACK;
}

static avr_cycle_count_t step_done(avr_t *avr, avr_cycle_count_t when, void *param)
{
    struct core *core = param;
    uint64_t now_ns = core_cycle_ns(core, when);
    (void)avr;
    if (core->twi.action & TWSTA) {
        uint8_t status = core->twi.owns ? STARTED_AGAIN : STARTED;
        core->twi.owns = true;
        core->twi.addressed = false;
        meter_enter(&core->twi.meter, now_ns, 1, PULL_UP_UA);
        finish(core, status);
    } else {
        finish(core, transfer(core, now_ns));
    }
    return 0;
}

static void let_go(struct core *core)
{
    if (!core->twi.owns)
        return;
    core->wires.twi_stop(core->wires.context, core_now_ns(core));
    core->twi.owns = core->twi.addressed = false;
    meter_enter(&core->twi.meter, core_now_ns(core), 0, 0);
}

static void begin_step(struct core *core, uint8_t control)
{
    avr_t *avr = core->avr;
    if (control & TWSTO) {
        let_go(core);
        avr->data[TWCR_AT] &= (uint8_t)~TWSTO;
        avr->data[TWSR_AT] = (uint8_t)((avr->data[TWSR_AT] & 3) | NOTHING);
    }
    if (!(control & TWSTA) && (!core->twi.owns || (control & TWSTO)))
        return;
    uint64_t bits = control & TWSTA ? 1 : 9;
    core->twi.busy = true;
    core->twi.action = control;
    avr_cycle_timer_register(avr, bits * bit_cycles(core), step_done, core);
}

static void control_written(avr_t *avr, avr_io_addr_t at, uint8_t value, void *param)
{
    struct core *core = param;
    uint8_t flag = avr->data[at] & TWINT;
    avr->data[at] = (uint8_t)((value & ~TWINT) | flag);
    if (!(value & TWEN) || (avr->data[PRR_AT] & PRR_TWI)) {
        avr_cycle_timer_cancel(avr, step_done, core);
        let_go(core);
        core->twi.busy = false;
        return;
    }
    if (!(value & TWINT) || core->twi.busy)
        return;
    avr_clear_interrupt(avr, core_vector(core, TWI_VECTOR));
    avr->data[at] &= (uint8_t)~TWINT; /* writing a one clears it and starts the next step */
    begin_step(core, value);
}

static void status_written(avr_t *avr, avr_io_addr_t at, uint8_t value, void *param)
{
    (void)param;
    avr->data[at] = (uint8_t)((avr->data[at] & 0xF8) | (value & 3));
}

static void data_written(avr_t *avr, avr_io_addr_t at, uint8_t value, void *param)
{
    (void)param;
    avr->data[at] = value;
}

void core_twi_begin(struct core *core)
{
    core_on_write(core, TWCR_AT, control_written);
    core_on_write(core, TWSR_AT, status_written);
    core_on_write(core, TWDR_AT, data_written);
    core->avr->io[AVR_DATA_TO_IO(TWDR_AT)].r.c = NULL;
    core->avr->io[AVR_DATA_TO_IO(TWDR_AT)].r.param = NULL;
}

void core_twi_reset(struct core *core)
{
    let_go(core);
    core->twi = (struct core_twi){.meter = core->twi.meter};
    core->avr->data[TWSR_AT] = NOTHING;
    core->avr->data[TWDR_AT] = 0xFF;
}
