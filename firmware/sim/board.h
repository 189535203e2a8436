/* A die's or a hub's board: the processor, the chips around it, the wires between them
 * (die/pins.h, hub/pins.h) and the supply. */
#ifndef SIM_BOARD_H
#define SIM_BOARD_H

#include "air.h"
#include "core.h"
#include "nrf24_chip.h"
#include "specimen.h"

struct board_options {
    const char *image; /* the ELF file */
    int number;        /* a die's, from 1; the hub's is 0 */
    int kind;          /* a die's faces; the hub's is 0 */
    int set;
    uint64_t seed;
    bool learnt; /* a die's EEPROM holds its calibration, as after `urpi dice calibrate` */
};

struct board {
    struct core core;
    struct nrf24_chip radio;
    struct specimen specimen; /* a die's body and accelerometer */
    struct air *air;
    int air_number;
    int number, kind;
    int reference_mv; /* what this chip's 1.1 V reference gives */
    uint32_t cell_mv;
    struct meter lamp;
    /* A byte left the hub's serial line. */
    void (*serial)(void *context, uint8_t byte);
    void *serial_context;
};

/* Charge since the start, microcoulombs, by what took it. */
struct board_charge {
    double processor, accel, radio, lamp, rest;
};

/* False when the image cannot be read. The board is off. */
bool board_begin(struct board *board, const struct board_options *options, struct air *air);

bool board_is_die(const struct board *board);

/* Battery in or out; restart is out and in at once. */
void board_power(struct board *board, uint64_t now_ns, bool on);

/* The cell's voltage: below what the regulator and the brown-out detector need the processor
 * stops, and starts anew above it. */
void board_set_cell(struct board *board, uint64_t now_ns, uint32_t millivolts);

/* When something happens here by itself; see core_due(). */
uint64_t board_due(const struct board *board);
void board_run(struct board *board, uint64_t until_ns);
void board_advance(struct board *board, uint64_t now_ns);

bool board_lamp_is_on(const struct board *board);
struct board_charge board_charge(struct board *board, uint64_t now_ns);

#endif
