#include "lsm6ds3tr.h"

#define ACCEL_ADDRESS 0x6A /* SA0 to ground */
#include "accel_registers.h"
#include "bytes.h"

enum {
    FIFO_CTRL1 = 0x06,
    INT1_CTRL = 0x0D,
    WHO_AM_I = 0x0F,
    CTRL1_XL = 0x10,
    CTRL3_C = 0x12,
    CTRL6_C = 0x15,
    WAKE_UP_SRC = 0x1B,
    OUTX_L_XL = 0x28,
    FIFO_STATUS1 = 0x3A,
    FIFO_DATA_OUT_L = 0x3E,
    TAP_CFG = 0x58,
    WAKE_UP_THS = 0x5B,
    MD1_CFG = 0x5E,

    IS_LSM6DS3TR_C = 0x6A,
    /* CTRL1_XL: rate and range; the low-pass filter is half of the rate */
    OFF = 0,
    RATE_12_HZ_2_G = 0x10,
    RATE_208_HZ_4_G = 0x58,
    WHOLE_SAMPLES = 0x44, /* CTRL3_C: BDU, IF_INC */
    LOW_POWER = 0x10,     /* CTRL6_C: XL_HM_MODE */
    /* The FIFO's threshold is in words of 16 bits, three a sample. */
    WATERMARK_WORDS = 15,
    ACCEL_UNDECIMATED = 1,
    CONTINUOUS_208_HZ = 5 << 3 | 6,
    BYPASS = 0,
    INT1_BY_WATERMARK = 0x08,
    INT1_BY_WAKE_UP = 0x20,
    WAKE_UP_LATCHED = 0x81, /* TAP_CFG: INTERRUPTS_ENABLE, slope filter, LIR */
    /* 31 mg a step at +-2 g, of half the difference of two samples (AN5130, 5.4) */
    THRESHOLD_62_MG = 1,
    OVER_RUN = 0x40,
    HIGH_COUNT = 0x07,
    HIGH_PATTERN = 0x03,

    STEP_UG_2_G = 61, /* per digit, in micro-g (table 3) */
    STEP_UG_4_G = 122,
    SAMPLE_BYTES = 6,
    BATCH = 8,
};

static bool reset_fifo(void)
{
    const uint8_t bytes[] = {FIFO_CTRL1, 0, 0, 0, 0, BYPASS};
    return twi_write(ACCEL_ADDRESS, bytes, sizeof bytes);
}

/* Off, because whether the mode may change while it measures is not specified. Nothing drives INT1
 * after that: a latched wake-up ends when its source is read. */
static bool stop(void)
{
    uint8_t ignored;
    return write_one(CTRL1_XL, OFF) && write_one(INT1_CTRL, 0) && write_one(MD1_CFG, 0) &&
           write_one(TAP_CFG, 0) && reset_fifo() && read_one(WAKE_UP_SRC, &ignored);
}

bool accel_start(void)
{
    uint8_t who;
    return read_one(WHO_AM_I, &who) && who == IS_LSM6DS3TR_C && write_one(CTRL3_C, WHOLE_SAMPLES) &&
           accel_rest();
}

bool accel_rest(void)
{
    const uint8_t activity[] = {WAKE_UP_THS, THRESHOLD_62_MG, 0};
    return stop() && twi_write(ACCEL_ADDRESS, activity, sizeof activity) &&
           write_one(CTRL6_C, LOW_POWER) && write_one(CTRL1_XL, RATE_12_HZ_2_G);
}

bool accel_arm(struct vector *sample)
{
    uint8_t ignored;
    return write_one(TAP_CFG, WAKE_UP_LATCHED) && read_one(WAKE_UP_SRC, &ignored) &&
           write_one(MD1_CFG, INT1_BY_WAKE_UP) && accel_glance(sample);
}

bool accel_move(void)
{
    const uint8_t fifo[] = {FIFO_CTRL1, WATERMARK_WORDS, 0, ACCEL_UNDECIMATED, 0, CONTINUOUS_208_HZ};
    return stop() && write_one(CTRL6_C, 0) && twi_write(ACCEL_ADDRESS, fifo, sizeof fifo) &&
           write_one(INT1_CTRL, INT1_BY_WATERMARK) && write_one(CTRL1_XL, RATE_208_HZ_4_G);
}

static int16_t value_at(const uint8_t *bytes, int32_t step_ug)
{
    return (int16_t)((int16_t)bytes_get16(bytes) * step_ug / 1000);
}

static struct vector decoded(const uint8_t *bytes, int32_t step_ug)
{
    return (struct vector){value_at(bytes, step_ug), value_at(bytes + 2, step_ug),
                           value_at(bytes + 4, step_ug)};
}

/* In a transfer the address goes back from the second byte of the FIFO's output to the first. The
 * pattern tells which axis the next word is of: 0 is x, and whole samples are read. */
bool accel_fetch(struct vector *samples, uint8_t size, uint8_t *count)
{
    uint8_t status[4], bytes[BATCH * SAMPLE_BYTES];
    *count = 0;
    if (!twi_read(ACCEL_ADDRESS, FIFO_STATUS1, status, sizeof status) || status[1] & OVER_RUN)
        return false;
    uint16_t waiting = (uint16_t)((status[0] | (status[1] & HIGH_COUNT) << 8) / 3);
    if (waiting > size)
        waiting = size;
    if (waiting > BATCH)
        waiting = BATCH;
    if (!waiting)
        return true;
    if (status[2] || status[3] & HIGH_PATTERN ||
        !twi_read(ACCEL_ADDRESS, FIFO_DATA_OUT_L, bytes, (uint8_t)(waiting * SAMPLE_BYTES)))
        return false;
    for (; *count < waiting; (*count)++)
        samples[*count] = decoded(bytes + *count * SAMPLE_BYTES, STEP_UG_4_G);
    return true;
}

bool accel_glance(struct vector *sample)
{
    uint8_t rate, bytes[SAMPLE_BYTES];
    if (!read_one(CTRL1_XL, &rate) || rate != RATE_12_HZ_2_G ||
        !twi_read(ACCEL_ADDRESS, OUTX_L_XL, bytes, sizeof bytes))
        return false;
    *sample = decoded(bytes, STEP_UG_2_G);
    return true;
}
