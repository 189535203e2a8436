/* The model of the LIS3DH compared with its data sheet, register by register. */
#include "../lis3dh_chip.h"
#include "check.h"

#include <stdlib.h>
#include <string.h>

#define MS 1000000u
#define AUTO 0x80

static double given[3];
static int edges;

static void give(void *context, uint64_t from_ns, uint64_t to_ns, double limit_g, double *mean_g)
{
    (void)context;
    (void)from_ns;
    (void)to_ns;
    (void)limit_g;
    memcpy(mean_g, given, sizeof given);
}

static void count_edge(void *context, uint64_t now_ns, bool high)
{
    (void)context;
    (void)now_ns;
    (void)high;
    edges++;
}

static struct lis3dh_chip start_chip(void)
{
    struct lis3dh_chip chip;
    struct lis3dh_chip_part part = {.mounting = {1, 0, 0, 0}, .rate = 1};
    given[0] = given[1] = 0;
    given[2] = 1;
    edges = 0;
    lis3dh_chip_begin(&chip, &part, give, count_edge, NULL, NULL, 7);
    lis3dh_chip_power(&chip, 0, true);
    return chip;
}

static bool set(struct lis3dh_chip *chip, uint64_t now_ns, uint8_t at, uint8_t value)
{
    bool acked = lis3dh_chip_start(chip, now_ns, 0x30) && lis3dh_chip_write(chip, now_ns, at) &&
                 lis3dh_chip_write(chip, now_ns, value);
    lis3dh_chip_stop(chip);
    return acked;
}

static void get(struct lis3dh_chip *chip, uint64_t now_ns, uint8_t at, uint8_t *bytes, int count)
{
    lis3dh_chip_start(chip, now_ns, 0x30);
    lis3dh_chip_write(chip, now_ns, at);
    lis3dh_chip_start(chip, now_ns, 0x31);
    for (int i = 0; i < count; i++)
        bytes[i] = lis3dh_chip_read(chip, now_ns);
    lis3dh_chip_stop(chip);
}

static uint8_t get_one(struct lis3dh_chip *chip, uint64_t now_ns, uint8_t at)
{
    uint8_t value;
    get(chip, now_ns, at, &value, 1);
    return value;
}

static void replies_after_its_boot_and_only_at_its_own_address(void)
{
    struct lis3dh_chip chip = start_chip();
    CHECK(!lis3dh_chip_start(&chip, 4 * MS, 0x30), "it boots for 5 ms");
    CHECK(lis3dh_chip_start(&chip, 6 * MS, 0x30), "it responds then");
    CHECK(!lis3dh_chip_start(&chip, 6 * MS, 0x32), "0x19 is not its address");
    CHECK(get_one(&chip, 6 * MS, ACCEL_WHO_AM_I) == 0x33, "WHO_AM_I");
    chip.broken = true;
    CHECK(!lis3dh_chip_start(&chip, 7 * MS, 0x30), "a broken one does not respond");
}

/* CTRL_REG1, CTRL_REG4, the reading at 1 g, the step, the rate: data sheet tables 4, 10, 12, 31. */
static void has_the_resolution_and_rate_of_its_mode(void)
{
    static const struct {
        uint8_t control1, control4;
        int one_g, step;
        double first_ms, rate_hz, microamps;
    } mode[] = {
        {0x57, 0x08, 16000, 16, 70, 100, 20},   {0x57, 0x00, 16000, 64, 10, 100, 20},
        {0x5F, 0x00, 16000, 256, 10, 100, 10},  {0x67, 0x10, 8000, 64, 5, 200, 38},
        {0x77, 0x28, 4000, 16, 17.5, 400, 73},  {0x2F, 0x00, 16000, 256, 100, 10, 3},
        {0x97, 0x30, 1328, 64, 1.6, 1344, 185}, {0x9F, 0x00, 16000, 256, 1, 5376, 185},
    };
    for (size_t i = 0; i < sizeof mode / sizeof mode[0]; i++) {
        struct lis3dh_chip chip = start_chip();
        CHECK(chip.meter.microamps == 110.5, "asleep, and its address pin pulled up");
        set(&chip, 10 * MS, ACCEL_CTRL_REG0, 0x90);
        set(&chip, 10 * MS, ACCEL_CTRL_REG4, mode[i].control4);
        set(&chip, 10 * MS, ACCEL_CTRL_REG1, mode[i].control1);
        double first = (double)(lis3dh_chip_due(&chip) - 10 * MS) / MS;
        CHECK(fabs(first - mode[i].first_ms) < 0.01, "mode %zu: first after %f ms", i, first);
        lis3dh_chip_advance(&chip, lis3dh_chip_due(&chip));
        int16_t z = (int16_t)(chip.value[0x2C] | chip.value[0x2D] << 8);
        CHECK(z % mode[i].step == 0, "mode %zu: %d is not whole", i, z);
        CHECK(abs(z - mode[i].one_g) <= 800, "mode %zu: one g is %d", i, z);
        CHECK(fabs(lis3dh_chip_rate_hz(&chip) - mode[i].rate_hz) < 0.1, "mode %zu: rate", i);
        CHECK(chip.meter.microamps == mode[i].microamps, "mode %zu: %f uA", i,
              chip.meter.microamps);
    }
}

static void continues_reading_with_the_subaddress_bit(void)
{
    struct lis3dh_chip chip = start_chip();
    uint8_t bytes[3];
    set(&chip, 10 * MS, ACCEL_INT1_THS, 0x12);
    set(&chip, 10 * MS, ACCEL_INT1_DURATION, 0x34);
    get(&chip, 10 * MS, ACCEL_INT1_THS | AUTO, bytes, 2);
    CHECK(bytes[0] == 0x12 && bytes[1] == 0x34, "with the bit reading continues");
    get(&chip, 10 * MS, ACCEL_INT1_THS, bytes, 2);
    CHECK(bytes[0] == 0x12 && bytes[1] == 0x12, "without it stays");
}

static void keeps_a_value_while_half_read(void)
{
    struct lis3dh_chip chip = start_chip();
    set(&chip, 10 * MS, ACCEL_CTRL_REG4, 0x80);
    set(&chip, 10 * MS, ACCEL_CTRL_REG1, 0x57);
    given[2] = 0.25;
    lis3dh_chip_advance(&chip, 50 * MS);
    uint8_t low = get_one(&chip, 50 * MS, 0x2C);
    given[2] = -0.75;
    uint8_t high = get_one(&chip, 80 * MS, 0x2D);
    int16_t z = (int16_t)(low | high << 8);
    CHECK(abs(z - 4000) < 800, "block data update: %d", z);
    CHECK((int16_t)(get_one(&chip, 100 * MS, 0x2C) | get_one(&chip, 100 * MS, 0x2D) << 8) < -10000,
          "and goes on then");
}

static void queues_thirty_two_samples(void)
{
    struct lis3dh_chip chip = start_chip();
    uint8_t bytes[6 * 33];
    set(&chip, 10 * MS, ACCEL_CTRL_REG5, 0x40);
    set(&chip, 10 * MS, ACCEL_CTRL_REG3, 0x04);
    set(&chip, 10 * MS, ACCEL_FIFO_CTRL, 0x80 | 4);
    CHECK(get_one(&chip, 10 * MS, ACCEL_FIFO_SRC) == 0x20, "empty");
    set(&chip, 10 * MS, ACCEL_CTRL_REG1, 0x57);
    CHECK(get_one(&chip, 51 * MS, ACCEL_FIFO_SRC) == 4 && !chip.int1_high, "four are not above 4");
    CHECK(get_one(&chip, 61 * MS, ACCEL_FIFO_SRC) == (0x80 | 5) && chip.int1_high, "five are");
    get(&chip, 61 * MS, ACCEL_OUT_X_L | AUTO, bytes, 6);
    CHECK(!chip.int1_high, "one read, INT1 goes");
    given[2] = -1;
    CHECK(get_one(&chip, 1000 * MS, ACCEL_FIFO_SRC) == (0x80 | 0x40 | 31), "full");
    get(&chip, 1000 * MS, ACCEL_OUT_X_L | AUTO, bytes, 6 * 32);
    CHECK((int8_t)bytes[5] < 0 && (int8_t)bytes[6 * 31 + 5] < 0, "stream: the old ones went");
    CHECK(get_one(&chip, 1000 * MS, ACCEL_FIFO_SRC) == 0x20, "empty again");
    set(&chip, 1000 * MS, ACCEL_FIFO_CTRL, 0);
    set(&chip, 1000 * MS, ACCEL_FIFO_CTRL, 0x40);
    lis3dh_chip_advance(&chip, 1320 * MS);
    given[2] = 1;
    lis3dh_chip_advance(&chip, 2000 * MS);
    get(&chip, 2000 * MS, ACCEL_OUT_X_L | AUTO, bytes, 6 * 32);
    CHECK((int8_t)bytes[5] < 0 && (int8_t)bytes[6 * 31 + 5] < 0, "FIFO mode: it stops when full");
}

/* A threshold of 5 * 16 mg with the high-pass filter, latched: a die wakes by it. */
static void wakes_on_a_change_and_latches_it(void)
{
    struct lis3dh_chip chip = start_chip();
    set(&chip, 10 * MS, ACCEL_CTRL_REG2, 0x31);
    set(&chip, 10 * MS, ACCEL_CTRL_REG3, 0x40);
    set(&chip, 10 * MS, ACCEL_CTRL_REG5, 0x08);
    set(&chip, 10 * MS, ACCEL_INT1_THS, 5);
    set(&chip, 10 * MS, ACCEL_CTRL_REG1, 0x2F);
    lis3dh_chip_advance(&chip, 300 * MS);
    get_one(&chip, 300 * MS, ACCEL_REFERENCE);
    set(&chip, 300 * MS, ACCEL_INT1_CFG, 0x2A);
    lis3dh_chip_advance(&chip, 60000u * (uint64_t)MS);
    CHECK(!chip.int1_high, "nothing but noise for a minute");
    given[0] = 0.2;
    lis3dh_chip_advance(&chip, 60200u * (uint64_t)MS);
    CHECK(chip.int1_high, "0.2 g along x");
    given[0] = 0;
    lis3dh_chip_advance(&chip, 62000u * (uint64_t)MS);
    CHECK(chip.int1_high, "latched");
    uint8_t source = get_one(&chip, 62000u * (uint64_t)MS, ACCEL_INT1_SRC);
    CHECK((source & 0x42) == 0x42, "the source is x high: %02x", source);
    CHECK(!chip.int1_high, "read, and gone");
}

/* From 4 g to 2 g: REFERENCE read before the first sample sets half of gravity. */
static void keeps_the_filters_digits_when_the_range_changes(void)
{
    uint8_t old[6];
    for (int early = 0; early <= 1; early++) {
        struct lis3dh_chip chip = start_chip();
        set(&chip, 10 * MS, ACCEL_CTRL_REG2, 0x31);
        set(&chip, 10 * MS, ACCEL_CTRL_REG4, 0x90);
        set(&chip, 10 * MS, ACCEL_CTRL_REG1, 0x67);
        lis3dh_chip_advance(&chip, 300 * MS);
        set(&chip, 300 * MS, ACCEL_CTRL_REG1, 0x2F);
        set(&chip, 300 * MS, ACCEL_CTRL_REG4, 0x80);
        set(&chip, 300 * MS, ACCEL_CTRL_REG3, 0x10);
        set(&chip, 300 * MS, ACCEL_INT1_THS, 5);
        get(&chip, 300 * MS, ACCEL_OUT_X_L | AUTO, old, sizeof old);
        uint64_t now_ns = early ? 350 * MS : lis3dh_chip_due(&chip);
        lis3dh_chip_advance(&chip, now_ns);
        CHECK(chip.int1_high == !early, "INT1 by the first sample");
        get_one(&chip, now_ns, ACCEL_REFERENCE);
        set(&chip, now_ns, ACCEL_CTRL_REG3, 0x40);
        set(&chip, now_ns, ACCEL_INT1_CFG, 0x2A);
        lis3dh_chip_advance(&chip, 2000 * MS);
        CHECK(chip.int1_high == early, "read before the first sample: %d", early);
    }
}

/* INT1_CFG, INT1_THS, INT1_DURATION at 100 Hz, and the number of samples of 0, 0, 1 g until the
 * interrupt. */
static void generates_interrupts_by_its_settings(void)
{
    static const struct {
        uint8_t config, threshold, duration;
        int fires_at; /* 0 for never */
    } setting[] = {
        {0x20, 0x20, 0, 1}, /* z above 512 mg */
        {0x20, 0x7F, 0, 0}, /* z above 2032 mg */
        {0x20, 0x20, 3, 4}, /* the same for more than three samples */
        {0x05, 0x20, 0, 1}, /* x or y below */
        {0x95, 0x20, 0, 0}, /* x and y and z below */
        {0xA5, 0x20, 0, 1}, /* x and y below and z above */
        {0xE0, 0x20, 0, 1}, /* 6D position: z up */
        {0xD0, 0x20, 0, 0}, /* 6D position: z down */
    };
    for (size_t i = 0; i < sizeof setting / sizeof setting[0]; i++) {
        struct lis3dh_chip chip = start_chip();
        set(&chip, 10 * MS, ACCEL_CTRL_REG3, 0x40);
        set(&chip, 10 * MS, ACCEL_INT1_THS, setting[i].threshold);
        set(&chip, 10 * MS, ACCEL_INT1_DURATION, setting[i].duration);
        set(&chip, 10 * MS, ACCEL_INT1_CFG, setting[i].config);
        set(&chip, 10 * MS, ACCEL_CTRL_REG1, 0x57);
        int fired = 0;
        for (int sample = 1; sample <= 10 && !fired; sample++) {
            lis3dh_chip_advance(&chip, lis3dh_chip_due(&chip));
            fired = chip.int1_high ? sample : 0;
        }
        CHECK(fired == setting[i].fires_at, "setting %zu fires at %d", i, fired);
    }
}

static void inverts_its_pin_with_the_polarity_bit(void)
{
    struct lis3dh_chip chip = start_chip();
    set(&chip, 10 * MS, ACCEL_CTRL_REG6, 0x02);
    CHECK(chip.int1_high && edges == 1, "idle is high");
    lis3dh_chip_power(&chip, 11 * MS, false);
    CHECK(!chip.int1_high, "and low without supply");
}

static void falls_asleep_when_quiet(void)
{
    struct lis3dh_chip chip = start_chip();
    set(&chip, 10 * MS, ACCEL_ACT_THS, 0x10);
    set(&chip, 10 * MS, ACCEL_ACT_DUR, 1);
    set(&chip, 10 * MS, ACCEL_CTRL_REG1, 0x57);
    lis3dh_chip_advance(&chip, 3000 * MS);
    CHECK(lis3dh_chip_rate_hz(&chip) == 10, "10 Hz after nine quiet samples");
    given[0] = 1;
    lis3dh_chip_advance(&chip, 3200 * MS);
    CHECK(lis3dh_chip_rate_hz(&chip) == 100, "and awake by motion");
}

static void has_the_noise_of_its_bandwidth(void)
{
    struct lis3dh_chip chip = start_chip();
    set(&chip, 10 * MS, ACCEL_CTRL_REG1, 0x77);
    double squares = 0;
    for (int i = 0; i < 4000; i++) {
        lis3dh_chip_advance(&chip, lis3dh_chip_due(&chip));
        int16_t x = (int16_t)(chip.value[0x28] | chip.value[0x29] << 8);
        squares += (double)x * x / 256;
    }
    double mg = sqrt(squares / 4000);
    CHECK(mg > 4.5 && mg < 7.5, "220 ug/sqrt(Hz) over 672 Hz is 5.7 mg, not %f", mg);
}

int main(void)
{
    replies_after_its_boot_and_only_at_its_own_address();
    has_the_resolution_and_rate_of_its_mode();
    continues_reading_with_the_subaddress_bit();
    keeps_a_value_while_half_read();
    queues_thirty_two_samples();
    wakes_on_a_change_and_latches_it();
    keeps_the_filters_digits_when_the_range_changes();
    generates_interrupts_by_its_settings();
    inverts_its_pin_with_the_polarity_bit();
    falls_asleep_when_quiet();
    has_the_noise_of_its_bandwidth();
    return check_result();
}
