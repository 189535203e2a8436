/* The accelerometer: ST LIS3DH (data sheet DocID17530 rev 2, application note AN3308) on I2C.
 *
 * Modelled: the power modes with their rates, resolutions and turn-on times, full scales, noise,
 * block data update, the FIFO, the high-pass filter, both interrupt generators, latching, the
 * INT1 pin with its polarity, sleep-to-wake, self-test. Left out: click, the spare ADC, SPI,
 * INT2. A function supplies the acceleration of each sample; the chip does not depend on dice.
 */
#ifndef SIM_LIS3DH_CHIP_H
#define SIM_LIS3DH_CHIP_H

#include "chance.h"
#include "meter.h"

#include <stdbool.h>
#include <stdint.h>

enum lis3dh_chip_register {
    ACCEL_WHO_AM_I = 0x0F,
    ACCEL_CTRL_REG0 = 0x1E,
    ACCEL_CTRL_REG1 = 0x20,
    ACCEL_CTRL_REG2,
    ACCEL_CTRL_REG3,
    ACCEL_CTRL_REG4,
    ACCEL_CTRL_REG5,
    ACCEL_CTRL_REG6,
    ACCEL_REFERENCE,
    ACCEL_STATUS,
    ACCEL_OUT_X_L,
    ACCEL_OUT_Z_H = 0x2D,
    ACCEL_FIFO_CTRL,
    ACCEL_FIFO_SRC,
    ACCEL_INT1_CFG,
    ACCEL_INT1_SRC,
    ACCEL_INT1_THS,
    ACCEL_INT1_DURATION,
    ACCEL_INT2_CFG,
    ACCEL_INT2_SRC,
    ACCEL_ACT_THS = 0x3E,
    ACCEL_ACT_DUR,
    ACCEL_REGISTERS
};

enum lis3dh_chip_state { ACCEL_UNPOWERED, ACCEL_DOWN, ACCEL_LOW, ACCEL_NORMAL, ACCEL_FINE };

enum { ACCEL_FIFO_DEPTH = 32, ACCEL_AXES = 3 };

/* The mean specific force in g, each axis cut at `limit_g`, from `from_ns` to `to_ns`. Times
 * never go back. */
typedef void lis3dh_chip_source(void *context, uint64_t from_ns, uint64_t to_ns, double limit_g,
                                double mean_g[ACCEL_AXES]);

/* The INT1 pin has another level. */
typedef void lis3dh_chip_int1(void *context, uint64_t now_ns, bool high);

/* What this very part is like. */
struct lis3dh_chip_part {
    struct quat mounting; /* turns what is measured in the body's axes into the chip's */
    struct vec offset_g;  /* zero-g level */
    double rate;          /* its clock, 1 is exact */
};

/* One interrupt generator. */
struct lis3dh_chip_generator {
    int lasted;     /* samples for which the condition has held */
    uint8_t zones;  /* the 6D zones of the sample before */
    uint8_t source; /* INTx_SRC: IA, ZH, ZL, YH, YL, XH, XL */
};

struct lis3dh_chip {
    struct lis3dh_chip_part part;
    lis3dh_chip_source *source;
    void *source_context;
    lis3dh_chip_int1 *int1;
    void *int1_context;
    struct chance chance;
    struct meter meter;
    uint8_t value[ACCEL_REGISTERS];
    int16_t fifo[ACCEL_FIFO_DEPTH][ACCEL_AXES];
    int fifo_first, fifo_count;
    bool fifo_stopped; /* stream-to-FIFO was triggered, or FIFO mode is full */
    bool overrun;
    bool held;                 /* BDU: a low byte was read, its high byte not yet */
    double slow[ACCEL_AXES];   /* what the high-pass filter takes away, g */
    double smooth[ACCEL_AXES]; /* high resolution's low-pass, g */
    bool smooth_known;
    struct lis3dh_chip_generator generator[2];
    int quiet;   /* samples below ACT_THS */
    bool asleep; /* by sleep-to-wake */
    bool int1_high;
    bool broken;                    /* does not respond */
    uint64_t powered_ns, sample_ns; /* sample_ns: the next one; UINT64_MAX for none */
    uint8_t address;                /* the next register to read or write */
    bool auto_increment, addressed, writing;
};

void lis3dh_chip_begin(struct lis3dh_chip *chip, const struct lis3dh_chip_part *part,
                       lis3dh_chip_source *source, lis3dh_chip_int1 *int1, void *source_context,
                       void *int1_context, uint64_t seed);

/* Battery in or out; all registers are reset. */
void lis3dh_chip_power(struct lis3dh_chip *chip, uint64_t now_ns, bool on);

/* Takes all samples due until now. Call it at lis3dh_chip_due() at the latest. */
void lis3dh_chip_advance(struct lis3dh_chip *chip, uint64_t now_ns);

/* When the next sample is due; UINT64_MAX for never. */
uint64_t lis3dh_chip_due(const struct lis3dh_chip *chip);

/* I2C as its slave sees it. start: `byte` is the address and the direction; returns whether it
 * is acknowledged. */
bool lis3dh_chip_start(struct lis3dh_chip *chip, uint64_t now_ns, uint8_t byte);
bool lis3dh_chip_write(struct lis3dh_chip *chip, uint64_t now_ns, uint8_t byte);
uint8_t lis3dh_chip_read(struct lis3dh_chip *chip, uint64_t now_ns);
void lis3dh_chip_stop(struct lis3dh_chip *chip);

/* Between lis3dh_chip.c and lis3dh_chip_sample.c. */
double lis3dh_chip_rate_hz(const struct lis3dh_chip *chip);
enum lis3dh_chip_state lis3dh_chip_mode(const struct lis3dh_chip *chip);
double lis3dh_chip_full_scale_g(const struct lis3dh_chip *chip);
void lis3dh_chip_sample(struct lis3dh_chip *chip);
void lis3dh_chip_drive_int1(struct lis3dh_chip *chip, uint64_t now_ns);

#endif
