/* The boards' wiring, from the firmware's two pins.h files, which cannot be included together. */
#ifndef SIM_BOARD_WIRING_H
#define SIM_BOARD_WIRING_H

#include <stdint.h>

struct board_wiring {
    int csn, ce;        /* port B */
    int radio_irq, led; /* port D */
    int accel_int;      /* port D; -1 on a hub */
    int sda, scl;       /* port C; -1 on a hub */
    int battery_adc;    /* -1 on a hub */
    uint32_t divider_permille;
};

extern const struct board_wiring board_wiring_die, board_wiring_hub;

#endif
