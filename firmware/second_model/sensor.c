#include "sensor.h"

#include <math.h>
#include <string.h>

enum {
    WHO_AM_I = 0x0F, CTRL_REG0 = 0x1E, TEMP_CFG = 0x1F, CTRL_REG1 = 0x20, CTRL_REG2, CTRL_REG3,
    CTRL_REG4, CTRL_REG5, CTRL_REG6, REFERENCE, STATUS_REG, OUT_X_L, OUT_Z_H = 0x2D,
    FIFO_CTRL = 0x2E, FIFO_SRC, INT1_CFG, INT1_SRC, INT1_THS, INT1_DURATION,
    ADDRESS = 0x18,
    LOW_POWER = 0x08, RANGE = 0x30, HIGH_RESOLUTION = 0x08, BDU = 0x80,
    FIFO_EN = 0x40, LATCH = 0x08, STREAM = 2,
    HIGH_PASS_INT1 = 1,
    INT1_ACTIVITY = 0x40, INT1_DATA = 0x10, INT1_WATERMARK = 0x04, INT1_OVERRUN = 0x02,
    BOOT_US = 5000,
};

/* The bits that may be written as 1; 0 also means reserved or read-only. */
static const uint8_t writable[0x40] = {
    [CTRL_REG0] = 0x90, [CTRL_REG1] = 0xFF, [CTRL_REG2] = 0xFF, [CTRL_REG3] = 0xF6,
    [CTRL_REG4] = 0xFF, [CTRL_REG5] = 0xCF, [CTRL_REG6] = 0xFA, [REFERENCE] = 0xFF,
    [FIFO_CTRL] = 0xFF, [INT1_CFG] = 0xFF, [INT1_THS] = 0x7F, [INT1_DURATION] = 0x7F,
};

/* What is used of them. */
static const uint8_t modelled[0x40] = {
    [CTRL_REG0] = 0x90, [CTRL_REG1] = 0xFF, [CTRL_REG2] = 0x31,
    [CTRL_REG3] = INT1_ACTIVITY | INT1_DATA | INT1_WATERMARK | INT1_OVERRUN,
    [CTRL_REG4] = BDU | RANGE | HIGH_RESOLUTION, [CTRL_REG5] = FIFO_EN | LATCH,
    [REFERENCE] = 0, [FIFO_CTRL] = 0xDF, [INT1_CFG] = 0x3F, [INT1_THS] = 0x7F,
};

static bool is_readable(uint8_t at)
{
    return at == WHO_AM_I || (at >= CTRL_REG0 && at <= INT1_DURATION && at != TEMP_CFG);
}

static double output_rate(const struct sensor *s)
{
    static const double hz[] = {0, 1, 10, 25, 50, 100, 200, 400};
    unsigned code = s->reg[CTRL_REG1] >> 4;
    return code < 8 ? hz[code] * s->rate : 0;
}

static bool fifo_is_on(const struct sensor *s)
{
    return s->reg[CTRL_REG5] & FIFO_EN && s->reg[FIFO_CTRL] >> 6 == STREAM;
}

void sensor_power(struct sensor *s, ps now, bool on)
{
    if (on == s->powered)
        return;
    s->powered = on;
    s->ready = now + BOOT_US * PS_US;
    s->due = PS_NEVER;
    memset(s->reg, 0, sizeof s->reg);
    s->reg[WHO_AM_I] = 0x33;
    s->reg[CTRL_REG0] = 0x10;
    s->reg[CTRL_REG1] = 0x07;
    s->level = 0;
    s->held_clocks = 0;
    s->addressed = s->ready_flag = s->overrun = s->active = s->fifo_overrun = false;
    for (int i = 0; i < 3; i++) {
        s->out[i] = (int16_t)chance_bits(s->chance);
        s->filter[i] = s->out[i];
    }
}

/* --- registers --- */

static void reset_filter(struct sensor *s)
{
    for (int i = 0; i < 3; i++)
        s->filter[i] = s->out[i];
}

/* CTRL_REG1 is written; CTRL_REG4 still has the old range, because it follows. */
static void mode_changed(struct sensor *s, ps now, uint8_t old_rate)
{
    double hz = output_rate(s);
    if (hz == 0) {
        s->due = PS_NEVER;
        return;
    }
    ps period = (ps)((double)PS_S / hz);
    if ((s->reg[CTRL_REG1] ^ old_rate) & 0xF8) {
        /* The phase is wherever the oscillator's divider is. */
        s->due = now + (ps)(chance_between(s->chance, 0.02, 1.0) * (double)period);
        s->settled = now + period;
        s->old_range_bits = s->reg[CTRL_REG4];
    }
}

static void set_register(struct sensor *s, ps now, uint8_t at, uint8_t value)
{
    uint8_t old = s->reg[at];
    if (now < s->ready)
        violation(s->violations, now, "sensor: register %02x is written while it boots", at);
    if (at == CTRL_REG0 && (value & 0x7F) != 0x10 && (value & 0x7F) != 0)
        violation(s->violations, now, "sensor: CTRL_REG0 is set to %02x", value);
    if (!writable[at]) {
        violation(s->violations, now, "sensor: register %02x is reserved or read-only", at);
        return;
    }
    if (value & ~writable[at])
        violation(s->violations, now, "sensor: reserved bits of register %02x are set: %02x", at, value);
    else if (value & ~modelled[at])
        violation(s->violations, now, "sensor: register %02x is set to %02x, which is not modelled", at,
                  value);
    s->reg[at] = value;
    if (at == CTRL_REG1)
        mode_changed(s, now, old);
    if (at == FIFO_CTRL && value >> 6 == 0) {
        s->level = 0;
        s->fifo_overrun = false;
    }
    if (at == CTRL_REG5 && !(value & FIFO_EN))
        s->level = 0;
}

static uint8_t fifo_source(const struct sensor *s)
{
    int mark = (s->reg[FIFO_CTRL] & 31) + (s->watermark_above ? 1 : 0);
    int shown = s->level < SENSOR_FIFO ? s->level : SENSOR_FIFO - 1;
    return (uint8_t)((s->level >= mark ? 0x80 : 0) | (s->fifo_overrun ? 0x40 : 0) |
                     (s->level ? 0 : 0x20) | shown);
}

static uint8_t get_output(struct sensor *s, ps now, uint8_t at)
{
    int byte = at - OUT_X_L;
    if (!(s->reg[CTRL_REG4] & BDU))
        violation(s->violations, now, "sensor: an output is read without BDU");
    const int16_t *sample = s->out;
    if (fifo_is_on(s)) {
        if (!s->level)
            violation(s->violations, now, "sensor: the empty FIFO is read");
        else
            sample = s->fifo[0];
    }
    uint8_t value = (uint8_t)((uint16_t)sample[byte / 2] >> (byte & 1 ? 8 : 0));
    if (at == OUT_Z_H) {
        s->ready_flag = s->overrun = false;
        if (fifo_is_on(s) && s->level) {
            memmove(s->fifo[0], s->fifo[1], sizeof s->fifo - sizeof s->fifo[0]);
            s->level--;
            s->fifo_overrun = false;
        }
    }
    return value;
}

static uint8_t get_register(struct sensor *s, ps now, uint8_t at)
{
    if (now < s->ready)
        violation(s->violations, now, "sensor: register %02x is read while it boots", at);
    if (!is_readable(at)) {
        violation(s->violations, now, "sensor: register %02x is reserved or not modelled", at);
        return (uint8_t)chance_bits(s->chance);
    }
    if (at >= OUT_X_L && at <= OUT_Z_H)
        return get_output(s, now, at);
    uint8_t value = s->reg[at];
    if (at == REFERENCE)
        reset_filter(s);
    else if (at == STATUS_REG)
        value = (uint8_t)((s->ready_flag ? 0x0F : 0) | (s->overrun ? 0xF0 : 0));
    else if (at == FIFO_SRC)
        value = fifo_source(s);
    else if (at == INT1_SRC) {
        value = s->active ? 0x40 : 0;
        s->active = false;
    }
    return value;
}

/* --- I2C --- */

static void advance(struct sensor *s)
{
    if (!s->next)
        return;
    s->at = (uint8_t)(s->at + 1);
    if (fifo_is_on(s) && s->at == OUT_Z_H + 1)
        s->at = OUT_X_L;
    s->at &= 0x3F;
}

bool sensor_address(struct sensor *s, ps now, uint8_t byte)
{
    s->addressed = s->powered && byte >> 1 == ADDRESS;
    if (s->addressed && now < s->ready)
        violation(s->violations, now, "sensor: it is addressed while it boots");
    if (s->powered && !s->addressed)
        violation(s->violations, now, "sensor: address %02x is not its own", byte >> 1);
    if (!(byte & 1))
        s->got_register = false;
    return s->addressed;
}

bool sensor_write(struct sensor *s, ps now, uint8_t byte)
{
    if (!s->addressed)
        return false;
    if (!s->got_register) {
        s->at = byte & 0x3F;
        s->next = byte & 0x80;
        s->got_register = true;
        if (byte & 0x40)
            violation(s->violations, now, "sensor: register %02x does not exist", byte & 0x7F);
        return true;
    }
    set_register(s, now, s->at, byte);
    advance(s);
    return true;
}

uint8_t sensor_read(struct sensor *s, ps now)
{
    if (!s->addressed)
        return 0xFF;
    uint8_t value = get_register(s, now, s->at);
    advance(s);
    return value;
}

void sensor_stop(struct sensor *s)
{
    s->addressed = false;
}

void sensor_abandon(struct sensor *s)
{
    if (s->addressed) /* it waits for the rest of a byte, with a 0 on SDA */
        s->held_clocks = 1 + (int)(chance_bits(s->chance) % 8);
    s->addressed = false;
}

void sensor_clock(struct sensor *s)
{
    if (s->held_clocks)
        s->held_clocks--;
}

bool sensor_holds_sda(const struct sensor *s)
{
    return s->powered && s->held_clocks;
}

/* --- samples --- */

static int16_t digits(const struct sensor *s, double mg, uint8_t range_bits)
{
    double full_mg = 2048.0 * (1 << (range_bits >> 4 & 3));
    int bits = s->reg[CTRL_REG1] & LOW_POWER ? 8 : s->reg[CTRL_REG4] & HIGH_RESOLUTION ? 12 : 10;
    double steps = floor(mg / full_mg * (1 << (bits - 1)) + 0.5);
    double most = (1 << (bits - 1)) - 1;
    steps = fmax(-most - 1, fmin(most, steps));
    return (int16_t)((int)steps * (1 << (16 - bits)));
}

static void filter_and_compare(struct sensor *s)
{
    static const double by[] = {50, 100, 200, 400};
    double share = 6.2832 / by[s->reg[CTRL_REG2] >> 4 & 3];
    uint8_t causes = 0;
    for (int i = 0; i < 3; i++) {
        double value = s->out[i];
        if (s->reg[CTRL_REG2] & HIGH_PASS_INT1) {
            value -= s->filter[i];
            s->filter[i] += share * value;
        }
        bool high = fabs(value) > s->reg[INT1_THS] * 256.0;
        causes |= (uint8_t)((high ? 2 : 1) << 2 * i);
    }
    bool now_active = causes & s->reg[INT1_CFG];
    s->active = now_active || (s->active && s->reg[CTRL_REG5] & LATCH);
}

static void store(struct sensor *s)
{
    if (!fifo_is_on(s))
        return;
    if (s->level == SENSOR_FIFO) {
        memmove(s->fifo[0], s->fifo[1], sizeof s->fifo - sizeof s->fifo[0]);
        s->level--;
        s->fifo_overrun = true;
    }
    memcpy(s->fifo[s->level++], s->out, sizeof s->out);
}

void sensor_sample(struct sensor *s, ps now, const double mg[3])
{
    double hz = output_rate(s);
    /* 0.22 mg per root Hz (table 4) over half the output rate; low power is noisier by four. */
    double noise = 0.22 * sqrt(hz / 2) * (s->reg[CTRL_REG1] & LOW_POWER ? 4 : 1);
    uint8_t range = now < s->settled ? s->old_range_bits : s->reg[CTRL_REG4];
    for (int i = 0; i < 3; i++) {
        bool on = s->reg[CTRL_REG1] & 1 << i;
        double value = mg[i] + s->offset_mg[i] + noise * chance_normal(s->chance);
        s->out[i] = on ? digits(s, value, range) : 0;
    }
    s->overrun = s->ready_flag;
    s->ready_flag = true;
    store(s);
    filter_and_compare(s);
    s->due = now + (ps)((double)PS_S / hz);
}

bool sensor_int1(const struct sensor *s)
{
    uint8_t by = s->reg[CTRL_REG3];
    if (!s->powered)
        return false;
    return (by & INT1_ACTIVITY && s->active) || (by & INT1_DATA && s->ready_flag) ||
           (by & INT1_WATERMARK && fifo_source(s) & 0x80) || (by & INT1_OVERRUN && s->fifo_overrun);
}

/* Table 12; the pull-up of SA0, which is grounded, is 30 kOhm. */
double sensor_current_ua(const struct sensor *s)
{
    static const double low_power[] = {0.5, 2, 3, 4, 6, 10, 18, 36};
    static const double normal[] = {0.5, 2, 4, 6, 11, 20, 38, 73};
    if (!s->powered)
        return 0;
    unsigned code = s->reg[CTRL_REG1] >> 4 & 7;
    double ua = s->reg[CTRL_REG1] & LOW_POWER ? low_power[code] : normal[code];
    return ua + (s->reg[CTRL_REG0] & 0x80 ? 0 : 110);
}
