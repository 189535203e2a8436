/* The die's radio: it sends what is in the outbox, listens for a moment after each report that
 * was heard, and is off otherwise. */
#ifndef URPI_LINK_H
#define URPI_LINK_H

#include <stdbool.h>
#include <stdint.h>

#include "die.h"

/* Sets the radio up. False when it is dead. */
bool link_start(const struct identity *identity, uint8_t starts);

/* Looks after a radio that is dead or has lost its set-up. False when it is dead. */
bool link_check(void);

/* Does what is due now. True when a command asks the die to look how it lies. */
bool link_step(struct die *die, uint32_t now_ms);

/* Whether the clock must run for it: it sends, listens, warms up or waits to send again. */
bool link_is_busy(const struct die *die);

#endif
