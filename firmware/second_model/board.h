/* A hub or a die: the processor with its chips, wires, supply and current. */
#ifndef SECOND_BOARD_H
#define SECOND_BOARD_H

#include "mcu.h"
#include "motion.h"
#include "radio.h"
#include "sensor.h"

enum { HOST_BYTES = 4096 };

/* The tolerances of one board's parts, as factors of frequencies. */
struct tolerances {
    double clock, watchdog, rate;
};

struct board {
    bool is_hub;
    struct violations violations;
    struct chance chance;
    struct mcu mcu;
    struct sensor sensor;
    struct radio radio;
    struct motion motion;
    int cell_mv;          /* of a die */
    bool csn_floats;      /* while the processor is in reset: no pull-up */
    bool int1, irq;       /* levels of the lines; irq is active */
    bool int1_stuck;      /* shorted to the supply */
    bool scl_low;

    /* the serial line of a hub */
    uint8_t to_mcu[HOST_BYTES], from_mcu[HOST_BYTES];
    int to_mcu_count, from_mcu_count;

    /* measured */
    double charge_uc[4];  /* processor, sensor, radio, rest */
    bool lamp;
};

/* Initializes a board that is switched off. */
void board_begin(struct board *board, bool is_hub, uint64_t seed, const struct tolerances *given,
                 struct air *air);

/* Loads an Intel HEX file into flash (or EEPROM). Returns false if it cannot be read. */
bool board_load(struct board *board, const char *path, bool eeprom);

/* Sets the supply: the cell of a die, or that of the hub (5000 or 0). */
void board_supply(struct board *board, int mv);
void board_host_sends(struct board *board, uint8_t byte);

/* --- called by the processor --- */

uint8_t board_read_port(struct board *board, int port, uint8_t directions, uint8_t outputs);
void board_outputs_changed(struct board *board);
void board_mcu_reset(struct board *board);
void board_check_power_down(struct board *board);
void board_event(struct board *board, enum mcu_event event, ps at);
void board_elapsed(struct board *board, enum mcu_state state, ps time);
double board_analog(struct board *board, int channel);
uint8_t board_spi(struct board *board, uint8_t byte, int mode, bool low_bit_first, ps bit);
void board_twi_start(struct board *board);
bool board_twi_is_free(const struct board *board);
bool board_twi_address(struct board *board, uint8_t byte);
bool board_twi_write(struct board *board, uint8_t byte);
uint8_t board_twi_read(struct board *board);
void board_twi_stop(struct board *board);
void board_twi_abandoned(struct board *board);
void board_usart_sent(struct board *board, uint8_t byte);
void board_usart_receives(struct board *board);

#endif
