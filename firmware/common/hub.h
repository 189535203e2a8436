/* The hub between the dice and the Pi: what it keeps of each, and which line it says next.
 *
 * Pure: the time is passed in, lines are asked for when there is room for one (hub_next_line),
 * so that nothing is ever cut off. A die's report is said until the Pi has heard it
 * (PROTOCOL_RESEND_MS, PROTOCOL_RESEND_LIMIT), and the last one of every die is kept for $ASK.
 */
#ifndef URPI_HUB_H
#define URPI_HUB_H

#include <stdbool.h>
#include <stdint.h>

#include "air_frame.h"
#include "identity.h"
#include "serial_line.h"

enum { HUB_DICE = PROTOCOL_DIE_MAX, HUB_QUEUE = 12, HUB_FLASH_MS = 20 };

/* What is told of a die, small: the queue holds many. */
struct hub_word {
    uint32_t t_ms;
    uint16_t seq;
    uint16_t throws;
    uint16_t fall_ms;
    uint16_t battery_mv;
    uint8_t die;
    uint8_t state;
    uint8_t fault;
    uint8_t kind; /* 0: the hub's own word, lost or found */
    uint8_t face;
    uint8_t angle_deg;
    uint8_t tumbles;
};

/* A word that the Pi has not heard yet. */
struct hub_unheard {
    struct hub_word word;
    uint16_t due_ms;
    uint8_t left; /* how often it is still said */
};

struct hub_die {
    struct hub_word last;  /* its own last report */
    uint32_t heard_ms;
    uint32_t lost_ms;      /* when, and with which number, the hub told that it is lost */
    uint16_t lost_seq;
    uint8_t starts, seq;   /* of its last report on the air: the same again is a repeat */
    bool known, lost;      /* heard since the hub's start; silent now */
    bool ask, ask_lost;    /* its last report, and that it is lost, are to be said again */
    uint8_t order_seq;     /* of the last command that it was sent */
    uint8_t lamp;          /* a command that waits: 0 none, 1 off, 2 on */
    uint8_t learn;         /* ... 0 none, or the face */
    uint8_t tries;         /* commands sent in vain since then */
    uint32_t ordered_ms;   /* when the Pi gave it */
};

struct hub {
    struct identity identity;
    const char *firmware;
    uint8_t error;            /* enum protocol_error, or SERIAL_NO_ERROR */
    uint16_t next_seq;
    uint16_t dropped;         /* stays at 65535 */
    uint32_t greet_ms;
    uint32_t flash_ms;        /* until when the lamp tells of a frame */
    bool flashes;
    struct hub_unheard queue[HUB_QUEUE]; /* the oldest first */
    uint8_t waiting;
    struct hub_die dice[HUB_DICE];
};

/* Starts, and greets at once. `identity` is copied; `error` is SERIAL_NO_ERROR or why not. */
void hub_start(struct hub *hub, const struct identity *identity, const char *firmware,
               uint8_t error, uint32_t now_ms);

/* Counts something that was lost on the way: a broken frame or line. */
void hub_drop(struct hub *hub, uint16_t more);

/* A frame of the air came, AIR_REPORT_BYTES. Gives the die that sent it, 0 for a broken one. */
uint8_t hub_take_frame(struct hub *hub, const uint8_t *frame, uint32_t now_ms);

/* The Pi said something. */
void hub_take_command(struct hub *hub, const struct serial_command *command, uint32_t now_ms);

/* Time went by: dice that are silent are lost, commands that nobody fetched are dropped. */
void hub_pass(struct hub *hub, uint32_t now_ms);

/* Whether its lamp is on: for a moment with each frame, and while something is wrong with it. */
bool hub_is_lit(const struct hub *hub);

/* Writes the line that is due now, with its end, and gives its length; 0 when none is.
 * `line` holds PROTOCOL_MAX_LINE_BYTES. */
uint8_t hub_next_line(struct hub *hub, char *line, uint32_t now_ms);

/* The command that waits for a die (1 to 8). False when there is none. */
bool hub_next_order(const struct hub *hub, uint8_t die, struct air_order *order);

/* How sending it went: `heard` by the die, or not. */
void hub_order_sent(struct hub *hub, const struct air_order *order, bool heard);

#endif
