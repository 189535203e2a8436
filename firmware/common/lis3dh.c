#include "lis3dh.h"

#ifndef LIS3DH_ADDRESS
#define LIS3DH_ADDRESS 0x18 /* SA0 to ground */
#endif
#define ACCEL_ADDRESS LIS3DH_ADDRESS
#include "accel_registers.h"
#include "bytes.h"

enum {
    WHO_AM_I = 0x0F,
    CTRL_REG0 = 0x1E,
    CTRL_REG1 = 0x20,
    CTRL_REG3 = 0x22,
    REFERENCE = 0x26,
    OUT_X_L = 0x28,
    FIFO_CTRL_REG = 0x2E,
    FIFO_SRC_REG = 0x2F,
    INT1_CFG = 0x30,
    INT1_SRC = 0x31,
    NEXT = 0x80, /* in the register's address: go on to the next one with each byte */

    IS_LIS3DH = 0x33,
    /* CTRL_REG0: SA0's own pull-up, on as delivered: 110 uA into the ground that SA0 is tied to.
     * Chips before the register was documented do not show this value, and are left alone. */
    SA0_PULLED_UP = 0x10,
    SA0_LET_GO = 0x90,
    /* CTRL_REG1: rate, low power, the three axes on */
    RATE_10_HZ_LOW_POWER = 0x2F,
    RATE_200_HZ = 0x67,
    /* CTRL_REG2: high-pass for INT1, lowest cut-off (0.02 Hz at 10 Hz: AN3308 table 9), so that
     * a slow turn is seen too; it restarts from the last sample when REFERENCE is read */
    HIGH_PASS_ON_INT1 = 0x31,
    /* CTRL_REG3: what drives INT1 */
    INT1_BY_ACTIVITY = 0x40,
    INT1_BY_SAMPLE = 0x10,
    INT1_BY_WATERMARK = 0x04,
    /* CTRL_REG4: both bytes of a value from one sample; range */
    RANGE_2_G = 0x80,
    RANGE_4_G = 0x90,
    /* CTRL_REG5 */
    FIFO_ON = 0x40,
    LATCH_INT1 = 0x08,
    /* FIFO_CTRL_REG: mode, and the watermark that the level must exceed */
    FIFO_BYPASS = 0x00,
    FIFO_STREAM = 0x80,
    WATERMARK = 4,
    FIFO_LEVEL = 0x1F,
    /* INT1_CFG: any axis above the threshold, either way */
    ANY_AXIS_HIGH = 0x2A,
    THRESHOLD_80_MG = 5, /* 16 mg a step at +-2 g: five digits of the low-power mode's noise */

    SAMPLE_BYTES = 6,
    BATCH = 8,
};

/* CTRL_REG1 to CTRL_REG6 in one go; CTRL_REG6 is 0: INT2 unused, INT1 active high. */
static bool write_controls(uint8_t rate, uint8_t filter, uint8_t int1, uint8_t range, uint8_t more)
{
    uint8_t bytes[] = {CTRL_REG1 | NEXT, rate, filter, int1, range, more, 0};
    return twi_write(ACCEL_ADDRESS, bytes, sizeof bytes);
}

static bool let_address_pin_go(void)
{
    uint8_t value;
    return read_one(CTRL_REG0, &value) &&
           (value != SA0_PULLED_UP || write_one(CTRL_REG0, SA0_LET_GO));
}

bool accel_start(void)
{
    uint8_t who;
    return read_one(WHO_AM_I, &who) && who == IS_LIS3DH && let_address_pin_go() && accel_rest();
}

bool accel_rest(void)
{
    const uint8_t activity[] = {(INT1_SRC + 1) | NEXT, THRESHOLD_80_MG, 0};
    uint8_t old[SAMPLE_BYTES]; /* an unread sample would drive INT1 at once */
    return write_one(INT1_CFG, 0) && write_one(FIFO_CTRL_REG, FIFO_BYPASS) &&
           write_controls(RATE_10_HZ_LOW_POWER, HIGH_PASS_ON_INT1, INT1_BY_SAMPLE, RANGE_2_G,
                          LATCH_INT1) &&
           twi_write(ACCEL_ADDRESS, activity, sizeof activity) &&
           twi_read(ACCEL_ADDRESS, OUT_X_L | NEXT, old, sizeof old);
}

/* The data sheet does not state whether the filter keeps a sample of the old range, which would be
 * wrong by a factor of two, so it is restarted only when there is one of the new range. */
bool accel_arm(struct vector *sample)
{
    uint8_t ignored;
    return accel_glance(sample) && read_one(REFERENCE, &ignored) &&
           write_one(CTRL_REG3, INT1_BY_ACTIVITY) && write_one(INT1_CFG, ANY_AXIS_HIGH) &&
           read_one(INT1_SRC, &ignored);
}

bool accel_move(void)
{
    return write_one(INT1_CFG, 0) && write_one(FIFO_CTRL_REG, FIFO_BYPASS) &&
           write_controls(RATE_200_HZ, 0, INT1_BY_WATERMARK, RANGE_4_G, FIFO_ON) &&
           write_one(FIFO_CTRL_REG, FIFO_STREAM | WATERMARK);
}

static int16_t value_at(const uint8_t *bytes)
{
    return (int16_t)bytes_get16(bytes);
}

/* A value is left-justified: its full scale is 32768, and that is `full_mg` milli-g. */
static struct vector decoded(const uint8_t *bytes, int16_t full_mg)
{
    int16_t step = (int16_t)(32768L / full_mg);
    return (struct vector){(int16_t)(value_at(bytes) / step), (int16_t)(value_at(bytes + 2) / step),
                           (int16_t)(value_at(bytes + 4) / step)};
}

/* Reads `count` samples, at most BATCH, in one transfer: in the FIFO's modes the address goes
 * round from the last output register to the first (AN3308, 9.6). */
static bool read_batch(struct vector *samples, uint8_t count)
{
    uint8_t bytes[BATCH * SAMPLE_BYTES];
    if (!twi_read(ACCEL_ADDRESS, OUT_X_L | NEXT, bytes, (uint8_t)(count * SAMPLE_BYTES)))
        return false;
    for (uint8_t i = 0; i < count; i++)
        samples[i] = decoded(bytes + i * SAMPLE_BYTES, 4096);
    return true;
}

bool accel_fetch(struct vector *samples, uint8_t size, uint8_t *count)
{
    uint8_t waiting;
    *count = 0;
    if (!read_one(FIFO_SRC_REG, &waiting))
        return false;
    waiting &= FIFO_LEVEL;
    for (waiting = waiting < size ? waiting : size; *count < waiting;) {
        uint8_t left = (uint8_t)(waiting - *count);
        uint8_t batch = left < BATCH ? left : BATCH;
        if (!read_batch(samples + *count, batch))
            return false;
        *count = (uint8_t)(*count + batch);
    }
    return true;
}

bool accel_glance(struct vector *sample)
{
    uint8_t rate;
    uint8_t bytes[SAMPLE_BYTES];
    if (!read_one(CTRL_REG1, &rate) || rate != RATE_10_HZ_LOW_POWER ||
        !twi_read(ACCEL_ADDRESS, OUT_X_L | NEXT, bytes, sizeof bytes))
        return false;
    *sample = decoded(bytes, 2048);
    return true;
}
