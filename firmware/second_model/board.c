#include "board.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PORT_B, PORT_C, PORT_D };
enum {
    CSN_BIT = 2, CE_BIT = 1, MISO_BIT = 4,        /* port B */
    BATTERY_BIT = 0, SDA_BIT = 4, SCL_BIT = 5,    /* port C */
    DIE_INT1_BIT = 2, DIE_IRQ_BIT = 3, HUB_RXD_BIT = 0, HUB_IRQ_BIT = 2, LAMP_BIT = 6, /* D */
    TWEN = 4, ADEN = 0x80, ACD = 0x80,
    HOST_BYTE_PS = 86805556, /* ten bits at 115200 */
};

void board_begin(struct board *b, bool is_hub, uint64_t seed, const struct tolerances *given,
                 struct air *air)
{
    memset(b, 0, sizeof *b);
    b->is_hub = is_hub;
    b->chance.state = seed;
    struct mcu *mcu = &b->mcu;
    struct chance *chance = &b->chance;
    double clock = is_hub ? chance_between(chance, 0.995, 1.005) : chance_between(chance, 0.9, 1.1);
    double watchdog = chance_between(chance, 0.9, 1.1);
    double rate = chance_between(chance, 0.9, 1.1);
    clock = given->clock > 0 && !is_hub ? given->clock : clock;
    *mcu = (struct mcu){.board = b, .violations = &b->violations, .chance = chance,
                        .state = MCU_OFF, .soonest = PS_NEVER};
    for (int i = 0; i < EVENT_COUNT; i++)
        mcu->due[i] = PS_NEVER;
    memset(mcu->flash, 0xFF, sizeof mcu->flash);
    memset(mcu->eeprom, 0xFF, sizeof mcu->eeprom);
    mcu->period = (ps)((double)(is_hub ? 62500 : 125000) / clock);
    mcu->watchdog_rate = given->watchdog > 0 ? given->watchdog : watchdog;
    /* 65 ms by the watchdog's oscillator; a fast one leaves the parts the least time. */
    mcu->start_delay = (ps)((double)(65 * PS_MS) / mcu->watchdog_rate);
    mcu->wake_delay = 6 * mcu->period + 60 * PS_US;
    mcu->brown_out_mv = (int)chance_between(chance, 2500, 2900);
    mcu->reference_mv = chance_between(chance, 1000, 1200);
    mcu->reference_tau = 20 * PS_US;
    mcu->reference_on = PS_NEVER;
    b->sensor = (struct sensor){.violations = &b->violations, .chance = chance, .due = PS_NEVER,
                                .rate = given->rate > 0 ? given->rate : rate,
                                .watermark_above = chance_bits(chance) & 1};
    for (int i = 0; i < 3; i++)
        b->sensor.offset_mg[i] = chance_between(chance, -40, 40);
    b->radio = (struct radio){.violations = &b->violations, .chance = chance, .air = air,
                              .number = air->radios, .due = PS_NEVER,
                              .remembers_pipes = chance_bits(chance) & 1};
    air->radio[air->radios++] = &b->radio;
}

bool board_load(struct board *b, const char *path, bool eeprom)
{
    char line[600];
    FILE *file = fopen(path, "r");
    if (!file)
        return false;
    bool complete = false;
    while (fgets(line, sizeof line, file)) {
        unsigned size, at, type, byte;
        if (sscanf(line, ":%2x%4x%2x", &size, &at, &type) != 3)
            continue;
        complete |= type == 1;
        for (unsigned i = 0; type == 0 && i < size; i++, at++) {
            if (sscanf(line + 9 + 2 * i, "%2x", &byte) != 1)
                byte = 0xFF;
            if (eeprom)
                b->mcu.eeprom[at % MCU_EEPROM_BYTES] = (uint8_t)byte;
            else {
                uint16_t *word = &b->mcu.flash[at / 2 % MCU_FLASH_WORDS];
                *word = at & 1 ? (uint16_t)((*word & 0xFF) | byte << 8)
                               : (uint16_t)((*word & 0xFF00) | byte);
            }
        }
    }
    fclose(file);
    return complete;
}

/* --- lines --- */

/* Passes on what the chips' lines and due times have become. */
static void refresh(struct board *b)
{
    bool int1 = b->int1_stuck || sensor_int1(&b->sensor);
    bool irq = radio_irq(&b->radio);
    if (int1 != b->int1) {
        b->int1 = int1;
        mcu_pin_changed(&b->mcu, DIE_INT1_BIT);
    }
    if (irq != b->irq) {
        b->irq = irq;
        mcu_pin_changed(&b->mcu, b->is_hub ? HUB_IRQ_BIT : DIE_IRQ_BIT);
    }
    mcu_schedule(&b->mcu, EVENT_SENSOR, b->sensor.due);
    mcu_schedule(&b->mcu, EVENT_RADIO, b->radio.due);
}

/* Returns the level of an input by what is connected: 0 or 1, or -1 if nothing drives it. */
static int driven(const struct board *b, int port, int bit)
{
    if (port == PORT_B && bit == MISO_BIT)
        return b->radio.selected ? 0 : -1;
    if (b->is_hub) {
        if (port == PORT_D && bit == HUB_IRQ_BIT)
            return !b->irq;
        return port == PORT_D && bit == HUB_RXD_BIT ? 1 : -1;
    }
    if (port == PORT_D && bit == DIE_INT1_BIT)
        return b->int1;
    if (port == PORT_D && bit == DIE_IRQ_BIT)
        return !b->irq;
    if (port == PORT_C && bit == SDA_BIT)
        return !sensor_holds_sda(&b->sensor);
    if (port == PORT_C && bit == SCL_BIT)
        return 1;
    return -1;
}

uint8_t board_read_port(struct board *b, int port, uint8_t directions, uint8_t outputs)
{
    uint8_t value = 0;
    for (int bit = 0; bit < 8; bit++) {
        int level = directions & 1 << bit ? -1 : driven(b, port, bit);
        if (level < 0 && !(directions & 1 << bit) && !(outputs & 1 << bit))
            level = (int)(chance_bits(&b->chance) & 1); /* it floats */
        if (level < 0)
            level = outputs >> bit & 1;
        value |= (uint8_t)(level << bit);
    }
    return value;
}

/* Returns an output's level, or that of its pull-up. */
static bool level_of(const struct board *b, uint16_t port, int bit)
{
    return b->mcu.data[port] & 1 << bit;
}

void board_outputs_changed(struct board *b)
{
    const uint8_t *r = b->mcu.data;
    ps now = b->mcu.now;
    if (r[DDRB] & 1 << CE_BIT || !b->csn_floats)
        radio_enable(&b->radio, now, r[DDRB] & 1 << CE_BIT && level_of(b, PORTB, CE_BIT));
    if (r[DDRB] & 1 << CSN_BIT) {
        b->radio.quiet = false;
        radio_select(&b->radio, now, !level_of(b, PORTB, CSN_BIT));
    }
    b->lamp = r[DDRD] & 1 << LAMP_BIT && level_of(b, PORTD, LAMP_BIT);
    bool scl_low = !b->is_hub && !(r[TWCR] & TWEN) && r[DDRC] & 1 << SCL_BIT &&
                   !level_of(b, PORTC, SCL_BIT);
    if (b->scl_low && !scl_low)
        sensor_clock(&b->sensor);
    b->scl_low = scl_low;
    refresh(b);
}

void board_mcu_reset(struct board *b)
{
    b->radio.quiet = true;
    if (b->csn_floats && b->radio.powered) {
        radio_scramble(&b->radio);
        radio_enable(&b->radio, b->mcu.now, chance_bits(&b->chance) & 1);
    } else {
        radio_select(&b->radio, b->mcu.now, false);
        radio_enable(&b->radio, b->mcu.now, false);
    }
    b->lamp = b->scl_low = false;
    refresh(b);
}

/* --- supply --- */

void board_supply(struct board *b, int mv)
{
    enum { REGULATED_MV = 3300, DROP_MV = 20, CHIPS_MV = 1900 };
    int supply = b->is_hub || mv - DROP_MV < REGULATED_MV ? mv : REGULATED_MV;
    b->cell_mv = mv;
    radio_power(&b->radio, b->mcu.now, supply >= CHIPS_MV);
    sensor_power(&b->sensor, b->mcu.now, !b->is_hub && supply >= CHIPS_MV);
    mcu_power(&b->mcu, supply);
    refresh(b);
}

double board_analog(struct board *b, int channel)
{
    if (channel != BATTERY_BIT || b->is_hub) {
        violation(&b->violations, b->mcu.now, "board: nothing is connected to ADC%d", channel);
        return chance_between(&b->chance, 0, 1000);
    }
    return b->cell_mv * 220.0 / 1220.0;
}

/* Typical currents at 3.3 V and 8 MHz (ATmega328P, figures 33-1 to 33-9), a regulator MCP1700, and
 * the divider of the cell. The hub's is not computed. */
void board_elapsed(struct board *b, enum mcu_state state, ps time)
{
    double s = (double)time / (double)PS_S;
    const uint8_t *r = b->mcu.data;
    double ua = 0;
    if (b->is_hub)
        return;
    switch (state) {
    case MCU_OFF: break;
    case MCU_IDLE: ua = 800; break;
    case MCU_POWER_DOWN: case MCU_WAKING:
        ua = 0.1 + (r[WDTCSR] & 0x48 ? 4.1 : 0) + (b->mcu.bod_off_in_sleep ? 0 : 20);
        ua += b->mcu.due[EVENT_EEPROM] != PS_NEVER ? 3400 : 0;
        break;
    default: ua = 3400; break;
    }
    ua += r[ADCSRA] & ADEN ? 250 : 0;
    ua += b->lamp ? 1300 : 0;
    b->charge_uc[0] += ua * s;
    b->charge_uc[1] += sensor_current_ua(&b->sensor) * s;
    b->charge_uc[2] += radio_current_ua(&b->radio) * s;
    b->charge_uc[3] += (1.6 + b->cell_mv / 1220.0) * s;
}

void board_check_power_down(struct board *b)
{
    static const char names[] = "BCD";
    const uint8_t *r = b->mcu.data;
    ps now = b->mcu.now;
    struct violations *all = &b->violations;
    if (b->int1 && r[PCMSK2] & 1 << DIE_INT1_BIT && !(r[PCIFR] & 4))
        violation(all, now, "board: powers down while INT1 is high, so it cannot wake");
    if (b->radio.state != RADIO_DOWN)
        violation(all, now, "board: powers down while the radio is on");
    if (r[ADCSRA] & ADEN)
        violation(all, now, "board: powers down with the ADC on");
    if (!b->mcu.bod_off_in_sleep)
        violation(all, now, "board: powers down with the brown-out detector on");
    if (b->mcu.due[EVENT_TWI] != PS_NEVER || b->mcu.due[EVENT_SPI] != PS_NEVER)
        violation(all, now, "board: powers down during a transfer");
    if (!(r[WDTCSR] & 0x48))
        violation(all, now, "board: powers down without a watchdog");
    for (int port = 0; port < 3; port++) {
        uint8_t held = r[DDRB + 3 * port] | r[PORTB + 3 * port];
        for (int bit = 0; bit < 8; bit++) {
            bool reset_or_analog = port == PORT_C && (bit >= 6 || (bit == 0 && r[DIDR0] & 1));
            if (!(held & 1 << bit) && driven(b, port, bit) < 0 && !reset_or_analog)
                violation(all, now, "board: input P%c%d floats", names[port], bit);
        }
    }
}

/* --- chips --- */

void board_event(struct board *b, enum mcu_event event, ps at)
{
    if (event == EVENT_RADIO) {
        radio_event(&b->radio, at);
    } else {
        double mg[3];
        motion_at(&b->motion, at, mg);
        sensor_sample(&b->sensor, at, mg);
    }
    refresh(b);
}

static uint8_t reversed(uint8_t byte)
{
    uint8_t result = 0;
    for (int i = 0; i < 8; i++)
        result |= (uint8_t)((byte >> i & 1) << (7 - i));
    return result;
}

/* In another mode than 0, bits are shifted out or in by the wrong edge. */
uint8_t board_spi(struct board *b, uint8_t byte, int mode, bool low_bit_first, ps bit)
{
    if (mode || low_bit_first)
        violation(&b->violations, b->mcu.now, "spi: the radio needs mode 0, the highest bit first");
    if (bit < 100000)
        violation(&b->violations, b->mcu.now, "spi: SCK is faster than 10 MHz");
    byte = low_bit_first ? reversed(byte) : byte;
    if (mode)
        byte = (uint8_t)(byte >> 1 | (chance_bits(&b->chance) & 0x80));
    uint8_t answer = radio_transfer(&b->radio, b->mcu.now, byte);
    if (mode)
        answer = (uint8_t)(answer << 1 | (chance_bits(&b->chance) & 1));
    refresh(b);
    return low_bit_first ? reversed(answer) : answer;
}

void board_twi_start(struct board *b)
{
    b->sensor.addressed = false;
}

bool board_twi_is_free(const struct board *b)
{
    return !sensor_holds_sda(&b->sensor);
}

bool board_twi_address(struct board *b, uint8_t byte)
{
    return !b->is_hub && sensor_address(&b->sensor, b->mcu.now, byte);
}

bool board_twi_write(struct board *b, uint8_t byte)
{
    bool acknowledged = sensor_write(&b->sensor, b->mcu.now, byte);
    refresh(b);
    return acknowledged;
}

uint8_t board_twi_read(struct board *b)
{
    uint8_t byte = sensor_read(&b->sensor, b->mcu.now);
    refresh(b);
    return byte;
}

void board_twi_stop(struct board *b)
{
    sensor_stop(&b->sensor);
}

void board_twi_abandoned(struct board *b)
{
    sensor_abandon(&b->sensor);
}

/* --- the hub's serial line --- */

void board_usart_sent(struct board *b, uint8_t byte)
{
    ps ten_bits = mcu_usart_byte_time(&b->mcu);
    if (ten_bits > HOST_BYTE_PS / 100 * 103 || ten_bits < HOST_BYTE_PS / 100 * 97)
        violation(&b->violations, b->mcu.now, "usart: the bit rate is more than 3 %% off");
    if (b->from_mcu_count < HOST_BYTES)
        b->from_mcu[b->from_mcu_count++] = byte;
}

void board_host_sends(struct board *b, uint8_t byte)
{
    if (b->to_mcu_count == HOST_BYTES)
        return;
    b->to_mcu[b->to_mcu_count++] = byte;
    if (b->mcu.due[EVENT_USART_RX] == PS_NEVER)
        mcu_schedule(&b->mcu, EVENT_USART_RX, b->mcu.now + HOST_BYTE_PS);
}

void board_usart_receives(struct board *b)
{
    if (!b->to_mcu_count)
        return;
    mcu_receive(&b->mcu, b->to_mcu[0]);
    memmove(b->to_mcu, b->to_mcu + 1, (size_t)--b->to_mcu_count);
    if (b->to_mcu_count)
        mcu_schedule(&b->mcu, EVENT_USART_RX, b->mcu.now + HOST_BYTE_PS);
}
