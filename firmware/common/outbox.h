/* The queue of a die's reports to the hub, each sent in order until it is acknowledged.
 *
 * It decides when the next burst of transmissions begins; the radio sends the bursts. Time and
 * random numbers are passed in. Each report contains its age, so that the hub knows when it
 * happened however often it was sent.
 */
#ifndef URPI_OUTBOX_H
#define URPI_OUTBOX_H

#include <stdbool.h>
#include <stdint.h>

#include "air_frame.h"

enum { OUTBOX_SIZE = 6 };

struct outbox {
    struct air_report last;  /* the report added last */
    struct air_report reports[OUTBOX_SIZE]; /* the oldest first; age_ms is set on sending */
    uint32_t born_ms[OUTBOX_SIZE];
    uint8_t count;
    uint32_t next_number;
    uint8_t bursts;      /* number of unacknowledged bursts */
    uint32_t due_ms;     /* when the next burst begins */
    uint16_t dropped;    /* number of reports dropped for lack of room; saturates */
};

/* Initializes an empty queue, whose first report gets the number `first_number`. */
void outbox_start(struct outbox *box, uint32_t first_number);

/* Numbers and adds a report that happened now, and resumes sending if it had given up. A full queue
 * drops and counts its oldest superseded report (rolling, handled), or otherwise its oldest one,
 * but never the first, which may be in transmission. */
void outbox_put(struct outbox *box, const struct air_report *report, uint32_t now_ms);

/* Adds the last report with its number again to an empty queue, as a heartbeat. */
void outbox_repeat(struct outbox *box, uint32_t now_ms);

/* Returns whether a burst must begin now. */
bool outbox_is_due(const struct outbox *box, uint32_t now_ms);

/* Returns whether the die must stay awake for the queue. */
bool outbox_is_urgent(const struct outbox *box);

/* Returns the report to send, with its age. The queue must not be empty. */
struct air_report outbox_front(const struct outbox *box, uint32_t now_ms);

/* Removes an acknowledged report; the next one may be sent at once. */
void outbox_acknowledged(struct outbox *box, uint32_t now_ms);

/* Processes an unacknowledged burst: the next one follows after a random delay below a limit that
 * doubles. `random` is any number. */
void outbox_unacknowledged(struct outbox *box, uint32_t now_ms, uint16_t random);

/* Begins all bursts again after sleep. */
void outbox_wake(struct outbox *box, uint32_t now_ms);

/* Sends a single burst after sleep, because the hub has not responded for a long time. */
void outbox_try_once(struct outbox *box, uint32_t now_ms);

/* Returns whether a report only announces a later one: the throw's result tells the host the same. */
bool outbox_is_superseded(const struct air_report *report);

#endif
