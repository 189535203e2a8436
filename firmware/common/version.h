/* The version of both images, which the hub's greeting contains as `fw`. */
#ifndef URPI_VERSION_H
#define URPI_VERSION_H

#define FIRMWARE_VERSION "1.0.0"

#endif
