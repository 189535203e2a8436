/* Bluetooth's advertising channels: sends a PDU on each of the three. */
#ifndef URPI_BLE_RADIO_H
#define URPI_BLE_RADIO_H

#include <stdbool.h>
#include <stdint.h>

void radio_start(void);

/* Sends the PDU on channels 37, 38 and 39; it must be in RAM. Takes 2 ms. Returns false if the crystal
 * does not start. */
bool radio_advertise(const uint8_t *pdu);

#endif
