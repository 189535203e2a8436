/* SPI as the master, at the configured clock: simavr takes 100 us for each byte. */
#include "atmega328p.h"
#include "core.h"

#define SPE 0x40
#define MSTR 0x10
#define SPI2X 0x01
#define SPIF 0x80
#define WCOL 0x40

static uint64_t byte_cycles(const struct core *core)
{
    static const unsigned divisor[4] = {4, 16, 64, 128};
    unsigned cycles = 8 * divisor[core->avr->data[SPCR_AT] & 3];
    return core->avr->data[SPSR_AT] & SPI2X ? cycles / 2 : cycles;
}

static avr_cycle_count_t byte_done(avr_t *avr, avr_cycle_count_t when, void *param)
{
    struct core *core = param;
    core->spi.busy = false;
    core->spi.flag_seen = false;
    core->spi.in = core->wires.spi(core->wires.context, core_cycle_ns(core, when), core->spi.out);
    avr->data[SPSR_AT] |= SPIF;
    avr_raise_interrupt(avr, core_vector(core, SPI_VECTOR));
    return 0;
}

/* Reading SPSR and then accessing SPDR clears the flags (data sheet 19.5.2). */
static void touch_data(struct core *core)
{
    if (core->spi.flag_seen)
        core->avr->data[SPSR_AT] &= (uint8_t)~(SPIF | WCOL);
}

static void data_written(avr_t *avr, avr_io_addr_t at, uint8_t value, void *param)
{
    struct core *core = param;
    uint8_t control = avr->data[SPCR_AT];
    (void)at;
    touch_data(core);
    if (!(control & SPE) || !(control & MSTR) || (avr->data[PRR_AT] & PRR_SPI))
        return;
    if (core->spi.busy) {
        avr->data[SPSR_AT] |= WCOL;
        return;
    }
    core->spi.busy = true;
    core->spi.out = value;
    avr_cycle_timer_register(avr, byte_cycles(core), byte_done, core);
}

static uint8_t data_read(avr_t *avr, avr_io_addr_t at, void *param)
{
    struct core *core = param;
    (void)avr;
    (void)at;
    touch_data(core);
    return core->spi.in;
}

static uint8_t status_read(avr_t *avr, avr_io_addr_t at, void *param)
{
    struct core *core = param;
    core->spi.flag_seen = core->spi.flag_seen || (avr->data[at] & (SPIF | WCOL));
    return avr->data[at];
}

static void status_written(avr_t *avr, avr_io_addr_t at, uint8_t value, void *param)
{
    (void)param;
    avr->data[at] = (uint8_t)((avr->data[at] & ~SPI2X) | (value & SPI2X));
}

void core_spi_begin(struct core *core)
{
    core_on_write(core, SPDR_AT, data_written);
    core_on_read(core, SPDR_AT, data_read);
    core_on_write(core, SPSR_AT, status_written);
    core_on_read(core, SPSR_AT, status_read);
}

void core_spi_reset(struct core *core)
{
    core->spi = (struct core_spi){.busy = false};
}
