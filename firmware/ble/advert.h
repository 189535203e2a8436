/* A die's advertisement: not connectable, from a random static address, with manufacturer data.
 *
 * After the length, type and company (0xFFFF, which the Bluetooth SIG leaves to tests) these are:
 *   0 'U', 'r'
 *   2 the firmware's number, greater with each change that matters to a player; `urpi dice update` shows it
 *   3 a frame of common/air_frame.h, 18 bytes: a report, signed if the die has a key; or that of a die
 *     without settings: version in the high half and 5 in the low, its cell's voltage, mV (2),
 *     zeros, and the CRC (2) of these bytes
 *  21 the acceleration at rest in milli-g, x, y and z, 2 bytes each, signed, by which `urpi dice
 *     calibrate` learns the faces. It is not signed with the key; no decision uses it.
 */
#ifndef URPI_BLE_ADVERT_H
#define URPI_BLE_ADVERT_H

#include "air_frame.h"
#include "vector.h"

enum { ADVERT_FIRMWARE = 2, ADVERT_BYTES = 2 + 6 + 4 + 3 + AIR_REPORT_BYTES + 6 };

/* Packs the PDU, with its header of two bytes, of a frame and the acceleration at rest. */
void advert_pack(uint8_t pdu[ADVERT_BYTES], const uint8_t frame[AIR_REPORT_BYTES],
                 const struct vector *rest);

/* Packs the frame of a die without settings. */
void advert_new_die(uint8_t frame[AIR_REPORT_BYTES], uint16_t battery_mv);

#endif
