#include "serial_port.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

static void take_from_hub(void *context, uint8_t byte)
{
    struct serial_port *port = context;
    if (port->waiting == SERIAL_PORT_BUFFER)
        serial_port_exchange(port);
    if (port->waiting == SERIAL_PORT_BUFFER)
        port->lost++;
    else
        port->to_host[port->waiting++] = byte;
}

static bool make_raw(int file)
{
    struct termios settings;
    if (tcgetattr(file, &settings) != 0)
        return false;
    cfmakeraw(&settings);
    return tcsetattr(file, TCSANOW, &settings) == 0;
}

static bool make_link(const struct serial_port *port)
{
    if (!port->link)
        return true;
    if (unlink(port->link) != 0 && errno != ENOENT)
        return false;
    return symlink(port->path, port->link) == 0;
}

bool serial_port_open(struct serial_port *port, struct board *hub, const char *link)
{
    *port = (struct serial_port){.link = link, .hub = hub, .slave = -1};
    port->master = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (port->master < 0 || grantpt(port->master) != 0 || unlockpt(port->master) != 0)
        return false;
    snprintf(port->path, sizeof port->path, "%s", ptsname(port->master));
    port->slave = open(port->path, O_RDWR | O_NOCTTY | O_CLOEXEC);
    hub->serial = take_from_hub;
    hub->serial_context = port;
    return port->slave >= 0 && make_raw(port->slave) && make_link(port);
}

void serial_port_close(struct serial_port *port)
{
    if (port->link)
        unlink(port->link);
    close(port->slave);
    close(port->master);
}

static void read_host(struct serial_port *port)
{
    uint8_t bytes[SERIAL_PORT_BUFFER];
    int room = SERIAL_PORT_BUFFER - port->count;
    ssize_t got = room > 0 ? read(port->master, bytes, (size_t)room) : 0;
    port->from_host += got > 0 ? (uint64_t)got : 0;
    for (ssize_t i = 0; i < got; i++)
        port->to_hub[(port->first + port->count++) % SERIAL_PORT_BUFFER] = bytes[i];
}

/* Without a reader, bytes that do not fit into the terminal's buffer wait here, and those that do
 * not fit here are lost, as on a USB port that is not open. */
static void write_host(struct serial_port *port)
{
    ssize_t done = port->waiting ? write(port->master, port->to_host, (size_t)port->waiting) : 0;
    if (done <= 0)
        return;
    port->handed_over += (uint64_t)done;
    port->waiting -= (int)done;
    memmove(port->to_host, port->to_host + done, (size_t)port->waiting);
}

void serial_port_exchange(struct serial_port *port)
{
    read_host(port);
    write_host(port);
}

bool serial_port_await(struct serial_port *port, uint64_t bytes)
{
    struct pollfd file = {port->master, POLLIN, 0};
    while (port->from_host < bytes) {
        if (poll(&file, 1, 1000) <= 0)
            return false;
        read_host(port);
    }
    return true;
}

uint64_t serial_port_due(const struct serial_port *port)
{
    return port->count ? port->free_ns : UINT64_MAX;
}

void serial_port_advance(struct serial_port *port, uint64_t now_ns)
{
    while (port->count && port->free_ns <= now_ns) {
        uint64_t began_ns = port->free_ns;
        core_uart_receive(&port->hub->core, now_ns, port->to_hub[port->first]);
        port->first = (port->first + 1) % SERIAL_PORT_BUFFER;
        port->count--;
        uint64_t least_ns = now_ns - began_ns > 1000000 ? now_ns : began_ns;
        port->free_ns = least_ns + core_uart_byte_ns(&port->hub->core);
    }
}
