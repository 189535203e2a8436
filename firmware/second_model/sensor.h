/* An LIS3DH on I2C, from its data sheet (ST DocID17530 rev 2) and application note AN3308.
 *
 * Not modelled, and a violation if used: SPI, INT2, clicks, the auxiliary ADC, 4D/6D, AND of events,
 * durations, self-test. Where the data sheet does not decide, the model does the worst:
 * - The output rate is up to 10 % off, and its phase does not restart when a register is written.
 * - A sample before the turn-on time of a changed mode (1/ODR, table 11) has the old scale.
 * - Reading REFERENCE restarts the high-pass filter with the last digits, whatever their scale.
 * - The FIFO's watermark is reached at the level, or one above it, depending on the chip.
 */
#ifndef SECOND_SENSOR_H
#define SECOND_SENSOR_H

#include "model.h"

enum { SENSOR_FIFO = 32 };

struct sensor {
    struct violations *violations;
    struct chance *chance;
    double rate;            /* of its clock, 1 is nominal */
    double offset_mg[3];    /* zero-g level */
    bool watermark_above;   /* the watermark is one above its setting */
    bool powered;
    ps ready;               /* it boots until then */

    uint8_t reg[0x40];
    uint8_t at;             /* the next register */
    bool next, addressed, got_register;
    int held_clocks;        /* SCL pulses until it releases SDA */

    ps due;                 /* next sample */
    ps settled;             /* when a changed mode is valid */
    uint8_t old_range_bits; /* CTRL_REG4 before that */
    int16_t out[3];
    bool ready_flag, overrun;
    int16_t fifo[SENSOR_FIFO][3];
    int level;
    bool fifo_overrun;
    double filter[3];       /* what the high-pass filter subtracts, in digits */
    bool active;            /* INT1_SRC's IA */
};

void sensor_power(struct sensor *sensor, ps now, bool on);

/* The bus, byte by byte. Return whether it acknowledges. */
bool sensor_address(struct sensor *sensor, ps now, uint8_t byte);
bool sensor_write(struct sensor *sensor, ps now, uint8_t byte);
uint8_t sensor_read(struct sensor *sensor, ps now);
void sensor_stop(struct sensor *sensor);

/* The master has gone within a transfer. */
void sensor_abandon(struct sensor *sensor);

/* A pulse of SCL without a transfer. */
void sensor_clock(struct sensor *sensor);
bool sensor_holds_sda(const struct sensor *sensor);

/* Takes a sample; `mg` is the acceleration in its axes. */
void sensor_sample(struct sensor *sensor, ps now, const double mg[3]);

bool sensor_int1(const struct sensor *sensor);
double sensor_current_ua(const struct sensor *sensor);

#endif
