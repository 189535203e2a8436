/* The board of a die or hub: the processor, the other chips, their wiring (die/pins.h, hub/pins.h)
 * and the supply. */
#ifndef SIM_BOARD_H
#define SIM_BOARD_H

#include "air.h"
#include "core.h"
#include "nrf24_chip.h"
#include "specimen.h"

struct board_options {
    const char *image; /* the ELF file */
    int number;        /* die number from 1; 0 for the hub */
    const struct body_shape *body; /* of the die; null for the hub */
    int set;
    uint64_t seed;
    int flashed_as;  /* the number in its EEPROM */
    const uint8_t *key; /* the board's secret, or null */
    bool calibrated; /* whether a die is calibrated, as after `urpi dice calibrate` */
};

struct board {
    struct core core;
    struct nrf24_chip radio;
    struct specimen specimen; /* a die's body and accelerometer */
    struct air *air;
    int air_number;
    int number, kind;
    int reference_mv; /* actual voltage of this chip's 1.1 V reference */
    uint32_t cell_mv;
    bool int1_shorted;
    struct meter lamp;
    /* Called with each byte sent on the hub's serial line. */
    void (*serial)(void *context, uint8_t byte);
    void *serial_context;
};

/* Charge used since the start in microcoulombs, by part. */
struct board_charge {
    double processor, accel, radio, lamp, rest;
};

/* Initializes a board, which is off. Returns false if the image cannot be read. */
bool board_begin(struct board *board, const struct board_options *options, struct air *air);

bool board_is_die(const struct board *board);

/* Switches the supply on or off. */
void board_power(struct board *board, uint64_t now_ns, bool on);

/* Sets the cell's voltage. Below the limit of the regulator and the brown-out detector the
 * processor stops, and above it restarts. */
void board_set_cell(struct board *board, uint64_t now_ns, uint32_t millivolts);

/* Solders in another chip that was flashed with the same number and key. Its EEPROM has nothing else. */
void board_exchange_chip(struct board *board, uint64_t now_ns);

/* Shorts the sensor's INT1 to the supply, or ends it. */
void board_short_int1(struct board *board, uint64_t now_ns, bool shorted);

/* Returns when the next event occurs on this board; see core_due(). */
uint64_t board_due(const struct board *board);
void board_run(struct board *board, uint64_t until_ns);
void board_advance(struct board *board, uint64_t now_ns);

bool board_lamp_is_on(const struct board *board);
struct board_charge board_charge(struct board *board, uint64_t now_ns);

#endif
