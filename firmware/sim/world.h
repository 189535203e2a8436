/* A hub and its dice on one clock. All randomness depends on the seed. */
#ifndef SIM_WORLD_H
#define SIM_WORLD_H

#include "board.h"

enum { WORLD_DICE_MAX = 6, WORLD_BOARDS_MAX = WORLD_DICE_MAX + 1 };

struct world {
    struct board board[WORLD_BOARDS_MAX]; /* the hub, then dice 1 .. */
    int boards;
    struct air air;
    uint64_t now_ns;
    double loss; /* of every packet between the hub and a die, 0 to 1 */
};

struct world_options {
    const char *hub_image, *die_image;
    int dice;
    const struct body_shape *body;
    int set;
    uint64_t seed;
    bool calibrated;
    const uint8_t *key;     /* of the hub and all dice, or null */
    const uint8_t *die_key; /* of the dice only, instead; null for the same */
    bool keyless_dice;      /* the dice have none */
    bool twins; /* all dice were flashed with number 1 */
};

/* Begins with all dice on the table and everything switched on. Returns null, or the path of an
 * image that cannot be read. */
const char *world_begin(struct world *world, const struct world_options *options);

/* Advances time to `until_ns`. */
void world_run(struct world *world, uint64_t until_ns);

/* Sets the share of packets lost, for all dice or for one board. */
void world_set_loss(struct world *world, int board, double loss);

#endif
