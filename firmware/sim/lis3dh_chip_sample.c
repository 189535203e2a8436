/* Processing of a sample in the LIS3DH: noise, filters, resolution, FIFO, interrupts. */
#include "lis3dh_chip.h"

#include <string.h>

/* The supply currents show that the chip measures only during a part of each period: about a 1344th
 * of a second in normal mode, less in low power. Its noise has that bandwidth, too. */
#define WINDOW_NS 744000
#define WINDOW_LOW_NS 186000
#define NOISE_G_PER_ROOT_HZ 220e-6 /* data sheet table 4, An */

#define SELF_TEST_G 0.25 /* data sheet table 4, Vst: 17 to 360 digits of 4 mg at 2 g */

/* Milli-g per digit of twelve bits, and of a threshold, by FS1..0 (tables 4 and 62). */
static const double digit_mg[4] = {1, 2, 4, 12};
static const double threshold_mg[4] = {16, 32, 62, 186};

static int scale_code(const struct lis3dh_chip *chip)
{
    return (chip->value[ACCEL_CTRL_REG4] >> 4) & 3;
}

static void measure(struct lis3dh_chip *chip, double g[ACCEL_AXES])
{
    bool low = lis3dh_chip_mode(chip) == ACCEL_LOW;
    uint64_t window = low ? WINDOW_LOW_NS : WINDOW_NS;
    uint64_t from = chip->sample_ns > window ? chip->sample_ns - window : 0;
    double body[ACCEL_AXES];
    chip->source(chip->source_context, from, chip->sample_ns, 2 * lis3dh_chip_full_scale_g(chip),
                 body);
    struct vec in_chip = quat_turn(chip->part.mounting, (struct vec){body[0], body[1], body[2]});
    double noise = NOISE_G_PER_ROOT_HZ * sqrt(0.5e9 / (double)window);
    double test = (chip->value[ACCEL_CTRL_REG4] & 0x02)   ? SELF_TEST_G
                  : (chip->value[ACCEL_CTRL_REG4] & 0x04) ? -SELF_TEST_G
                                                          : 0;
    g[0] = in_chip.x + chip->part.offset_g.x + test + noise * chance_normal(&chip->chance);
    g[1] = in_chip.y + chip->part.offset_g.y + test + noise * chance_normal(&chip->chance);
    g[2] = in_chip.z + chip->part.offset_g.z + test + noise * chance_normal(&chip->chance);
}

/* High resolution has a bandwidth of a ninth of the rate (table 10), the others of a half. */
static void smooth(struct lis3dh_chip *chip, const double g[ACCEL_AXES])
{
    double part = lis3dh_chip_mode(chip) == ACCEL_FINE ? 1 - exp(-2 * SIM_PI / 9) : 1;
    for (int i = 0; i < ACCEL_AXES; i++)
        chip->smooth[i] += (chip->smooth_known ? part : 1) * (g[i] - chip->smooth[i]);
    chip->smooth_known = true;
}

/* The high-pass filter's cut-off is a 50th, 100th, 200th or 500th of the rate (AN3308 table 13). */
static void high_pass(struct lis3dh_chip *chip, double passed[ACCEL_AXES])
{
    static const double divisor[4] = {50, 100, 200, 500};
    uint8_t control = chip->value[ACCEL_CTRL_REG2];
    double part = 1 - exp(-2 * SIM_PI / divisor[(control >> 4) & 3]);
    double reference = (int8_t)chip->value[ACCEL_REFERENCE] * digit_mg[scale_code(chip)] * 0.016;
    for (int i = 0; i < ACCEL_AXES; i++) {
        passed[i] = chip->smooth[i] - (control >> 6 == 1 ? reference : chip->slow[i]);
        chip->slow[i] += part * (chip->smooth[i] - chip->slow[i]);
    }
}

/* Twelve, ten or eight bits, left-justified in sixteen bits. */
static int16_t digits(const struct lis3dh_chip *chip, double g)
{
    static const int spare_bits[] = {[ACCEL_LOW] = 4, [ACCEL_NORMAL] = 2, [ACCEL_FINE] = 0};
    int spare = spare_bits[lis3dh_chip_mode(chip)];
    double fine = floor(g * 1000 / digit_mg[scale_code(chip)] / (1 << spare) + 0.5) * (1 << spare);
    double top = 2048 - (1 << spare);
    fine = fine > top ? top : fine < -2048 ? -2048 : fine;
    return (int16_t)((int)fine * 16);
}

static void push(struct lis3dh_chip *chip, const int16_t sample[ACCEL_AXES])
{
    int mode = chip->value[ACCEL_FIFO_CTRL] >> 6; /* 1 FIFO, 2 stream, 3 stream-to-FIFO */
    if (mode == 3 && (chip->generator[0].source & 0x40))
        chip->fifo_stopped = true;
    if (chip->fifo_count == ACCEL_FIFO_DEPTH) {
        if (mode == 1 || chip->fifo_stopped)
            return;
        chip->fifo_first = (chip->fifo_first + 1) % ACCEL_FIFO_DEPTH;
        chip->fifo_count--;
    }
    int at = (chip->fifo_first + chip->fifo_count++) % ACCEL_FIFO_DEPTH;
    memcpy(chip->fifo[at], sample, sizeof chip->fifo[at]);
}

static void store(struct lis3dh_chip *chip, const double g[ACCEL_AXES])
{
    int16_t sample[ACCEL_AXES];
    for (int i = 0; i < ACCEL_AXES; i++)
        sample[i] = (chip->value[ACCEL_CTRL_REG1] >> i) & 1 ? digits(chip, g[i]) : 0;
    bool fifo = (chip->value[ACCEL_CTRL_REG5] & 0x40) && chip->value[ACCEL_FIFO_CTRL] >> 6;
    if (fifo)
        push(chip, sample);
    else if (!(chip->held && (chip->value[ACCEL_CTRL_REG4] & 0x80)))
        memcpy(&chip->value[ACCEL_OUT_X_L], sample, sizeof sample);
    uint8_t *status = &chip->value[ACCEL_STATUS];
    *status |= (uint8_t)((*status & 0x0F) << 4); /* the old sample was not read: overrun */
    *status |= 0x0F;
}

/* The bits of ZH, ZL, YH, YL, XH, XL that hold, as in INTx_SRC. */
static uint8_t zones(const double g[ACCEL_AXES], double threshold, bool signs)
{
    uint8_t found = 0;
    for (int i = 0; i < ACCEL_AXES; i++) {
        bool high = signs ? g[i] > threshold : fabs(g[i]) > threshold;
        bool low = signs ? g[i] < -threshold : !high;
        found |= (uint8_t)((low ? 1 : 0) << (2 * i) | (high ? 2 : 0) << (2 * i));
    }
    return found;
}

/* AOI and 6D select: any of the enabled conditions, a move into a zone, all of them, or being in a
 * zone. */
static bool holds(struct lis3dh_chip_generator *generator, uint8_t config, uint8_t found)
{
    uint8_t enabled = config & 0x3F;
    uint8_t before = generator->zones;
    generator->zones = found;
    switch (config >> 6) {
    case 0:
        return found & enabled;
    case 1:
        return (found & enabled) && (found & enabled) != (before & enabled);
    case 2:
        return enabled && (found & enabled) == enabled;
    default:
        return (found & enabled) != 0;
    }
}

static void generate(struct lis3dh_chip *chip, int which, const double raw[ACCEL_AXES],
                     const double passed[ACCEL_AXES])
{
    struct lis3dh_chip_generator *generator = &chip->generator[which];
    const uint8_t *setting = &chip->value[which ? ACCEL_INT2_CFG : ACCEL_INT1_CFG];
    bool filtered = chip->value[ACCEL_CTRL_REG2] & (1 << which);
    bool latched = chip->value[ACCEL_CTRL_REG5] & (which ? 0x02 : 0x08);
    double threshold = (setting[2] & 0x7F) * threshold_mg[scale_code(chip)] / 1000;
    uint8_t found = zones(filtered ? passed : raw, threshold, setting[0] & 0x40);
    bool held = holds(generator, setting[0], found);
    generator->lasted = held ? generator->lasted + 1 : 0;
    bool active = generator->lasted > (setting[3] & 0x7F);
    if (active)
        generator->source = 0x40 | (found & setting[0] & 0x3F);
    else if (!latched)
        generator->source = found & setting[0] & 0x3F;
}

/* Sleep-to-wake: after 8 * ACT_DUR + 1 periods without a change it uses 10 Hz low power (AN3308 9).
 * */
static void watch_activity(struct lis3dh_chip *chip, const double passed[ACCEL_AXES])
{
    double threshold = (chip->value[ACCEL_ACT_THS] & 0x7F) * threshold_mg[scale_code(chip)] / 1000;
    bool active = threshold == 0;
    for (int i = 0; i < ACCEL_AXES; i++)
        active = active || fabs(passed[i]) > threshold;
    chip->quiet = active ? 0 : chip->quiet + 1;
    chip->asleep = !active && (chip->asleep || chip->quiet > 8 * chip->value[ACCEL_ACT_DUR]);
}

void lis3dh_chip_sample(struct lis3dh_chip *chip)
{
    double g[ACCEL_AXES], passed[ACCEL_AXES];
    measure(chip, g);
    smooth(chip, g);
    high_pass(chip, passed);
    bool filtered_data = chip->value[ACCEL_CTRL_REG2] & 0x08;
    generate(chip, 0, chip->smooth, passed);
    generate(chip, 1, chip->smooth, passed);
    store(chip, filtered_data ? passed : chip->smooth);
    watch_activity(chip, passed);
}
