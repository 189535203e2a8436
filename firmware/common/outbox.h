/* A die's reports on their way to the hub: in order, each until it was heard.
 *
 * Owns when the next burst of tries begins; the bursts themselves are the radio's. Time and
 * randomness are passed in. The age of a report is told with it, so that the hub knows when it
 * happened however often it was said.
 */
#ifndef URPI_OUTBOX_H
#define URPI_OUTBOX_H

#include <stdbool.h>
#include <stdint.h>

#include "air_frame.h"

enum { OUTBOX_SIZE = 6 };

struct outbox {
    struct air_report last;  /* the one that was added last */
    struct air_report reports[OUTBOX_SIZE]; /* the oldest first; age_ms is not yet counted */
    uint32_t born_ms[OUTBOX_SIZE];
    uint8_t count;
    uint8_t next_seq;
    uint8_t bursts;      /* that nobody answered */
    uint32_t due_ms;     /* when the next one begins */
    uint16_t dropped;    /* reports for which there was no room; stays at 65535 */
};

/* Empty; the first report is number `first_seq`. */
void outbox_start(struct outbox *box, uint8_t first_seq);

/* Adds a report that happened now and numbers it; a box that had given up wakes. A full box lets go of its oldest report that
 * a later one supersedes (rolling, handled), or else of the oldest, and counts it; never of
 * the first, which may be on the air. */
void outbox_put(struct outbox *box, const struct air_report *report, uint32_t now_ms);

/* Adds the last report once more, with the number it had, to an empty box: a sign of life. */
void outbox_repeat(struct outbox *box, uint32_t now_ms);

/* Whether a burst is to begin now. */
bool outbox_is_due(const struct outbox *box, uint32_t now_ms);

/* Whether the die should stay awake for what is in the box. */
bool outbox_is_urgent(const struct outbox *box);

/* The report to send, with its age. The box must not be empty. */
struct air_report outbox_front(const struct outbox *box, uint32_t now_ms);

/* The hub has it: the next one may follow at once. */
void outbox_heard(struct outbox *box, uint32_t now_ms);

/* Nobody answered a burst: waits below a limit that doubles. `random` is any number. */
void outbox_unheard(struct outbox *box, uint32_t now_ms, uint16_t random);

/* The die has slept and tries again. */
void outbox_wake(struct outbox *box, uint32_t now_ms);

/* Likewise, but with a single burst: nobody has answered for long. */
void outbox_try_once(struct outbox *box, uint32_t now_ms);

#endif
