#include "lis3dh_chip.h"

#include <string.h>

#define I2C_ADDRESS 0x18 /* SA0 to ground */
#define WHO_AM_I 0x33
#define BOOT_NS 5000000 /* AN3308 2.1: the boot takes about 5 ms, without responses until then */

/* The current of the pull-up at SDO/SA0, some 30 kOhm, to ground, until CTRL_REG0 disconnects it
 * (data sheet 8.7). */
#define ADDRESS_PULL_UP_UA 110.0
#define SDO_PU_DISC 0x80

#define FIFO_EN 0x40
#define WTM 0x80
#define OVRN 0x40
#define EMPTY 0x20

/* By ODR3..0; 8 exists in low power only, and 9 is faster there. */
static const double rate_hz[16] = {0, 1, 10, 25, 50, 100, 200, 400, 1620, 1344};

/* Supply currents, data sheet table 12, microamperes: low power, normal, high resolution. */
static const double rate_microamps[10][3] = {
    {0.5, 0.5, 0.5}, {2, 2, 2},    {3, 4, 4},    {4, 6, 6},   {6, 11, 11},
    {10, 20, 20},    {18, 38, 38}, {36, 73, 73}, {100, 0, 0}, {185, 185, 185},
};

enum lis3dh_chip_state lis3dh_chip_mode(const struct lis3dh_chip *chip)
{
    if (chip->powered_ns == UINT64_MAX)
        return ACCEL_UNPOWERED;
    if (chip->value[ACCEL_CTRL_REG1] >> 4 == 0)
        return ACCEL_DOWN;
    if ((chip->value[ACCEL_CTRL_REG1] & 0x08) || chip->asleep)
        return ACCEL_LOW;
    return chip->value[ACCEL_CTRL_REG4] & 0x08 ? ACCEL_FINE : ACCEL_NORMAL;
}

/* The effective ODR3..0: sleep-to-wake has its own 10 Hz. */
static int rate_code(const struct lis3dh_chip *chip)
{
    int code = chip->value[ACCEL_CTRL_REG1] >> 4;
    if (chip->asleep && code > 2)
        code = 2;
    return code > 9 ? 9 : code;
}

double lis3dh_chip_rate_hz(const struct lis3dh_chip *chip)
{
    int code = rate_code(chip);
    if (code == 9 && lis3dh_chip_mode(chip) == ACCEL_LOW)
        return 5376 * chip->part.rate;
    return rate_hz[code] * chip->part.rate;
}

double lis3dh_chip_full_scale_g(const struct lis3dh_chip *chip)
{
    return 2 << ((chip->value[ACCEL_CTRL_REG4] >> 4) & 3);
}

static void account(struct lis3dh_chip *chip, uint64_t now_ns)
{
    enum lis3dh_chip_state mode = lis3dh_chip_mode(chip);
    double microamps = 0;
    if (mode == ACCEL_DOWN)
        microamps = rate_microamps[0][0];
    else if (mode != ACCEL_UNPOWERED)
        microamps = rate_microamps[rate_code(chip)][mode - ACCEL_LOW];
    if (mode != ACCEL_UNPOWERED && !(chip->value[ACCEL_CTRL_REG0] & SDO_PU_DISC))
        microamps += ADDRESS_PULL_UP_UA;
    meter_enter(&chip->meter, now_ns, mode, microamps);
}

/* After a change of mode or rate the first sample needs the turn-on time (data sheet table 10). */
static void begin_sampling(struct lis3dh_chip *chip, uint64_t now_ns)
{
    enum lis3dh_chip_state mode = lis3dh_chip_mode(chip);
    account(chip, now_ns);
    chip->smooth_known = false;
    if (mode < ACCEL_LOW) {
        chip->sample_ns = UINT64_MAX;
        return;
    }
    double period = 1e9 / lis3dh_chip_rate_hz(chip);
    double turn_on = mode == ACCEL_FINE ? 7 * period : mode == ACCEL_NORMAL ? 1.6e6 : 1.0e6;
    chip->sample_ns = now_ns + (uint64_t)(turn_on > period ? turn_on : period);
}

static void reset_registers(struct lis3dh_chip *chip)
{
    memset(chip->value, 0, sizeof chip->value);
    chip->value[ACCEL_WHO_AM_I] = WHO_AM_I;
    chip->value[ACCEL_CTRL_REG0] = 0x10;
    chip->value[ACCEL_CTRL_REG1] = 0x07;
    chip->value[ACCEL_FIFO_SRC] = EMPTY;
    memset(chip->generator, 0, sizeof chip->generator);
    chip->fifo_count = chip->fifo_first = chip->quiet = 0;
    chip->fifo_stopped = chip->overrun = chip->held = chip->asleep = false;
}

void lis3dh_chip_begin(struct lis3dh_chip *chip, const struct lis3dh_chip_part *part,
                       lis3dh_chip_source *source, lis3dh_chip_int1 *int1, void *source_context,
                       void *int1_context, uint64_t seed)
{
    *chip = (struct lis3dh_chip){.part = *part,
                                 .source = source,
                                 .source_context = source_context,
                                 .int1 = int1,
                                 .int1_context = int1_context};
    chip->powered_ns = chip->sample_ns = UINT64_MAX;
    chance_seed(&chip->chance, seed, 2);
    reset_registers(chip);
}

void lis3dh_chip_power(struct lis3dh_chip *chip, uint64_t now_ns, bool on)
{
    reset_registers(chip);
    chip->powered_ns = on ? now_ns : UINT64_MAX;
    chip->addressed = false;
    begin_sampling(chip, now_ns);
    lis3dh_chip_drive_int1(chip, now_ns);
}

uint64_t lis3dh_chip_due(const struct lis3dh_chip *chip)
{
    return chip->sample_ns;
}

void lis3dh_chip_advance(struct lis3dh_chip *chip, uint64_t now_ns)
{
    while (chip->sample_ns <= now_ns) {
        uint64_t at_ns = chip->sample_ns;
        bool slept = chip->asleep;
        lis3dh_chip_sample(chip);
        if (slept != chip->asleep)
            begin_sampling(chip, at_ns);
        else
            chip->sample_ns = at_ns + (uint64_t)(1e9 / lis3dh_chip_rate_hz(chip));
        lis3dh_chip_drive_int1(chip, at_ns);
    }
}

static uint8_t fifo_source(const struct lis3dh_chip *chip)
{
    int above = chip->value[ACCEL_FIFO_CTRL] & 0x1F;
    int unread = chip->fifo_count > 31 ? 31 : chip->fifo_count;
    return (uint8_t)((chip->fifo_count > above ? WTM : 0) | (chip->fifo_count > 31 ? OVRN : 0) |
                     (chip->fifo_count == 0 ? EMPTY : 0) | unread);
}

static bool uses_fifo(const struct lis3dh_chip *chip)
{
    return (chip->value[ACCEL_CTRL_REG5] & FIFO_EN) && chip->value[ACCEL_FIFO_CTRL] >> 6;
}

void lis3dh_chip_drive_int1(struct lis3dh_chip *chip, uint64_t now_ns)
{
    uint8_t chosen = chip->value[ACCEL_CTRL_REG3];
    uint8_t fifo = uses_fifo(chip) ? fifo_source(chip) : 0;
    bool active = ((chosen & 0x40) && (chip->generator[0].source & 0x40)) ||
                  ((chosen & 0x20) && (chip->generator[1].source & 0x40)) ||
                  ((chosen & 0x10) && (chip->value[ACCEL_STATUS] & 0x08)) ||
                  ((chosen & 0x04) && (fifo & WTM)) || ((chosen & 0x02) && (fifo & OVRN));
    bool low_active = chip->value[ACCEL_CTRL_REG6] & 0x02;
    bool high = chip->powered_ns != UINT64_MAX && active != low_active;
    if (high == chip->int1_high)
        return;
    chip->int1_high = high;
    chip->int1(chip->int1_context, now_ns, high);
}

static void pop(struct lis3dh_chip *chip)
{
    if (chip->fifo_count == 0)
        return;
    memcpy(&chip->value[ACCEL_OUT_X_L], chip->fifo[chip->fifo_first], 6);
    chip->fifo_first = (chip->fifo_first + 1) % ACCEL_FIFO_DEPTH;
    chip->fifo_count--;
}

static uint8_t read_output(struct lis3dh_chip *chip, uint8_t at)
{
    if (uses_fifo(chip) && at == ACCEL_OUT_X_L)
        pop(chip);
    bool high = at & 1;
    chip->held = !high;
    if (high) /* both bytes of its axis were read */
        chip->value[ACCEL_STATUS] &= (uint8_t)~(0x11 << ((at - ACCEL_OUT_X_L) / 2));
    if (!(chip->value[ACCEL_STATUS] & 0x07))
        chip->value[ACCEL_STATUS] &= (uint8_t)~0x88;
    return chip->value[at];
}

static uint8_t read_source(struct lis3dh_chip *chip, int which)
{
    uint8_t source = chip->generator[which].source;
    chip->generator[which].source = 0; /* reading releases a latched event */
    return source;
}

static uint8_t read_register(struct lis3dh_chip *chip, uint8_t at)
{
    if (at >= ACCEL_REGISTERS)
        return 0;
    if (at >= ACCEL_OUT_X_L && at <= ACCEL_OUT_Z_H)
        return read_output(chip, at);
    if (at == ACCEL_FIFO_SRC)
        return uses_fifo(chip) ? fifo_source(chip) : EMPTY;
    if (at == ACCEL_INT1_SRC || at == ACCEL_INT2_SRC)
        return read_source(chip, at == ACCEL_INT2_SRC);
    if (at == ACCEL_REFERENCE)
        memcpy(chip->slow, chip->smooth, sizeof chip->slow); /* sets the reference */
    return chip->value[at];
}

static bool is_read_only(uint8_t at)
{
    return at < ACCEL_CTRL_REG0 || (at >= ACCEL_STATUS && at <= ACCEL_OUT_Z_H) ||
           at == ACCEL_FIFO_SRC || at == ACCEL_INT1_SRC || at == ACCEL_INT2_SRC ||
           at >= ACCEL_REGISTERS;
}

/* Neither document states what becomes of the filters when the range changes. The worst case: they
 * keep their digits, so what they hold of the old range is wrong by its ratio to the new one until
 * REFERENCE is read with a sample of the new range, and the high-pass needs minutes to forget it. */
static void keep_filter_digits(struct lis3dh_chip *chip, uint8_t before)
{
    double ratio = lis3dh_chip_full_scale_g(chip) / (2 << ((before >> 4) & 3));
    for (int i = 0; i < ACCEL_AXES; i++) {
        chip->slow[i] *= ratio;
        chip->smooth[i] *= ratio;
    }
}

static void write_register(struct lis3dh_chip *chip, uint64_t now_ns, uint8_t at, uint8_t value)
{
    if (is_read_only(at))
        return;
    uint8_t before = chip->value[at];
    chip->value[at] = value;
    if (at == ACCEL_FIFO_CTRL && (value >> 6 == 0 || (value ^ before) >> 6)) {
        chip->fifo_count = chip->fifo_first = 0;
        chip->fifo_stopped = false;
    }
    if (at == ACCEL_CTRL_REG5 && (value & 0x80)) { /* BOOT: reload the trimming values */
        chip->value[at] &= 0x7F;
        chip->powered_ns = now_ns;
    }
    if (at == ACCEL_CTRL_REG0)
        account(chip, now_ns);
    if (at == ACCEL_CTRL_REG4)
        keep_filter_digits(chip, before);
    bool other_mode = (at == ACCEL_CTRL_REG1 && (value ^ before) & 0xF8) ||
                      (at == ACCEL_CTRL_REG4 && (value ^ before) & 0x08);
    if (other_mode) {
        chip->asleep = false;
        begin_sampling(chip, now_ns);
    }
}

bool lis3dh_chip_start(struct lis3dh_chip *chip, uint64_t now_ns, uint8_t byte)
{
    bool alive =
        !chip->broken && chip->powered_ns != UINT64_MAX && now_ns >= chip->powered_ns + BOOT_NS;
    lis3dh_chip_advance(chip, now_ns);
    chip->addressed = alive && byte >> 1 == I2C_ADDRESS;
    chip->writing = false; /* the first byte written is the address of a register */
    return chip->addressed;
}

static void next_register(struct lis3dh_chip *chip)
{
    if (!chip->auto_increment)
        return;
    bool roll = uses_fifo(chip) && chip->address == ACCEL_OUT_Z_H;
    chip->address = roll ? ACCEL_OUT_X_L : (chip->address + 1) & 0x7F;
}

bool lis3dh_chip_write(struct lis3dh_chip *chip, uint64_t now_ns, uint8_t byte)
{
    if (!chip->addressed)
        return false;
    lis3dh_chip_advance(chip, now_ns);
    if (!chip->writing) {
        chip->writing = true;
        chip->address = byte & 0x7F;
        chip->auto_increment = byte & 0x80;
        return true;
    }
    write_register(chip, now_ns, chip->address, byte);
    next_register(chip);
    lis3dh_chip_drive_int1(chip, now_ns);
    return true;
}

uint8_t lis3dh_chip_read(struct lis3dh_chip *chip, uint64_t now_ns)
{
    if (!chip->addressed)
        return 0xFF;
    lis3dh_chip_advance(chip, now_ns);
    uint8_t value = read_register(chip, chip->address);
    next_register(chip);
    lis3dh_chip_drive_int1(chip, now_ns);
    return value;
}

void lis3dh_chip_stop(struct lis3dh_chip *chip)
{
    chip->addressed = false;
}
