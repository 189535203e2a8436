/* A queue of bytes between an interrupt and the main loop: one side puts, the other takes.
 *
 * A full ring refuses and counts; nothing is ever overwritten. Indexes are single bytes, so that
 * an interrupt sees them whole.
 */
#ifndef URPI_RING_H
#define URPI_RING_H

#include <stdbool.h>
#include <stdint.h>

/* `size` is a power of two, 2 to 128; one more byte than the ring can hold is never used. */
struct ring {
    uint8_t *bytes;
    uint8_t mask; /* size - 1 */
    volatile uint8_t head, tail;
    volatile uint8_t refused; /* bytes since ring_take_refused, stays at 255 */
};

void ring_start(struct ring *ring, uint8_t *bytes, uint8_t size);

/* How many bytes can be put now. */
uint8_t ring_room(const struct ring *ring);

bool ring_put(struct ring *ring, uint8_t byte);
bool ring_take(struct ring *ring, uint8_t *byte);

/* How many bytes were refused since the last call. */
uint8_t ring_take_refused(struct ring *ring);

#endif
