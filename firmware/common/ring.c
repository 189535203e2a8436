#include "ring.h"

void ring_start(struct ring *ring, uint8_t *bytes, uint8_t size)
{
    ring->bytes = bytes;
    ring->mask = (uint8_t)(size - 1);
    ring->head = ring->tail = ring->refused = 0;
}

uint8_t ring_room(const struct ring *ring)
{
    return (uint8_t)(ring->mask - ((ring->head - ring->tail) & ring->mask));
}

bool ring_put(struct ring *ring, uint8_t byte)
{
    if (ring_room(ring) == 0) {
        if (ring->refused < UINT8_MAX)
            ring->refused++;
        return false;
    }
    ring->bytes[ring->head] = byte;
    ring->head = (uint8_t)((ring->head + 1) & ring->mask);
    return true;
}

bool ring_get(struct ring *ring, uint8_t *byte)
{
    if (ring->tail == ring->head)
        return false;
    *byte = ring->bytes[ring->tail];
    ring->tail = (uint8_t)((ring->tail + 1) & ring->mask);
    return true;
}

uint8_t ring_get_refused(struct ring *ring)
{
    uint8_t refused = ring->refused;
    ring->refused = 0;
    return refused;
}
