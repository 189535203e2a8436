#include "board.h"

#include "nrf52840.h"

/* Pins of the Seeed XIAO nRF52840 Sense (schematic v1.1). */
enum {
    ACCEL_INT1 = 11,
    ACCEL_POWER = 8, /* port 1; the sensor is supplied from this pin */
    CELL_DIVIDER = 14,
    FLASH_CS = 25,
    FLASH_SCK = 21,
    FLASH_IO0 = 20,
};

enum {
    /* PIN_CNF */
    OUTPUT = 0x3,          /* its input is disconnected */
    OUTPUT_STRONG = 0x303, /* H0H1 */
    SENSE_HIGH = 2 << 16,
    DISCONNECTED = 2,
    /* CLOCK */
    CRYSTAL = 1,
    HFCLKSTARTED = 1 << 0,
    /* other peripherals' interrupts */
    COMPARE0 = 1 << 16,
    PORT = 1U << 31,
    SEVONPEND = 1 << 4,
    VBUSDETECT = 1 << 0,
    /* The third tick from now at the earliest: one may pass before CC0 is written, and the next one is
     * not compared for sure (RTC, "COMPARE event"). */
    MIN_TICKS = 3,
    MAX_MS = 9000,
    WATCHDOG_S = 20, /* longer than MAX_MS and the erasure of a page */
    FEED = 0x6E524635,
    FLASH_DEEP_POWER_DOWN = 0xB9,
};

static uint64_t ticks; /* of 32,768 Hz since the start */
static uint32_t counter_before;

static void configure(uint32_t first, uint8_t pin, uint32_t value)
{
    REGISTER(first + 4U * pin) = value;
}

/* The board's flash draws more at rest than the whole die unless it is told to sleep. */
static void put_flash_to_sleep(void)
{
    P0_OUTSET = 1U << FLASH_CS;
    P0_OUTCLR = 1U << FLASH_SCK;
    configure(P0_PIN_CNF0, FLASH_CS, OUTPUT);
    configure(P0_PIN_CNF0, FLASH_SCK, OUTPUT);
    configure(P0_PIN_CNF0, FLASH_IO0, OUTPUT);
    P0_OUTCLR = 1U << FLASH_CS;
    for (uint8_t bit = 0x80; bit; bit >>= 1) {
        if (FLASH_DEEP_POWER_DOWN & bit)
            P0_OUTSET = 1U << FLASH_IO0;
        else
            P0_OUTCLR = 1U << FLASH_IO0;
        P0_OUTSET = 1U << FLASH_SCK;
        P0_OUTCLR = 1U << FLASH_SCK;
    }
    P0_OUTSET = 1U << FLASH_CS;
}

static void start_watchdog(void)
{
    if (WDT_RUNSTATUS)
        return;
    WDT_CONFIG = 1; /* also during sleep */
    WDT_CRV = WATCHDOG_S * 32768U - 1;
    WDT_RREN = 1;
    WDT_TASKS_START = 1;
}

/* Until the crystal runs, the clock is the internal oscillator's (CLOCK, "LFXO"), so nothing waits. */
static void start_clock(void)
{
    CLOCK_LFCLKSRC = CRYSTAL;
    CLOCK_TASKS_LFCLKSTART = 1;
    RTC1_TASKS_STOP = 1;
    RTC1_TASKS_CLEAR = 1;
    RTC1_PRESCALER = 0;
    RTC1_EVENTS_COMPARE0 = 0;
    RTC1_INTENSET = COMPARE0;
    RTC1_TASKS_START = 1;
}

void board_start(void)
{
    NVIC_ICER0 = UINT32_MAX; /* the boot loader may have left some enabled */
    SCB_SCR = SEVONPEND;
    POWER_DCDCEN = 1;
    start_clock();
    start_watchdog();
    P0_OUTSET = 1U << BOARD_RED | 1U << BOARD_GREEN;
    configure(P0_PIN_CNF0, BOARD_RED, OUTPUT);
    configure(P0_PIN_CNF0, BOARD_GREEN, OUTPUT);
    /* Always low: the divider draws 3 uA, but if it were open while the cell charges, its middle would be
     * above what the chip's pin bears. */
    P0_OUTCLR = 1U << CELL_DIVIDER;
    configure(P0_PIN_CNF0, CELL_DIVIDER, OUTPUT);
    put_flash_to_sleep();
    board_accel_power(false);
    configure(P1_PIN_CNF0, ACCEL_POWER, OUTPUT_STRONG);
    configure(P0_PIN_CNF0, ACCEL_INT1, SENSE_HIGH);
    GPIOTE_EVENTS_PORT = 0;
    GPIOTE_INTENSET = PORT;
    CLOCK_INTENSET = HFCLKSTARTED;
}

uint32_t board_now(void)
{
    uint32_t counter = RTC1_COUNTER;
    ticks += (counter - counter_before) & 0xFFFFFFU;
    counter_before = counter;
    return (uint32_t)(ticks * 125 >> 12);
}

/* The one place at which the chip sleeps. An event before the instruction is remembered by the
 * processor. The peripherals' events are cleared first, and read so that this has taken effect, or
 * their interrupts would be pending again. */
static __attribute__((noinline)) void wait_for_event(void)
{
    __asm volatile("dsb\n\twfe" ::: "memory");
    RTC1_EVENTS_COMPARE0 = 0;
    GPIOTE_EVENTS_PORT = 0;
    (void)RTC1_EVENTS_COMPARE0;
    (void)GPIOTE_EVENTS_PORT;
    NVIC_ICPR0 = UINT32_MAX;
    NVIC_ICPR1 = UINT32_MAX;
}

void board_sleep_until(uint32_t ms)
{
    int32_t left = (int32_t)(ms - board_now());
    if (left <= 0)
        return;
    if (left > MAX_MS)
        left = MAX_MS;
    RTC1_CC0 = (RTC1_COUNTER + MIN_TICKS + (uint32_t)left * 4096 / 125) & 0xFFFFFFU;
    wait_for_event();
}

void board_wait_ms(uint32_t ms)
{
    uint32_t until = board_now() + ms;
    while ((int32_t)(board_now() - until) < 0)
        board_sleep_until(until);
}

bool board_await(volatile uint32_t *event, uint32_t ms)
{
    uint32_t until = board_now() + ms;
    while (!*event) {
        if ((int32_t)(board_now() - until) >= 0)
            return false;
        board_sleep_until(until);
    }
    *event = 0;
    return true;
}

void board_feed_watchdog(void)
{
    WDT_RR0 = FEED;
}

void board_lamp(enum board_lamp lamp, bool on)
{
    if (on)
        P0_OUTCLR = 1U << lamp;
    else
        P0_OUTSET = 1U << lamp;
}

bool board_accel_irq(void)
{
    return P0_IN >> ACCEL_INT1 & 1;
}

void board_accel_power(bool on)
{
    if (on)
        P1_OUTSET = 1U << ACCEL_POWER;
    else
        P1_OUTCLR = 1U << ACCEL_POWER;
}

bool board_has_usb(void)
{
    return POWER_USBREGSTATUS & VBUSDETECT;
}

/* POWER, "System OFF mode": the pins keep what they drive, and the watchdog stands still, too. Without
 * its supply the accelerometer drives INT1 no longer, so a pin that senses it could wake the chip. The
 * manual does not state whether a reason of the last reset could; the boot loader leaves them. */
void board_off(void)
{
    board_accel_power(false);
    configure(P0_PIN_CNF0, ACCEL_INT1, DISCONNECTED);
    POWER_RESETREAS = POWER_RESETREAS; /* a one clears the bit */
    POWER_SYSTEMOFF = 1;
    /* Only a debugger's chip stays on, until its watchdog ends. */
    for (;;)
        ;
}
