/* A world that somebody plays with: its clock, its serial port, and the commands given to it. */
#ifndef SIM_SESSION_H
#define SIM_SESSION_H

#include "serial_port.h"
#include "world.h"

enum { SESSION_ANSWER_BYTES = 16384 };

struct session {
    struct world world;
    struct serial_port port;
    double speed; /* virtual seconds a second; 0: time goes on by `run` alone */
    bool over;
};

/* Lets virtual time go on, bytes to and from the host included. */
void session_run(struct session *session, uint64_t until_ns);

/* Does what a line says (README.md, Commands) and writes the answer, one line without its end. */
void session_command(struct session *session, char *line, char answer[SESSION_ANSWER_BYTES]);

/* Everything that can be known, as JSON in one line. */
void session_status(struct session *session, char answer[SESSION_ANSWER_BYTES]);

#endif
