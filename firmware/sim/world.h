/* A hub and its dice on one clock. Nothing here is left to chance but by the seed. */
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
    int kind; /* faces */
    int set;
    uint64_t seed;
    bool learnt;
};

/* Everything lies on the table and is switched on. On failure returns the image that could not
 * be read, else null. */
const char *world_begin(struct world *world, const struct world_options *options);

/* Lets time go on up to `until_ns`. */
void world_run(struct world *world, uint64_t until_ns);

/* From now on every so-manieth packet is lost, or all of one die's. */
void world_set_loss(struct world *world, int board, double loss);

#endif
