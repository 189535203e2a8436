/* The hub's USB serial port for the host: a pseudo-terminal, with an optional symbolic link. */
#ifndef SIM_SERIAL_PORT_H
#define SIM_SERIAL_PORT_H

#include "board.h"

enum { SERIAL_PORT_BUFFER = 8192 };

struct serial_port {
    int master, slave; /* the slave stays open here, so that a host can close and reopen it */
    char path[64];     /* path of the terminal */
    const char *link;  /* a symbolic link to it, or null */
    struct board *hub;
    uint8_t to_hub[SERIAL_PORT_BUFFER];
    int first, count;
    uint64_t free_ns; /* when the line to the hub is free for the next byte */
    uint8_t to_host[SERIAL_PORT_BUFFER];
    int waiting;
    uint32_t lost;                   /* bytes not read in time */
    uint64_t from_host, handed_over; /* total bytes */
};

/* Opens the terminal, and creates the link `link` if it is not null. Returns false and sets errno
 * on failure. */
bool serial_port_open(struct serial_port *port, struct board *hub, const char *link);
void serial_port_close(struct serial_port *port);

/* Reads the bytes written by the host, and writes those sent by the hub. */
void serial_port_exchange(struct serial_port *port);

/* Waits until a total of `bytes` of the host have arrived. Returns false if none arrive for a
 * second. */
bool serial_port_await(struct serial_port *port, uint64_t bytes);

/* Returns when the next byte reaches the hub, UINT64_MAX for none. Call serial_port_advance() then.
 */
uint64_t serial_port_due(const struct serial_port *port);
void serial_port_advance(struct serial_port *port, uint64_t now_ns);

#endif
