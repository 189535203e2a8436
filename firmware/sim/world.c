#include "world.h"

#include <stddef.h>

/* Boards affect each other over the air only, and a radio settles for 130 us before it transmits:
 * for less than that, each board can run by itself. */
#define SLICE_NS 100000u

const char *world_begin(struct world *world, const struct world_options *options)
{
    *world = (struct world){.boards = options->dice + 1};
    air_begin(&world->air, options->seed);
    for (int i = 0; i < world->boards; i++) {
        struct board_options board = {
            .image = i ? options->die_image : options->hub_image,
            .number = i,
            .body = i ? options->body : NULL,
            .set = options->set,
            .seed = options->seed,
            .calibrated = options->calibrated,
            .key = !i                      ? options->key
                   : options->keyless_dice ? NULL
                   : options->die_key      ? options->die_key
                                           : options->key,
            .flashed_as = options->twins && i ? 1 : i,
        };
        if (!board_begin(&world->board[i], &board, &world->air))
            return board.image;
    }
    for (int i = 0; i < world->boards; i++)
        board_power(&world->board[i], 0, true);
    return NULL;
}

static uint64_t next_stop(const struct world *world, uint64_t until_ns)
{
    uint64_t next = until_ns;
    uint64_t due = air_due(&world->air);
    next = due < next ? due : next;
    for (int i = 0; i < world->boards; i++) {
        due = board_due(&world->board[i]);
        if (world->board[i].core.state == CORE_RUNNING) {
            uint64_t slice = world->now_ns + SLICE_NS;
            next = slice < next ? slice : next;
        } else {
            next = due < next ? due : next;
        }
    }
    return next > world->now_ns ? next : world->now_ns + 1;
}

void world_run(struct world *world, uint64_t until_ns)
{
    while (world->now_ns < until_ns) {
        uint64_t next = next_stop(world, until_ns);
        for (int i = 0; i < world->boards; i++)
            board_run(&world->board[i], next);
        world->now_ns = next;
        air_advance(&world->air, next);
        for (int i = 0; i < world->boards; i++)
            board_advance(&world->board[i], next);
    }
}

void world_set_loss(struct world *world, int board, double loss)
{
    world->air.loss[world->board[board].air_number] = loss;
}
