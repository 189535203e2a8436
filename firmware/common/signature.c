#include "signature.h"

#include "bytes.h"

enum { WORDS = 4, ROUNDS = 12 };

/* Bit by bit: the processor has no other shifts, and moves whole bytes instead of 8 or 16 bits. So a
 * rotation to the left by 5 is one by 8 and back by 3. One function for all takes less flash. */
static uint32_t __attribute__((noinline)) rotated_back(uint32_t word, uint8_t by)
{
    while (by--)
        word = word >> 1 | (word & 1 ? 0x80000000 : 0);
    return word;
}

static uint32_t rotated_8(uint32_t word)
{
    return word << 8 | word >> 24;
}

static uint32_t rotated_16(uint32_t word)
{
    return word << 16 | word >> 16;
}

static void permute(uint32_t v[WORDS])
{
    for (uint8_t round = 0; round < ROUNDS; round++) {
        v[0] += v[1];
        v[1] = rotated_back(rotated_8(v[1]), 3) ^ v[0];
        v[0] = rotated_16(v[0]);
        v[2] += v[3];
        v[3] = rotated_8(v[3]) ^ v[2];
        v[0] += v[3];
        v[3] = rotated_back(rotated_16(v[3]), 3) ^ v[0];
        v[2] += v[1];
        v[1] = rotated_back(rotated_8(v[1]), 1) ^ v[2];
        v[2] = rotated_16(v[2]);
    }
}

/* The key of the last block: the key times x in GF(2^128). */
static void last_key(uint32_t last[WORDS], const uint32_t key[WORDS])
{
    uint32_t carry = key[WORDS - 1] >> 31 ? 0x87 : 0;
    for (uint8_t i = 0; i < WORDS; i++) {
        last[i] = key[i] << 1 | carry;
        carry = key[i] >> 31;
    }
}

uint32_t signature_of(const uint8_t key[SIGNATURE_KEY_BYTES],
                      const uint8_t block[SIGNATURE_BLOCK_BYTES])
{
    uint32_t v[WORDS], last[WORDS];
    for (uint8_t i = 0; i < WORDS; i++)
        v[i] = bytes_get32(key + 4 * i);
    last_key(last, v);
    for (uint8_t i = 0; i < WORDS; i++)
        v[i] ^= bytes_get32(block + 4 * i) ^ last[i];
    permute(v);
    return v[0] ^ last[0];
}
