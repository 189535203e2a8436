/* The hub between the dice and the Pi: the state of each die, and the next line to send.
 *
 * Pure: the time is passed in. The caller fetches a line only when there is room for it
 * (hub_next_line), so that no line is ever truncated. A die's report is repeated until the Pi
 * acknowledges it (PROTOCOL_RESEND_MS, PROTOCOL_RESEND_LIMIT), and the last report of every die is
 * kept for $ASK.
 */
#ifndef URPI_HUB_H
#define URPI_HUB_H

#include <stdbool.h>
#include <stdint.h>

#include "air_frame.h"
#include "identity.h"
#include "serial_line.h"

enum { HUB_DICE = PROTOCOL_DIE_MAX, HUB_QUEUE = 10, HUB_FLASH_MS = 20, HUB_SEQ_BACK = 128 };

/* A report about a die in a compact form, because the queue holds many. */
struct hub_report {
    uint32_t t_ms;
    uint16_t seq;
    uint16_t throws;
    uint16_t fall_ms;
    uint16_t battery_mv;
    uint8_t die : 4;
    uint8_t face : 4;
    uint8_t state : 4;
    uint8_t kind : 4; /* 0: the hub's own report, lost or found */
    uint8_t angle_deg;
    uint8_t tumbles;
    uint8_t verdict : 4; /* enum air_verdict */
    uint8_t error : 4;   /* enum protocol_error, or SERIAL_NO_ERROR */
};

/* A report that the Pi has not acknowledged yet. */
struct hub_pending {
    struct hub_report report;
    uint16_t due_ms;
    uint8_t left; /* how many times it is still sent */
};

struct hub_die {
    struct hub_report last; /* its own last report */
    uint32_t received_ms;  /* when its last frame was received */
    uint32_t lost_ms;      /* time and number of the hub's report that the die is lost */
    uint16_t lost_seq;
    uint32_t number;       /* of its last signed report; 0 if none was received with this key */
    uint8_t starts, seq;   /* of its last radio report: the same values again mean a repeat */
    uint8_t starts_before; /* the number of starts before that one */
    bool known : 1, lost : 1; /* received since the hub's start; silent now */
    bool is_signed : 1;    /* its last report was */
    bool unstored : 1;     /* `number` must be stored */
    bool restarted : 1;    /* starts_before is valid */
    bool twin : 1;         /* there is another die with its number, as of twin_ms */
    bool resend : 1, resend_lost : 1; /* send its last report, or that it is lost, again for $ASK */
    uint32_t twin_ms;
    uint8_t order_seq;     /* number of the last command sent to it */
    uint8_t lamp : 2;      /* pending lamp command: 0 none, 1 off, 2 on */
    uint8_t calibrate : 3; /* pending calibration: 0 none, or the face */
    uint16_t cell_mv;      /* pending calibration of the battery: 0 none, or its voltage */
    uint8_t tries;         /* failed attempts to send the pending command */
    uint32_t ordered_ms;   /* when the Pi sent the command */
};

struct hub {
    struct identity identity;
    const char *firmware;
    uint8_t error;            /* enum protocol_error, or SERIAL_NO_ERROR */
    uint8_t renewed;          /* the die whose new chip may go on from `number`, since renewed_ms */
    bool is_behind;           /* ... it has just sent a report with the lower number behind_number */
    uint32_t renewed_ms;
    uint32_t behind_number;
    bool has_rejected;        /* a report was rejected as forged, at rejected_ms */
    uint32_t rejected_ms;
    uint16_t next_seq;
    uint16_t dropped;         /* stays at 65535 */
    uint32_t greet_ms;
    uint32_t flash_ms;        /* when the lamp's flash for a frame ends */
    bool flashes;
    struct hub_pending queue[HUB_QUEUE]; /* the oldest first */
    uint8_t waiting;
    struct hub_die dice[HUB_DICE];
};

/* Starts the hub, which sends its greeting at once. `identity` is copied; `error` is a
 * protocol_error or SERIAL_NO_ERROR. */
void hub_start(struct hub *hub, const struct identity *identity, const char *firmware,
               uint8_t error, uint32_t now_ms);

/* Sets the number of the last signed report of a die (1 to 8), as stored before the hub's start. */
void hub_set_number(struct hub *hub, uint8_t die, uint32_t number);

/* Returns the next die whose number must be stored, or 0; it counts as stored then. */
uint8_t hub_next_unstored(struct hub *hub, uint32_t *number);

/* Counts dropped items, such as a corrupted frame or line. */
void hub_drop(struct hub *hub, uint16_t more);

/* Processes a radio frame of AIR_REPORT_BYTES. Returns the number of the die that sent it, to which
 * its commands can be sent now, or 0 if the frame is invalid. */
uint8_t hub_on_frame(struct hub *hub, const uint8_t *frame, uint32_t now_ms);

/* Processes a command from the Pi. */
void hub_on_command(struct hub *hub, const struct serial_command *command, uint32_t now_ms);

/* Processes elapsed time: silent dice become lost, and commands not fetched in time are dropped. */
void hub_tick(struct hub *hub, uint32_t now_ms);

/* Returns whether the hub's lamp is on: briefly for each frame, and while the hub has an error. */
bool hub_is_lit(const struct hub *hub);

/* Writes the line that is due now, including its end, and returns its length, or 0 if none is
 * due. `line` has room for PROTOCOL_MAX_LINE_BYTES. */
uint8_t hub_next_line(struct hub *hub, char *line, uint32_t now_ms);

/* Gets the pending command of a die (1 to 8). Returns false if there is none. */
bool hub_next_order(const struct hub *hub, uint8_t die, struct air_order *order);

/* Packs a command, signed if the die signs its reports and the hub has its key. */
void hub_pack_order(const struct hub *hub, uint8_t frame[AIR_COMMAND_BYTES],
                    const struct air_order *order);

/* Processes the result of sending a command to a die. */
void hub_order_sent(struct hub *hub, const struct air_order *order, bool acknowledged);

#endif
