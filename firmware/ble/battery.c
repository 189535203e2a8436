#include "battery.h"

#include <stdbool.h>

#include "board.h"
#include "nrf52840.h"

/* The cell at AIN7 behind 1 MOhm and 510 kOhm, at 12 bits against 0.6 V with a gain of a third: the
 * pin's full scale is 1.8 V, and the cell's 5.3 V. */
enum {
    AIN7 = 8,
    GAIN_THIRD_40_US = 3 << 8 | 5 << 16, /* 40 us suffice for a source of 800 kOhm */
    BITS_12 = 2,
    FULL_SCALE_MV = 1800,
    STEPS = 4096,
    UPPER_KOHM = 1000,
    LOWER_KOHM = 510,
    STARTED = 1 << 0,
    END = 1 << 1,
    STOPPED = 1 << 5,
    PATIENCE_MS = 5,
};

static int16_t result; /* by EasyDMA */

void battery_start(void)
{
    SAADC_CH0_PSELP = AIN7;
    SAADC_CH0_CONFIG = GAIN_THIRD_40_US;
    SAADC_RESOLUTION = BITS_12;
    SAADC_INTENSET = STARTED | END | STOPPED;
}

static bool run(volatile uint32_t *task, volatile uint32_t *event)
{
    *event = 0;
    *task = 1;
    return board_await(event, PATIENCE_MS);
}

uint16_t battery_measure(void)
{
    SAADC_RESULT_PTR = (uint32_t)&result;
    SAADC_RESULT_MAXCNT = 1;
    SAADC_ENABLE = 1;
    bool good = run(&SAADC_TASKS_START, &SAADC_EVENTS_STARTED) &&
                run(&SAADC_TASKS_SAMPLE, &SAADC_EVENTS_END);
    good = run(&SAADC_TASKS_STOP, &SAADC_EVENTS_STOPPED) && good;
    SAADC_ENABLE = 0;
    int32_t steps = *(volatile int16_t *)&result;
    if (!good || steps < 0)
        return 0;
    return (uint16_t)(steps * FULL_SCALE_MV / STEPS * (UPPER_KOHM + LOWER_KOHM) / LOWER_KOHM);
}
