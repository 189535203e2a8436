/* A running simulation: its world, its clock, its serial port, and its commands. */
#ifndef SIM_SESSION_H
#define SIM_SESSION_H

#include "serial_port.h"
#include "world.h"

enum { SESSION_REPLY_BYTES = 16384 };

struct session {
    struct world world;
    struct serial_port port;
    double speed; /* virtual seconds per second; 0: time advances only by `run` */
    bool over;
};

/* Advances virtual time, and transfers the bytes to and from the host. */
void session_run(struct session *session, uint64_t until_ns);

/* Executes a command (README.md, Commands) and writes its reply, one line without its end. */
void session_command(struct session *session, char *line, char reply[SESSION_REPLY_BYTES]);

/* Writes the complete state as one line of JSON. */
void session_status(struct session *session, char reply[SESSION_REPLY_BYTES]);

#endif
