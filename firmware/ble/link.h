/* Sends the reports in the outbox as advertisements. Nobody acknowledges them, so each is repeated. */
#ifndef URPI_BLE_LINK_H
#define URPI_BLE_LINK_H

#include <stdbool.h>
#include <stdint.h>

#include "die.h"

enum {
    LINK_INTERVAL_MS = 20,  /* the least that the specification allows (volume 6 part B, 4.4.2.2) ... */
    LINK_DELAY_MS = 10,     /* ... and the random delay that is added to it */
    LINK_REPEAT_MS = 1000,  /* for so long a new report is repeated ... */
    LINK_ENOUGH = 12,       /* ... or so often, if the next one waits: with a loss of 40 %, 0.002 % do not
                             * arrive */
    LINK_SIGNS = 3,         /* how often the last report is repeated later, as a sign of life */
};

void link_start(const struct identity *identity, uint16_t starts);

/* Sends what is due, which takes 2 ms. */
void link_step(struct die *die, uint32_t now_ms);

/* Returns whether something is to be sent, and when. */
bool link_is_busy(const struct die *die, uint32_t *due_ms);

/* Announces a die without settings. */
void link_announce(uint16_t battery_mv);

#endif
