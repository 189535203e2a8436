#include "../hub/pins.h"
#include "board_wiring.h"

const struct board_wiring board_wiring_hub = {
    .csn = HUB_CSN_BIT,
    .ce = HUB_CE_BIT,
    .radio_irq = HUB_RADIO_IRQ_BIT,
    .led = HUB_LED_BIT,
    .accel_int = -1,
    .sda = -1,
    .scl = -1,
    .battery_adc = -1,
};
