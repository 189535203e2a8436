#include "../die/pins.h"
#include "board_wiring.h"

const struct board_wiring board_wiring_die = {
    .csn = DIE_CSN_BIT,
    .ce = DIE_CE_BIT,
    .radio_irq = DIE_RADIO_IRQ_BIT,
    .led = DIE_LED_BIT,
    .accel_int = DIE_ACCEL_INT_BIT,
    .sda = DIE_SDA_BIT,
    .scl = DIE_SCL_BIT,
    .battery_adc = DIE_BATTERY_ADC,
    .divider_permille = DIE_BATTERY_DIVIDER_PERMILLE,
};
