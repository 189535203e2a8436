/* USART0, asynchronous: it buffers two received bytes and a third one in the shift register; a byte
 * lasts as long as its bits. simavr buffers 64 bytes and prints what is sent. */
#include "atmega328p.h"
#include "core.h"

#include <string.h>

#define RXC 0x80
#define TXC 0x40
#define UDRE 0x20
#define DOR 0x08
#define U2X 0x02
#define MPCM 0x01
#define RXEN 0x10
#define TXEN 0x08

static uint64_t byte_cycles(const struct core *core)
{
    const uint8_t *data = core->avr->data;
    unsigned divisor = 1u + data[UBRR0L_AT] + 256u * (data[UBRR0H_AT] & 0x0F);
    unsigned cycles_a_bit = divisor * (data[UCSR0A_AT] & U2X ? 8 : 16);
    uint8_t frame = data[UCSR0C_AT];
    unsigned bits = 1 + 5 + (frame >> 1 & 3) + (frame >> 5 & 1) + 1 + (frame >> 3 & 1);
    return (uint64_t)cycles_a_bit * bits;
}

uint64_t core_uart_byte_ns(const struct core *core)
{
    return byte_cycles(core) * 1000 / core->mhz;
}

static bool has_received(const struct core *core)
{
    return core->uart.count > 0;
}

static bool has_room(const struct core *core)
{
    return !core->uart.waiting;
}

/* Sets a flag and its interrupt according to a condition. */
static void show_flag(struct core *core, uint8_t flag, int level, bool holds)
{
    avr_t *avr = core->avr;
    if (!holds)
        avr_clear_interrupt(avr, core->level[level].vector);
    avr->data[UCSR0A_AT] = (uint8_t)((avr->data[UCSR0A_AT] & ~flag) | (holds ? flag : 0));
    core_level_update(core, level);
}

static void show_flags(struct core *core)
{
    show_flag(core, RXC, CORE_LEVEL_RXC, has_received(core));
    show_flag(core, UDRE, CORE_LEVEL_UDRE, has_room(core));
}

void core_uart_receive(struct core *core, uint64_t now_ns, uint8_t byte)
{
    avr_t *avr = core->avr;
    if (!(avr->data[UCSR0B_AT] & RXEN) || core->state == CORE_DOWN || core->state == CORE_OFF)
        return;
    if (core->uart.count == CORE_UART_BUFFER) {
        avr->data[UCSR0A_AT] |= DOR;
        core->uart.overruns++;
        return;
    }
    core->uart.received[core->uart.count++] = byte;
    show_flags(core);
    core_look_up(core, now_ns);
}

static uint8_t data_read(avr_t *avr, avr_io_addr_t at, void *param)
{
    struct core *core = param;
    (void)at;
    if (core->uart.count == 0)
        return 0;
    uint8_t byte = core->uart.received[0];
    core->uart.count--;
    memmove(core->uart.received, core->uart.received + 1, (size_t)core->uart.count);
    avr->data[UCSR0A_AT] &= (uint8_t)~DOR;
    show_flags(core);
    return byte;
}

static avr_cycle_count_t byte_sent(avr_t *avr, avr_cycle_count_t when, void *param)
{
    struct core *core = param;
    core->wires.uart(core->wires.context, core_cycle_ns(core, when), core->uart.shift);
    if (core->uart.waiting) {
        core->uart.shift = core->uart.next;
        core->uart.waiting = false;
        show_flags(core);
        return when + byte_cycles(core);
    }
    core->uart.shifting = false;
    avr->data[UCSR0A_AT] |= TXC;
    avr_raise_interrupt(avr, core_vector(core, USART_TX_VECTOR));
    return 0;
}

static void data_written(avr_t *avr, avr_io_addr_t at, uint8_t value, void *param)
{
    struct core *core = param;
    (void)at;
    if (!(avr->data[UCSR0B_AT] & TXEN) || core->uart.waiting)
        return;
    if (core->uart.shifting) {
        core->uart.next = value;
        core->uart.waiting = true;
    } else {
        core->uart.shift = value;
        core->uart.shifting = true;
        avr_cycle_timer_register(avr, byte_cycles(core), byte_sent, core);
    }
    show_flags(core);
}

static void status_written(avr_t *avr, avr_io_addr_t at, uint8_t value, void *param)
{
    struct core *core = param;
    uint8_t kept = avr->data[at] & (uint8_t)~(U2X | MPCM);
    if (value & TXC) {
        avr_clear_interrupt(avr, core_vector(core, USART_TX_VECTOR));
        kept &= (uint8_t)~TXC;
    }
    avr->data[at] = (uint8_t)(kept | (value & (U2X | MPCM)));
}

static void control_written(avr_t *avr, avr_io_addr_t at, uint8_t value, void *param)
{
    struct core *core = param;
    avr->data[at] = value;
    if (!(value & RXEN))
        core->uart.count = 0;
    show_flags(core);
}

static void plain_written(avr_t *avr, avr_io_addr_t at, uint8_t value, void *param)
{
    (void)param;
    avr->data[at] = value;
}

void core_uart_begin(struct core *core)
{
    core_level_begin(core, CORE_LEVEL_RXC, USART_RX_VECTOR, has_received);
    core_level_begin(core, CORE_LEVEL_UDRE, USART_UDRE_VECTOR, has_room);
    core_on_read(core, UDR0_AT, data_read);
    core_on_write(core, UDR0_AT, data_written);
    core_on_write(core, UCSR0A_AT, status_written);
    core_on_write(core, UCSR0B_AT, control_written);
    core_on_write(core, UCSR0C_AT, plain_written);
    core_on_write(core, UBRR0L_AT, plain_written);
    core_on_write(core, UBRR0H_AT, plain_written);
    core->avr->io[AVR_DATA_TO_IO(UCSR0A_AT)].r.c = NULL;
    core->avr->io[AVR_DATA_TO_IO(UCSR0A_AT)].r.param = NULL;
}

void core_uart_reset(struct core *core)
{
    core->uart = (struct core_uart){.overruns = core->uart.overruns};
    core->avr->data[UCSR0A_AT] = UDRE;
    core->avr->data[UCSR0B_AT] = 0;
    core->avr->data[UCSR0C_AT] = 0x06;
}
