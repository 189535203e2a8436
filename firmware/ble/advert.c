#include "advert.h"

#include <string.h>

#include "bytes.h"
#include "crc16.h"
#include "nrf52840.h"
#include "protocol.h"

enum {
    NONCONN_FROM_RANDOM_ADDRESS = 0x42, /* ADV_NONCONN_IND, TxAdd (volume 6 part B, 2.3) */
    STATIC_ADDRESS = 0xC000,            /* the two highest bits (1.3.2.1) */
    MANUFACTURER_DATA = 0xFF,
    COMPANY_FOR_TESTS = 0xFFFF,
    NEW_DIE = 5,
    DATA_AT = 8,
    REST_AT = ADVERT_BYTES - 6,
};

void advert_pack(uint8_t pdu[ADVERT_BYTES], const uint8_t frame[AIR_REPORT_BYTES],
                 const struct vector *rest)
{
    const uint8_t data[] = {ADVERT_BYTES - DATA_AT - 1, MANUFACTURER_DATA,
                            COMPANY_FOR_TESTS & 0xFF,   COMPANY_FOR_TESTS >> 8,
                            'U', 'r', ADVERT_FIRMWARE};
    pdu[0] = NONCONN_FROM_RANDOM_ADDRESS;
    pdu[1] = ADVERT_BYTES - 2;
    bytes_put32(pdu + 2, FICR_DEVICEADDR0);
    bytes_put16(pdu + 6, (uint16_t)(FICR_DEVICEADDR1 | STATIC_ADDRESS));
    memcpy(pdu + DATA_AT, data, sizeof data);
    memcpy(pdu + DATA_AT + sizeof data, frame, AIR_REPORT_BYTES);
    bytes_put16(pdu + REST_AT, (uint16_t)rest->x);
    bytes_put16(pdu + REST_AT + 2, (uint16_t)rest->y);
    bytes_put16(pdu + REST_AT + 4, (uint16_t)rest->z);
}

void advert_new_die(uint8_t frame[AIR_REPORT_BYTES], uint16_t battery_mv)
{
    memset(frame, 0, AIR_REPORT_BYTES);
    frame[0] = AIR_VERSION << 4 | NEW_DIE;
    bytes_put16(frame + 1, battery_mv);
    bytes_put16(frame + AIR_REPORT_BYTES - 2,
                crc16_add(PROTOCOL_CRC_START, frame, AIR_REPORT_BYTES - 2));
}
