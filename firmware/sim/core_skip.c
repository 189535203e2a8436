/* simavr 1.6 treats an ADIW or SBIW whose constant ends in 12 to 15 as a JMP or CALL when the
 * instruction before skips it, and skips two words. Such words are replaced in its flash by SPM,
 * which it passes to a callback and our images never use, and executed here. */
#include "atmega328p.h"
#include "core.h"

#include <simavr/avr_flash.h>

#define SPM 0x95E8

static uint16_t word_at(const avr_t *avr, uint32_t at)
{
    return (uint16_t)(avr->flash[at] | avr->flash[at + 1] << 8);
}

static bool skips(uint16_t word)
{
    return (word & 0xFC00) == 0x1000     /* CPSE */
           || (word & 0xFC08) == 0xFC00  /* SBRC, SBRS */
           || (word & 0xFD00) == 0x9900; /* SBIC, SBIS */
}

static bool is_misread(uint16_t word)
{
    return (word & 0xFE00) == 0x9600 && (word & 0x0F) >= 0x0C;
}

/* ADIW and SBIW, instruction set manual DS40002198B, 5.3 and 5.99. */
static void add_or_subtract(avr_t *avr, uint16_t word)
{
    uint8_t *pair = &avr->data[24 + (word >> 3 & 6)];
    uint16_t before = (uint16_t)(pair[0] | pair[1] << 8);
    uint16_t by = (uint16_t)((word & 0xC0) >> 2 | (word & 0x0F));
    bool subtracts = word & 0x0100;
    uint16_t after = (uint16_t)(subtracts ? before - by : before + by);
    pair[0] = (uint8_t)after;
    pair[1] = (uint8_t)(after >> 8);
    uint16_t fell = before & (uint16_t)~after, rose = after & (uint16_t)~before;
    avr->sreg[S_V] = (subtracts ? fell : rose) >> 15 & 1;
    avr->sreg[S_C] = (subtracts ? rose : fell) >> 15 & 1;
    avr->sreg[S_Z] = after == 0;
    avr->sreg[S_N] = after >> 15;
    avr->sreg[S_S] = avr->sreg[S_N] ^ avr->sreg[S_V];
    avr->cycle++;
}

static int spm_reached(struct avr_io_t *io, uint32_t request, void *param)
{
    (void)param;
    if (request != AVR_IOCTL_FLASH_SPM)
        return -1;
    const struct core *core = io->avr->io[AVR_DATA_TO_IO(WDTCSR_AT)].w.param;
    for (int i = 0; i < core->skip.count; i++)
        if (core->skip.at[i] == io->avr->pc)
            add_or_subtract(io->avr, core->skip.word[i]);
    return 0;
}

bool core_skip_begin(struct core *core)
{
    avr_t *avr = core->avr;
    core_module(core, "flash")->ioctl = spm_reached;
    for (uint32_t at = 2; at + 1 < avr->codeend; at += 2) {
        uint16_t word = word_at(avr, at);
        if (!is_misread(word) || !skips(word_at(avr, at - 2)))
            continue;
        if (core->skip.count == CORE_SKIPS_MAX)
            return false;
        core->skip.at[core->skip.count] = at;
        core->skip.word[core->skip.count++] = word;
        avr->flash[at] = SPM & 0xFF;
        avr->flash[at + 1] = SPM >> 8;
    }
    return true;
}
