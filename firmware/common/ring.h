/* A ring buffer of bytes between an interrupt and the main loop: one side writes, the other reads.
 *
 * A full ring rejects and counts bytes; nothing is overwritten. The indexes are single bytes, so
 * that they are read and written atomically.
 */
#ifndef URPI_RING_H
#define URPI_RING_H

#include <stdbool.h>
#include <stdint.h>

/* The size is a power of two from 2 to 128, of which one byte is always unused. */
struct ring {
    uint8_t *bytes;
    uint8_t mask; /* size - 1 */
    volatile uint8_t head, tail;
    volatile uint8_t refused; /* rejected bytes since ring_get_refused(); saturates */
};

void ring_start(struct ring *ring, uint8_t *bytes, uint8_t size);

/* Returns the number of bytes that can be written. */
uint8_t ring_room(const struct ring *ring);

bool ring_put(struct ring *ring, uint8_t byte);
bool ring_get(struct ring *ring, uint8_t *byte);

/* Returns the number of bytes rejected since the last call. */
uint8_t ring_get_refused(struct ring *ring);

#endif
