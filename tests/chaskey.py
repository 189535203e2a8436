"""The signature of radio frames, by the definition of Chaskey-12."""

import struct


def chaskey_12(key, block):
    """Return the first four bytes of a block's signature, by the algorithm's definition."""
    mask = 0xFFFFFFFF
    words = struct.unpack("<4I", key)
    last = [
        (word << 1 & mask) | (before >> 31)
        for word, before in zip(words, (0, *words), strict=False)
    ]
    last[0] ^= 0x87 * (words[3] >> 31)
    v = [a ^ b ^ c for a, b, c in zip(words, struct.unpack("<4I", block), last, strict=True)]

    def turned(word, by):
        return (word << by | word >> (32 - by)) & mask

    for _ in range(12):
        v[0] = (v[0] + v[1]) & mask
        v[1] = turned(v[1], 5) ^ v[0]
        v[0] = turned(v[0], 16)
        v[2] = (v[2] + v[3]) & mask
        v[3] = turned(v[3], 8) ^ v[2]
        v[0] = (v[0] + v[3]) & mask
        v[3] = turned(v[3], 13) ^ v[0]
        v[2] = (v[2] + v[1]) & mask
        v[1] = turned(v[1], 7) ^ v[2]
        v[2] = turned(v[2], 16)
    return struct.pack("<I", v[0] ^ last[0])
