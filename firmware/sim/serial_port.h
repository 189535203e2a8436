/* The hub's USB serial port as the host sees it: a pseudo-terminal, with a name of one's choice. */
#ifndef SIM_SERIAL_PORT_H
#define SIM_SERIAL_PORT_H

#include "board.h"

enum { SERIAL_PORT_BUFFER = 8192 };

struct serial_port {
    int master, slave; /* the slave stays open here, so that hanging up is no end */
    char path[64];     /* the terminal's */
    const char *link;  /* a symbolic link to it, or null */
    struct board *hub;
    uint8_t to_hub[SERIAL_PORT_BUFFER];
    int first, count;
    uint64_t free_ns; /* when the line to the hub is free for the next byte */
    uint8_t to_host[SERIAL_PORT_BUFFER];
    int waiting;
    uint32_t lost;                   /* bytes that nobody read in time */
    uint64_t from_host, handed_over; /* bytes so far */
};

/* Makes the terminal, and the link at `link` if that is not null. False with errno set. */
bool serial_port_open(struct serial_port *port, struct board *hub, const char *link);
void serial_port_close(struct serial_port *port);

/* Takes what the host wrote, and hands over what the hub sent. */
void serial_port_exchange(struct serial_port *port);

/* Waits until the host's first so many bytes are here; false when they do not come for a second. */
bool serial_port_await(struct serial_port *port, uint64_t bytes);

/* When the next byte reaches the hub; UINT64_MAX for none. Then call serial_port_advance(). */
uint64_t serial_port_due(const struct serial_port *port);
void serial_port_advance(struct serial_port *port, uint64_t now_ns);

#endif
