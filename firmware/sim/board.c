#include "board.h"

#include "../common/eeprom_layout.h"
#include "atmega328p.h"
#include "board_wiring.h"
#include "eeprom_picture.h"

#include <string.h>

#define DIE_MHZ 8
#define HUB_MHZ 16
#define HUB_SUPPLY_MV 5000
#define CELL_FULL_MV 3900
#define REGULATOR_MV 3300
#define DROPOUT_MV 150 /* MCP1700 at these currents */
#define BROWN_OUT_MV 2700
#define REGULATOR_UA 1.6 /* its own current */
#define DIVIDER_MOHM 1.22
#define LAMP_UA 1300.0 /* 3.3 V less 2 V through 1 kOhm */
#define HUB_ID 0x51B0
#define PAIRING 0xC0FFEE

bool board_is_die(const struct board *board)
{
    return board->number > 0;
}

static const struct board_wiring *wiring(const struct board *board)
{
    return board_is_die(board) ? &board_wiring_die : &board_wiring_hub;
}

static uint8_t spi(void *context, uint64_t now_ns, uint8_t mosi)
{
    struct board *board = context;
    return nrf24_chip_exchange(&board->radio, now_ns, mosi);
}

static bool twi_start(void *context, uint64_t now_ns, uint8_t byte)
{
    struct board *board = context;
    return board_is_die(board) && lis3dh_chip_start(&board->specimen.accel, now_ns, byte);
}

static bool twi_write(void *context, uint64_t now_ns, uint8_t byte)
{
    struct board *board = context;
    return lis3dh_chip_write(&board->specimen.accel, now_ns, byte);
}

static uint8_t twi_read(void *context, uint64_t now_ns)
{
    struct board *board = context;
    return lis3dh_chip_read(&board->specimen.accel, now_ns);
}

static void twi_stop(void *context, uint64_t now_ns)
{
    struct board *board = context;
    (void)now_ns;
    lis3dh_chip_stop(&board->specimen.accel);
}

static void uart(void *context, uint64_t now_ns, uint8_t byte)
{
    struct board *board = context;
    (void)now_ns;
    if (board->serial)
        board->serial(board->serial_context, byte);
}

static void port(void *context, uint64_t now_ns, char name, uint8_t levels)
{
    struct board *board = context;
    if (name == 'B') {
        nrf24_chip_csn(&board->radio, now_ns, levels >> wiring(board)->csn & 1);
        nrf24_chip_ce(&board->radio, now_ns, levels >> wiring(board)->ce & 1);
    }
    if (name == 'D') {
        bool on = levels >> wiring(board)->led & 1;
        if (on != board_lamp_is_on(board))
            meter_enter(&board->lamp, now_ns, on, on ? LAMP_UA : 0);
    }
}

static void radio_irq(void *context, uint64_t now_ns, bool high)
{
    struct board *board = context;
    core_pins_drive(&board->core, now_ns, 'D', wiring(board)->radio_irq, high);
}

static void radio_transmit(void *context, uint64_t now_ns, uint64_t until_ns,
                           const struct nrf24_chip_packet *packet)
{
    struct board *board = context;
    air_transmit(board->air, board->air_number, now_ns, until_ns, packet);
}

static void accel_int1(void *context, uint64_t now_ns, bool high)
{
    struct board *board = context;
    bool level = high || board->int1_shorted;
    core_pins_drive(&board->core, now_ns, 'D', wiring(board)->accel_int, level);
}

void board_short_int1(struct board *board, uint64_t now_ns, bool shorted)
{
    board->int1_shorted = shorted;
    accel_int1(board, now_ns, board->specimen.accel.int1_high);
}

/* Levels that nothing drives: pull-ups of the bus, CSN and IRQ high, CE and INT1 low. */
static void tie_pins(struct board *board)
{
    board->core.pins.idle[0] = (uint8_t)(1 << wiring(board)->csn);
    radio_irq(board, 0, true);
    if (!board_is_die(board))
        return;
    core_pins_drive(&board->core, 0, 'C', wiring(board)->sda, true);
    core_pins_drive(&board->core, 0, 'C', wiring(board)->scl, true);
    accel_int1(board, 0, false);
}

static void write_eeprom(struct board *board, const struct board_options *options)
{
    struct eeprom_identity identity = {
        .role = board_is_die(board) ? EEPROM_ROLE_DIE : EEPROM_ROLE_HUB,
        .number = options->flashed_as,
        .set = options->set,
        .kind = board->kind,
        .hub_id = board_is_die(board) ? 0 : HUB_ID,
        .reference_mv = board->reference_mv,
    };
    eeprom_put_identity(board->core.eeprom.byte, &identity);
    if (options->key)
        eeprom_put_key(board->core.eeprom.byte, options->key, board_is_die(board) ? 0 : PAIRING);
    if (board_is_die(board) && options->calibrated)
        eeprom_put_calibration(board->core.eeprom.byte, &board->specimen);
}

bool board_begin(struct board *board, const struct board_options *options, struct air *air)
{
    static const struct core_wires wires = {.spi = spi,
                                            .twi_start = twi_start,
                                            .twi_write = twi_write,
                                            .twi_read = twi_read,
                                            .twi_stop = twi_stop,
                                            .uart = uart,
                                            .port = port};
    struct chance chance;
    uint64_t seed = options->seed + (uint64_t)options->number * 1000003;
    chance_seed(&chance, seed, 7);
    int kind = options->body ? options->body->faces : 0;
    *board = (struct board){.air = air, .number = options->number, .kind = kind};
    board->cell_mv = CELL_FULL_MV;
    board->reference_mv = (int)chance_between(&chance, 1045, 1155); /* data sheet 33.6, Vint */
    struct core_wires mine = wires;
    mine.context = board;
    int mhz = board_is_die(board) ? DIE_MHZ : HUB_MHZ;
    if (!core_begin(&board->core, options->image, (uint32_t)mhz, &mine, seed))
        return false;
    struct nrf24_chip_links links = {radio_transmit, radio_irq, board};
    nrf24_chip_begin(&board->radio, &links);
    board->air_number = air_add(air, &board->radio);
    if (board_is_die(board))
        specimen_begin(&board->specimen, options->body, seed, 1 + chance_below(&chance, board->kind),
                       accel_int1, board);
    tie_pins(board);
    write_eeprom(board, options);
    return true;
}

static uint32_t supply_mv(const struct board *board)
{
    if (!board_is_die(board))
        return HUB_SUPPLY_MV;
    uint32_t left = board->cell_mv > DROPOUT_MV ? board->cell_mv - DROPOUT_MV : 0;
    return left < REGULATOR_MV ? left : REGULATOR_MV;
}

/* simavr assumes a reference of exactly 1.1 V; this chip's differs by its tolerance. */
static void show_supply(struct board *board)
{
    core_set_supply(&board->core, supply_mv(board));
    if (!board_is_die(board))
        return;
    uint64_t pin_mv = board->cell_mv * 1000ull / wiring(board)->divider_permille;
    core_set_adc(&board->core, wiring(board)->battery_adc,
                 (uint32_t)(pin_mv * 1100 / (unsigned)board->reference_mv));
}

static void power_chips(struct board *board, uint64_t now_ns, bool on)
{
    nrf24_chip_power(&board->radio, now_ns, on);
    if (board_is_die(board))
        lis3dh_chip_power(&board->specimen.accel, now_ns, on);
}

static void start(struct board *board, uint64_t now_ns, uint8_t cause)
{
    power_chips(board, now_ns, true);
    core_reset(&board->core, now_ns, cause);
    show_supply(board);
}

void board_power(struct board *board, uint64_t now_ns, bool on)
{
    core_power_off(&board->core, now_ns);
    power_chips(board, now_ns, false);
    if (on && supply_mv(board) >= BROWN_OUT_MV)
        start(board, now_ns, MCUSR_PORF);
}

void board_exchange_chip(struct board *board, uint64_t now_ns)
{
    uint8_t identity[EEPROM_IDENTITY_BYTES], key[EEPROM_KEY_BYTES];
    uint8_t *eeprom = board->core.eeprom.byte;
    memcpy(identity, eeprom + EEPROM_IDENTITY_AT, sizeof identity);
    memcpy(key, eeprom + EEPROM_KEY_AT, sizeof key);
    board_power(board, now_ns, false);
    memset(eeprom, 0xFF, sizeof board->core.eeprom.byte);
    memcpy(eeprom + EEPROM_IDENTITY_AT, identity, sizeof identity);
    memcpy(eeprom + EEPROM_KEY_AT, key, sizeof key);
    board_power(board, now_ns, true);
}

void board_set_cell(struct board *board, uint64_t now_ns, uint32_t millivolts)
{
    board->cell_mv = millivolts;
    bool enough = supply_mv(board) >= BROWN_OUT_MV;
    if (board->core.state == CORE_OFF && enough) {
        start(board, now_ns, MCUSR_BORF);
    } else if (board->core.state != CORE_OFF && !enough) {
        core_power_off(&board->core, now_ns);
        power_chips(board, now_ns, false);
    }
    show_supply(board);
}

static uint64_t sooner(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

uint64_t board_due(const struct board *board)
{
    uint64_t due = sooner(core_due(&board->core), nrf24_chip_due(&board->radio));
    return board_is_die(board) ? sooner(due, lis3dh_chip_due(&board->specimen.accel)) : due;
}

void board_run(struct board *board, uint64_t until_ns)
{
    core_run(&board->core, until_ns);
}

void board_advance(struct board *board, uint64_t now_ns)
{
    nrf24_chip_advance(&board->radio, now_ns);
    if (board_is_die(board))
        lis3dh_chip_advance(&board->specimen.accel, now_ns);
    core_advance(&board->core, now_ns);
}

bool board_lamp_is_on(const struct board *board)
{
    return board->lamp.state;
}

struct board_charge board_charge(struct board *board, uint64_t now_ns)
{
    struct meter *meters[] = {&board->core.meter, &board->core.twi.meter, &board->radio.meter,
                              &board->specimen.accel.meter, &board->lamp};
    for (unsigned i = 0; i < sizeof meters / sizeof meters[0]; i++)
        if (meters[i]->since_ns <= now_ns)
            meter_read(meters[i], now_ns);
    double constant = REGULATOR_UA + board->cell_mv * 1e-3 / DIVIDER_MOHM;
    return (struct board_charge){
        .processor = board->core.meter.microcoulombs + board->core.twi.meter.microcoulombs,
        .accel = board->specimen.accel.meter.microcoulombs,
        .radio = board->radio.meter.microcoulombs,
        .lamp = board->lamp.microcoulombs,
        .rest = constant * (double)now_ns * 1e-9,
    };
}
