/* The die's radio: it sends the reports in the outbox, listens briefly after each acknowledged
 * report, and is off otherwise. */
#ifndef URPI_LINK_H
#define URPI_LINK_H

#include <stdbool.h>
#include <stdint.h>

#include "die.h"

/* Sets the radio up; `identity` must stay. Returns false if it does not respond. */
bool link_start(const struct identity *identity, uint8_t starts);

/* Sets a radio up again that did not respond or has lost its set-up. Returns false if it does not
 * respond. */
bool link_check(void);

/* Performs the step that is due. Returns true if a command requires a forced episode. */
bool link_step(struct die *die, uint32_t now_ms);

/* Returns whether the radio needs the clock: it sends, listens, warms up or waits to send again. */
bool link_is_busy(const struct die *die);

#endif
