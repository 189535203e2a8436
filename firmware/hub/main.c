/* The hub's main loop, between the radio and the serial line. The logic is in common/hub.c. */
#include <stddef.h>

#include "board.h"
#include "clock.h"
#include "hub.h"
#include "nrf24.h"
#include "numbers.h"
#include "radio_port.h"
#include "storage.h"
#include "uart.h"
#include "version.h"

enum {
    RADIO_STARTS_MS = 100,   /* power-on reset (data sheet table 16) */
    RADIO_WARMS_MS = 6,      /* crystal start, 4.5 ms; the clock's next tick can come at once */
    RADIO_CHECK_MS = 1000,   /* interval of checks whether the radio responds */
    SEND_MS = 10,            /* longer than all retransmissions of one command */
    COMMAND_RETRY_STEPS = 2,
};

static const struct calibration_storage storage = {storage_read, storage_write};
static struct hub hub;
static struct numbers numbers;
static struct serial_reader reader;
static struct nrf24_setup radio;
static uint8_t error; /* the hub's error other than the radio's */
static uint32_t radio_check_ms;

static bool is_past(uint32_t due_ms)
{
    return (int32_t)(clock_now() - due_ms) >= 0;
}

static void wait_ms(uint16_t ms)
{
    uint32_t due_ms = clock_now() + ms;
    while (!is_past(due_ms)) {
        board_feed_watchdog();
        board_idle();
    }
}

static void start_radio(void)
{
    bool alive = nrf24_start(&radio);
    hub.error = alive ? error : PROTOCOL_ERROR_RADIO;
    if (!alive)
        return;
    nrf24_power(true);
    wait_ms(RADIO_WARMS_MS); /* CE must stay low meanwhile (data sheet 6.1.7) */
    nrf24_listen(&radio);
}

/* The key comes from the same memory as the identity. */
static bool read_identity(struct identity *identity)
{
    uint8_t record[EEPROM_KEY_BYTES];
    storage_read(EEPROM_IDENTITY_AT, record, EEPROM_IDENTITY_BYTES);
    if (identity_read(identity, EEPROM_ROLE_HUB, record)) {
        storage_read(EEPROM_KEY_AT, record, EEPROM_KEY_BYTES);
        identity_read_key(identity, record);
        return true;
    }
    storage_read_flash(EEPROM_IDENTITY_IN_FLASH_AT, record, EEPROM_IDENTITY_BYTES);
    if (!identity_read(identity, EEPROM_ROLE_HUB, record))
        return false;
    storage_read_flash(EEPROM_KEY_IN_FLASH_AT, record, EEPROM_KEY_BYTES);
    identity_read_key(identity, record);
    return true;
}

static void load_numbers(void)
{
    numbers_start(&numbers, &storage, &hub.identity);
    for (uint8_t die = 1; hub.identity.has_key && die <= HUB_DICE; die++) {
        hub_set_number(&hub, die, numbers_load(&numbers, die));
        board_feed_watchdog();
    }
}

static void store_numbers(void)
{
    uint32_t number;
    if (numbers_are_busy(&numbers)) {
        numbers_step(&numbers);
        return;
    }
    uint8_t die = hub_next_unstored(&hub, &number);
    if (die)
        numbers_save(&numbers, die, number);
}

static void start(void)
{
    struct identity identity;
    board_start();
    clock_run();
    uart_start();
    radio_port_start();
    serial_reader_start(&reader);
    wait_ms(RADIO_STARTS_MS);
    error = read_identity(&identity) ? SERIAL_NO_ERROR : PROTOCOL_ERROR_IDENTITY;
    hub_start(&hub, &identity, FIRMWARE_VERSION, error, clock_now());
    load_numbers();
    radio = (struct nrf24_setup){.six_pipes = true,
                                 .channel = identity.channel,
                                 .receive_bytes = AIR_REPORT_BYTES,
                                 .retry_steps = COMMAND_RETRY_STEPS};
    identity_hub_address(radio.address, identity.set, 1);
    start_radio();
}

static bool send_order(const struct air_order *order)
{
    uint8_t address[AIR_ADDRESS_BYTES];
    uint8_t frame[AIR_COMMAND_BYTES];
    enum nrf24_result result;
    uint32_t due_ms = clock_now() + SEND_MS;
    identity_die_address(address, hub.identity.set, order->die);
    hub_pack_order(&hub, frame, order);
    nrf24_send(address, frame, sizeof frame);
    while ((result = nrf24_poll()) == NRF24_BUSY && !is_past(due_ms))
        if (!radio_port_irq())
            board_idle();
    if (result == NRF24_BUSY)
        nrf24_cancel();
    return result == NRF24_ACKNOWLEDGED;
}

/* A die listens for only AIR_LISTEN_MS after its report, so its commands are sent at once. */
static void send_orders(uint8_t die)
{
    struct air_order order;
    bool acknowledged = true;
    if (!hub_next_order(&hub, die, &order))
        return;
    board_wait_for_die();
    while (acknowledged && hub_next_order(&hub, die, &order)) {
        acknowledged = send_order(&order);
        hub_order_sent(&hub, &order, acknowledged);
    }
    nrf24_listen(&radio);
}

static void serve_radio(void)
{
    uint8_t frame[AIR_REPORT_BYTES];
    while (nrf24_receive(frame, sizeof frame)) {
        uint8_t die = hub_on_frame(&hub, frame, clock_now());
        if (die)
            send_orders(die);
    }
}

/* A module that lost its supply for a moment has lost its settings, too. */
static void watch_radio(void)
{
    if (!is_past(radio_check_ms))
        return;
    radio_check_ms = clock_now() + RADIO_CHECK_MS;
    if (hub.error == PROTOCOL_ERROR_RADIO || !nrf24_is_alive(&radio))
        start_radio();
}

static uint16_t broken_lines(void)
{
    const struct serial_counts *counts = &reader.counts;
    return (uint16_t)(counts->half + counts->too_long + counts->crc + counts->value);
}

static void serve_pi(void)
{
    struct serial_command command;
    char byte;
    uint16_t broken = broken_lines();
    while (uart_read(&byte))
        if (serial_reader_add(&reader, byte, &command))
            hub_on_command(&hub, &command, clock_now());
    hub_drop(&hub, (uint16_t)(broken_lines() - broken));
    hub_drop(&hub, uart_get_lost());
}

static void send_lines(void)
{
    char line[PROTOCOL_MAX_LINE_BYTES];
    /* A line without room waits in the hub, where a newer state can replace it. */
    while (uart_has_room(PROTOCOL_MAX_LINE_BYTES - 1)) {
        uint8_t size = hub_next_line(&hub, line, clock_now());
        if (!size)
            break;
        uart_send(line, size);
    }
}

int main(void)
{
    start();
    for (;;) {
        board_feed_watchdog();
        serve_radio();
        serve_pi();
        hub_tick(&hub, clock_now());
        watch_radio();
        send_lines();
        store_numbers();
        board_lamp(hub_is_lit(&hub));
        board_idle();
    }
}
