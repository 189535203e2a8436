/* The workarounds for simavr's limits, measured by a program that runs on it
 * (tests/core_program.c). */
#include "../atmega328p.h"
#include "../core.h"
#include "check.h"
#include "core_findings.h"

#include <string.h>

#define MS UINT64_C(1000000)

static uint8_t reply_spi(void *context, uint64_t now_ns, uint8_t mosi)
{
    (void)context;
    (void)now_ns;
    return (uint8_t)~mosi;
}

static bool reply_start(void *context, uint64_t now_ns, uint8_t byte)
{
    (void)context;
    (void)now_ns;
    return byte >> 1 == 0x18;
}

static bool reply_write(void *context, uint64_t now_ns, uint8_t byte)
{
    (void)context;
    (void)now_ns;
    return byte == 0x0F;
}

static uint8_t reply_read(void *context, uint64_t now_ns)
{
    (void)context;
    (void)now_ns;
    return 0x33;
}

static void ignore_stop(void *context, uint64_t now_ns)
{
    (void)context;
    (void)now_ns;
}

static void ignore_byte(void *context, uint64_t now_ns, uint8_t byte)
{
    (void)context;
    (void)now_ns;
    (void)byte;
}

static void ignore_port(void *context, uint64_t now_ns, char port, uint8_t levels)
{
    (void)context;
    (void)now_ns;
    (void)port;
    (void)levels;
}

static struct core core;
static uint64_t now_ns;

static void pass(uint64_t ms)
{
    uint64_t until = now_ns + ms * MS;
    while (now_ns < until) {
        uint64_t due = core_due(&core);
        uint64_t next = now_ns + MS / 10;
        if (core.state != CORE_RUNNING)
            next = due < until ? due : until;
        now_ns = next > now_ns ? next : now_ns + 1;
        core_run(&core, now_ns);
        core_advance(&core, now_ns);
    }
}

static struct core_findings findings(void)
{
    struct core_findings found;
    memcpy(&found, &core.avr->data[CORE_FINDINGS_AT], sizeof found);
    return found;
}

static void skips_a_word_and_does_what_it_skipped_over(const struct core_findings *found)
{
    CHECK(found->skipped == 100 && found->after_skip == 7, "%u, %u", found->skipped,
          found->after_skip);
    CHECK(found->not_skipped == 71, "sbiw was done: %u", found->not_skipped);
    CHECK(found->added == 134, "adiw was done: %u", found->added);
}

static void takes_the_time_that_the_buses_take(const struct core_findings *found)
{
    CHECK(found->spi_cycles >= 128 && found->spi_cycles < 145, "SPI: %u", found->spi_cycles);
    CHECK(found->spi_byte == 0x5A, "SPI: %02x", found->spi_byte);
    CHECK(found->twi_cycles >= 180 && found->twi_cycles < 215, "TWI: %u", found->twi_cycles);
    CHECK(found->eeprom_us >= 3400 && found->eeprom_us < 3450, "EEPROM: %u", found->eeprom_us);
    CHECK(found->eeprom_byte == 0x5A, "EEPROM: %02x", found->eeprom_byte);
}

/* Data sheet tables 22-2 and 22-3. */
static void gives_the_status_codes_of_the_bus(const struct core_findings *found)
{
    static const uint8_t expected[8] = {0x08, 0x18, 0x28, 0x10, 0x40, 0x50, 0x58, 0x20};
    for (int i = 0; i < 8; i++)
        CHECK(found->twi_status[i] == expected[i], "step %d: %02x", i, found->twi_status[i]);
    CHECK(found->twi_byte == 0x33, "%02x", found->twi_byte);
}

int main(int argc, char **argv)
{
    static const struct core_wires wires = {reply_spi,  reply_start, reply_write, reply_read,
                                            ignore_stop, ignore_byte,  ignore_port,  NULL};
    if (argc != 2 || !core_begin(&core, argv[1], 8, &wires, 1))
        return 2;
    core.watchdog.rate = 1;
    core_reset(&core, 0, MCUSR_PORF);
    pass(65 + 30);
    CHECK(core.state == CORE_DOWN, "asleep: %d", core.state);
    uint64_t slept_ns = now_ns;
    pass(150);
    CHECK(core.state == CORE_DOWN, "asleep for a quarter of a second");
    struct core_findings found = findings();
    CHECK(found.cause == MCUSR_PORF, "power-on: %02x", found.cause);
    skips_a_word_and_does_what_it_skipped_over(&found);
    takes_the_time_that_the_buses_take(&found);
    gives_the_status_codes_of_the_bus(&found);
    while (findings().done != 0xD0 && now_ns < slept_ns + 400 * MS)
        pass(1);
    found = findings();
    CHECK(now_ns > slept_ns + 220 * MS && now_ns < slept_ns + 270 * MS, "the watchdog wakes it");
    CHECK(found.sleep_cycles < 200, "no clock in power-down: %u cycles", found.sleep_cycles);
    CHECK(found.still_asks, "without WDE the interrupt stays on");
    pass(30);
    CHECK(core.counts.watchdog == 1, "then it is not reset any more");
    pass(65 + 400);
    found = findings();
    CHECK(found.cause == MCUSR_WDRF && found.starts == 1, "watchdog: %02x", found.cause);
    CHECK(core.counts.watchdog == 1, "and now it is off");
    return check_result();
}
