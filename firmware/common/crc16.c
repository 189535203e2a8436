#include "crc16.h"

#include "protocol.h"

uint16_t crc16_update(uint16_t crc, uint8_t byte)
{
    crc ^= (uint16_t)((uint16_t)byte << 8);
    for (uint8_t bit = 0; bit < 8; bit++)
        crc = (crc & 0x8000U) ? (uint16_t)((uint16_t)(crc << 1) ^ PROTOCOL_CRC_POLYNOMIAL)
                              : (uint16_t)(crc << 1);
    return crc;
}

uint16_t crc16_add(uint16_t crc, const uint8_t *bytes, size_t size)
{
    while (size--)
        crc = crc16_update(crc, *bytes++);
    return crc;
}
