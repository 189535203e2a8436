/* SPI, TWI and USART of the ATmega328P, as masters of their chips. */
#include "board.h"
#include "mcu.h"

enum {
    SPIE = 0x80, SPE = 0x40, DORD = 0x20, MSTR = 0x10, SPI_MODE = 0x0C, SPIF = 0x80, SPI2X = 1,
    TWINT = 0x80, TWEA = 0x40, TWSTA = 0x20, TWSTO = 0x10, TWWC = 8, TWEN = 4, TWIE = 1,
    RXC = 0x80, TXC = 0x40, UDRE = 0x20, FE = 0x10, DOR = 8, U2X = 2,
    RXCIE = 0x80, UDRIE = 0x20, RXEN = 0x10, TXEN = 8,
    PRUSART0 = 2, PRSPI = 4, PRTWI = 0x80,
    NO_STATUS = 0xF8,
};

enum bus_state { BUS_FREE, BUS_STARTED, BUS_SENDING, BUS_RECEIVING };

static void check_power(struct mcu *mcu, uint8_t bit, const char *name)
{
    if (mcu->data[PRR] & bit)
        MCU_VIOLATION(mcu, "mcu: uses the %s while it is switched off", name);
}

/* --- SPI --- */

static unsigned spi_divider(const struct mcu *mcu)
{
    static const uint8_t by[] = {4, 16, 64, 128};
    unsigned divider = by[mcu->data[SPCR] & 3];
    return mcu->data[SPSR] & SPI2X ? divider / 2 : divider;
}

static void send_spi(struct mcu *mcu, uint8_t byte)
{
    uint8_t control = mcu->data[SPCR];
    ps bit = spi_divider(mcu) * mcu->period;
    check_power(mcu, PRSPI, "SPI");
    if (!(control & SPE) || !(control & MSTR)) {
        MCU_VIOLATION(mcu, "mcu: writes SPDR without SPE and MSTR");
        return;
    }
    if (mcu->due[EVENT_SPI] != PS_NEVER) {
        MCU_VIOLATION(mcu, "mcu: writes SPDR during a transfer");
        return;
    }
    if ((mcu->data[DDRB] & 0x2C) != 0x2C)
        MCU_VIOLATION(mcu, "mcu: SS, MOSI and SCK must be outputs");
    if (control & SPIE)
        MCU_VIOLATION(mcu, "mcu: the SPI's interrupt is not modelled");
    mcu->spi_in = board_spi(mcu->board, byte, (control & SPI_MODE) >> 2, control & DORD, bit);
    mcu->data[SPSR] &= (uint8_t)~SPIF;
    mcu_schedule(mcu, EVENT_SPI, mcu->now + 8 * bit);
}

/* --- TWI --- */

static ps scl_period(const struct mcu *mcu)
{
    return (16 + 2 * (ps)mcu->data[TWBR] * (1u << 2 * (mcu->data[TWSR] & 3))) * mcu->period;
}

static void end_twi(struct mcu *mcu, uint8_t status, unsigned clocks)
{
    mcu->twi_status = status;
    mcu_schedule(mcu, EVENT_TWI, mcu->now + clocks * scl_period(mcu));
}

static void send_twi(struct mcu *mcu)
{
    uint8_t byte = mcu->data[TWDR];
    if (mcu->twi_bus == BUS_STARTED) {
        bool reads = byte & 1;
        bool acknowledged = board_twi_address(mcu->board, byte);
        mcu->twi_bus = reads ? BUS_RECEIVING : BUS_SENDING;
        end_twi(mcu, (uint8_t)((reads ? 0x40 : 0x18) + (acknowledged ? 0 : 8)), 9);
    } else {
        end_twi(mcu, board_twi_write(mcu->board, byte) ? 0x28 : 0x30, 9);
    }
}

static void write_twcr(struct mcu *mcu, uint8_t value)
{
    uint8_t old = mcu->data[TWCR];
    check_power(mcu, PRTWI, "TWI");
    if (value & TWIE)
        MCU_VIOLATION(mcu, "mcu: the TWI's interrupt is not modelled");
    if (!(value & TWEN)) {
        mcu->data[TWCR] = value & (uint8_t)~TWINT;
        mcu_schedule(mcu, EVENT_TWI, PS_NEVER);
        if (mcu->twi_bus != BUS_FREE)
            board_twi_abandoned(mcu->board);
        mcu->twi_bus = BUS_FREE;
        board_outputs_changed(mcu->board);
        return;
    }
    mcu->data[TWCR] = (uint8_t)((value & (TWEA | TWSTA | TWSTO | TWEN)) | (old & TWINT));
    if (!(value & TWINT))
        return;
    if (mcu->due[EVENT_TWI] != PS_NEVER)
        MCU_VIOLATION(mcu, "mcu: writes TWCR while the TWI is busy");
    mcu->data[TWCR] &= (uint8_t)~TWINT;
    if (scl_period(mcu) < 2499 * (PS_US / 1000))
        MCU_VIOLATION(mcu, "twi: SCL is faster than 400 kHz: %u kHz",
                      (unsigned)(PS_S / 1000 / scl_period(mcu)));
    if (value & TWSTO) {
        board_twi_stop(mcu->board);
        mcu->twi_bus = BUS_FREE;
        end_twi(mcu, NO_STATUS, 1);
    } else if (value & TWSTA) {
        if (!board_twi_is_free(mcu->board))
            return; /* waits for the bus */
        end_twi(mcu, mcu->twi_bus == BUS_FREE ? 0x08 : 0x10, 1);
        board_twi_start(mcu->board);
        mcu->twi_bus = BUS_STARTED;
    } else if (mcu->twi_bus == BUS_RECEIVING) {
        mcu->data[TWDR] = board_twi_read(mcu->board);
        end_twi(mcu, value & TWEA ? 0x50 : 0x58, 9);
    } else if (mcu->twi_bus == BUS_FREE) {
        MCU_VIOLATION(mcu, "mcu: continues a TWI transfer that has not begun");
    } else {
        send_twi(mcu);
    }
}

static void twi_done(struct mcu *mcu)
{
    if (mcu->data[TWCR] & TWSTO) {
        mcu->data[TWCR] &= (uint8_t)~TWSTO;
        return; /* a stop does not set TWINT */
    }
    mcu->data[TWCR] |= TWINT;
}

/* --- USART --- */

ps mcu_usart_byte_time(const struct mcu *mcu)
{
    unsigned divisor = (unsigned)(mcu->data[UBRR0L] | mcu->data[UBRR0H] << 8) + 1;
    return 10 * divisor * (mcu->data[UCSR0A] & U2X ? 8 : 16) * mcu->period;
}

static void send_usart(struct mcu *mcu, uint8_t byte)
{
    check_power(mcu, PRUSART0, "USART");
    if (!(mcu->data[UCSR0B] & TXEN)) {
        MCU_VIOLATION(mcu, "mcu: writes UDR0 without TXEN");
        return;
    }
    if (!(mcu->data[UCSR0A] & UDRE)) {
        MCU_VIOLATION(mcu, "mcu: writes UDR0 while it is full");
        return;
    }
    if (mcu->data[UCSR0C] != 6)
        MCU_VIOLATION(mcu, "mcu: the USART's format is not 8N1");
    mcu->usart_tx[mcu->usart_tx_count++] = byte;
    if (mcu->usart_tx_count == 2)
        mcu->data[UCSR0A] &= (uint8_t)~UDRE;
    else
        mcu_schedule(mcu, EVENT_USART_TX, mcu->now + mcu_usart_byte_time(mcu));
}

static void usart_sent(struct mcu *mcu)
{
    board_usart_sent(mcu->board, mcu->usart_tx[0]);
    mcu->usart_tx[0] = mcu->usart_tx[1];
    mcu->data[UCSR0A] |= UDRE;
    if (--mcu->usart_tx_count)
        mcu_schedule(mcu, EVENT_USART_TX, mcu->now + mcu_usart_byte_time(mcu));
    else
        mcu->data[UCSR0A] |= TXC;
}

/* Two bytes wait in the FIFO and one in the shift register; another one is an overrun. */
void mcu_receive(struct mcu *mcu, uint8_t byte)
{
    if (mcu->state == MCU_OFF || mcu->state == MCU_RESET || !(mcu->data[UCSR0B] & RXEN))
        return;
    if (mcu->usart_rx_count == 3) {
        mcu->data[UCSR0A] |= DOR;
        MCU_VIOLATION(mcu, "mcu: the USART's receiver overruns");
        return;
    }
    mcu->usart_rx[mcu->usart_rx_count++] = byte;
    mcu->data[UCSR0A] |= RXC;
}

static uint8_t read_udr(struct mcu *mcu)
{
    uint8_t byte = mcu->usart_rx[0];
    if (!mcu->usart_rx_count) {
        MCU_VIOLATION(mcu, "mcu: reads UDR0 while it is empty");
        return byte;
    }
    mcu->usart_rx[0] = mcu->usart_rx[1];
    mcu->usart_rx[1] = mcu->usart_rx[2];
    if (--mcu->usart_rx_count == 0)
        mcu->data[UCSR0A] &= (uint8_t)~RXC;
    mcu->data[UCSR0A] &= (uint8_t)~DOR;
    mcu_update_interrupts(mcu);
    return byte;
}

/* --- all --- */

void mcu_serial_reset(struct mcu *mcu)
{
    mcu_schedule(mcu, EVENT_SPI, PS_NEVER);
    mcu_schedule(mcu, EVENT_TWI, PS_NEVER);
    mcu_schedule(mcu, EVENT_USART_TX, PS_NEVER);
    mcu->data[TWSR] = 0;
    mcu->twi_status = NO_STATUS;
    mcu->data[TWDR] = 0xFF;
    mcu->data[TWAR] = 0xFE;
    mcu->data[UCSR0A] = UDRE;
    mcu->data[UCSR0C] = 6;
    mcu->usart_tx_count = mcu->usart_rx_count = 0;
    mcu->spi_flag_read = false;
    if (mcu->twi_bus != BUS_FREE)
        board_twi_abandoned(mcu->board);
    mcu->twi_bus = BUS_FREE;
}

bool mcu_serial_read(struct mcu *mcu, uint16_t at, uint8_t *value)
{
    switch (at) {
    case SPSR:
        mcu->spi_flag_read = *value & SPIF;
        return true;
    case SPDR:
        if (mcu->due[EVENT_SPI] != PS_NEVER)
            MCU_VIOLATION(mcu, "mcu: reads SPDR during a transfer");
        if (mcu->spi_flag_read)
            mcu->data[SPSR] &= (uint8_t)~SPIF;
        return true;
    case TWSR: *value = (uint8_t)(mcu->twi_status | (mcu->data[TWSR] & 3)); return true;
    case UDR0: *value = read_udr(mcu); return true;
    default: return false;
    }
}

bool mcu_serial_write(struct mcu *mcu, uint16_t at, uint8_t value)
{
    switch (at) {
    case SPSR: mcu->data[SPSR] = (uint8_t)((mcu->data[SPSR] & SPIF) | (value & SPI2X)); return true;
    case SPDR: send_spi(mcu, value); return true;
    case TWCR: write_twcr(mcu, value); return true;
    case TWDR:
        if (!(mcu->data[TWCR] & TWINT))
            MCU_VIOLATION(mcu, "mcu: writes TWDR while the TWI is busy");
        mcu->data[TWDR] = value;
        return true;
    case UDR0: send_usart(mcu, value); return true;
    case UCSR0A:
        mcu->data[at] = (uint8_t)((mcu->data[at] & ~(U2X | (value & TXC))) | (value & U2X));
        return true;
    default: return false;
    }
}

void mcu_serial_event(struct mcu *mcu, enum mcu_event event)
{
    if (event == EVENT_SPI) {
        mcu->data[SPSR] |= SPIF;
        mcu->data[SPDR] = mcu->spi_in;
        mcu->spi_flag_read = false;
    } else if (event == EVENT_TWI) {
        twi_done(mcu);
    } else if (event == EVENT_USART_TX) {
        usart_sent(mcu);
    } else {
        board_usart_receives(mcu->board);
    }
}
