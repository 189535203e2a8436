/* The firmware's version, of both images: what the hub's greeting says as `fw`. */
#ifndef URPI_VERSION_H
#define URPI_VERSION_H

#define FIRMWARE_VERSION "1.0.0"

#endif
