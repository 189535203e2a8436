/* The vectors and the start of the program. No interrupt is enabled (board.c). */
#include <stdint.h>
#include <string.h>

#include "nrf52840.h"

extern uint32_t data_start[], data_end[], bss_start[], bss_end[];
extern const uint32_t data_source[];
extern uint32_t stack_top[];

int main(void);
void start(void);

/* A fault: the watchdog resets the chip. */
static void hang(void)
{
    for (;;)
        ;
}

struct vectors {
    const void *stack;
    void (*code[15])(void);
};

__attribute__((section(".vectors"), used)) static const struct vectors vectors = {
    stack_top, {start, hang, hang, hang, hang, hang}};

__attribute__((noreturn)) void start(void)
{
    SCB_VTOR = (uint32_t)&vectors;
    memcpy(data_start, data_source, (uintptr_t)data_end - (uintptr_t)data_start);
    memset(bss_start, 0, (uintptr_t)bss_end - (uintptr_t)bss_start);
    (void)main();
    hang();
    __builtin_unreachable();
}
