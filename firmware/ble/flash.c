#include "flash.h"

#include <string.h>

#include "nrf52840.h"

enum {
    COUNTER_AT = 0xAA000,
    SETTINGS_AT = 0xAC000,
    SLEEP_AT = 0xAC100,
    SLEPT_AT = SLEEP_AT + 4,
    PAGE_BYTES = 0x1000,
    PAGE_WORDS = PAGE_BYTES / 4,
    PAGES = 2,
    READ_ONLY = 0,
    WRITE = 1,
    ERASE = 2,
};

void flash_read_settings(uint16_t at, uint8_t *bytes, uint8_t size)
{
    memcpy(bytes, (const uint8_t *)(uintptr_t)(SETTINGS_AT + at), size);
}

bool flash_is_to_sleep(void)
{
    static const uint8_t mark[] = {'s', 'l', 'e', 'p'};
    return !memcmp((const uint8_t *)SLEEP_AT, mark, sizeof mark) && REGISTER(SLEPT_AT) == UINT32_MAX;
}

static volatile uint32_t *word_at(uint16_t word)
{
    return &REGISTER(COUNTER_AT + 4U * word);
}

static uint32_t encoded(uint16_t starts)
{
    return starts | (uint32_t)(uint16_t)~starts << 16;
}

/* Finds the greatest number and its place; a word that a loss of power interrupted is not valid. */
static uint16_t greatest(uint16_t *at)
{
    uint16_t best = 0;
    *at = 0;
    for (uint16_t i = 0; i < PAGES * PAGE_WORDS; i++) {
        uint32_t word = *word_at(i);
        if (word == encoded((uint16_t)word) && (uint16_t)word > best) {
            best = (uint16_t)word;
            *at = i;
        }
    }
    return best;
}

uint16_t flash_starts(void)
{
    uint16_t at;
    return greatest(&at);
}

static void control(uint32_t mode)
{
    NVMC_CONFIG = mode;
    while (!(NVMC_READY & 1))
        ;
}

static void write(volatile uint32_t *word, uint32_t value)
{
    control(WRITE);
    *word = value;
    control(READ_ONLY);
}

static void erase(uint16_t page)
{
    control(ERASE);
    NVMC_ERASEPAGE = COUNTER_AT + (uint32_t)page * PAGE_BYTES;
    while (!(NVMC_READY & 1))
        ;
    control(READ_ONLY);
}

static bool is_free(uint16_t word)
{
    return *word_at(word) == UINT32_MAX;
}

/* The next free word of the page, or the first of the other one, which is erased for it. */
void flash_save_starts(uint16_t starts)
{
    uint16_t at;
    uint16_t best = greatest(&at), page = at / PAGE_WORDS, end = (uint16_t)((page + 1) * PAGE_WORDS);
    if (starts <= best)
        return;
    while (at < end && !is_free(at))
        at++;
    if (at == end) {
        page = (uint16_t)(1 - page);
        erase(page);
        at = (uint16_t)(page * PAGE_WORDS);
    }
    write(word_at(at), encoded(starts));
}

void flash_has_slept(void)
{
    write(&REGISTER(SLEPT_AT), 0);
}
