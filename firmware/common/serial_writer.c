#include "crc16.h"
#include "serial_line.h"
#include "serial_text.h"

static char hex_digit(uint8_t nibble)
{
    return (char)(nibble < 10 ? '0' + nibble : 'A' + nibble - 10);
}

void serial_put_hex(char *at, uint16_t value)
{
    for (uint8_t i = 0; i < SERIAL_HEX_DIGITS; i++)
        at[i] = hex_digit((uint8_t)(value >> (12 - 4 * i) & 0x0FU));
}

struct writer {
    char *line;
    uint8_t size;
};

static void put_char(struct writer *to, char byte)
{
    to->line[to->size++] = byte;
}

static void put_flash(struct writer *to, const char *text)
{
    for (char byte; (byte = text_byte(text)) != '\0'; text++)
        put_char(to, byte);
}

static void put_ram(struct writer *to, const char *text)
{
    while (*text)
        put_char(to, *text++);
}

static void put_number(struct writer *to, uint32_t value)
{
    char digits[SERIAL_MAX_DIGITS]; /* the last digit first */
    uint8_t count = 0;
    do {
        digits[count++] = (char)('0' + value % 10);
        value /= 10;
    } while (value);
    while (count)
        put_char(to, digits[--count]);
}

/* `,key=` and the number; `key` is a text in flash with the comma and the equals sign. */
static void put_key(struct writer *to, const char *key, uint32_t value)
{
    put_flash(to, key);
    put_number(to, value);
}

/* The checksum covers what is between `$` and `*`. */
static uint8_t finish(struct writer *to)
{
    uint16_t crc = crc16_add(PROTOCOL_CRC_START, (const uint8_t *)to->line + 1, to->size - 1U);
    put_char(to, '*');
    serial_put_hex(to->line + to->size, crc);
    to->size = (uint8_t)(to->size + SERIAL_HEX_DIGITS);
    put_char(to, '\r');
    put_char(to, '\n');
    return to->size;
}

static void put_error(struct writer *to, uint8_t error)
{
    if (error == SERIAL_NO_ERROR)
        return;
    put_flash(to, TEXT(",err="));
    if (error == PROTOCOL_ERROR_CAL)
        put_flash(to, TEXT(PROTOCOL_ERROR_CAL_TEXT));
    else if (error == PROTOCOL_ERROR_ACCEL)
        put_flash(to, TEXT(PROTOCOL_ERROR_ACCEL_TEXT));
    else if (error == PROTOCOL_ERROR_TWIN)
        put_flash(to, TEXT(PROTOCOL_ERROR_TWIN_TEXT));
    else if (error == PROTOCOL_ERROR_NOKEY)
        put_flash(to, TEXT(PROTOCOL_ERROR_NOKEY_TEXT));
    else if (error == PROTOCOL_ERROR_FORGED)
        put_flash(to, TEXT(PROTOCOL_ERROR_FORGED_TEXT));
    else if (error == PROTOCOL_ERROR_WAKES)
        put_flash(to, TEXT(PROTOCOL_ERROR_WAKES_TEXT));
    else if (error == PROTOCOL_ERROR_RADIO)
        put_flash(to, TEXT(PROTOCOL_ERROR_RADIO_TEXT));
    else
        put_flash(to, TEXT(PROTOCOL_ERROR_IDENTITY_TEXT));
}

uint8_t serial_write_hub(char *line, const struct serial_hub *hub)
{
    struct writer to = {line, 0};
    put_flash(&to, TEXT("$" PROTOCOL_TYPE_HUB_TEXT));
    put_key(&to, TEXT(",proto="), PROTOCOL_VERSION);
    put_flash(&to, TEXT(",fw="));
    put_ram(&to, hub->firmware);
    put_flash(&to, TEXT(",id="));
    serial_put_hex(to.line + to.size, hub->id);
    to.size = (uint8_t)(to.size + SERIAL_HEX_DIGITS);
    put_key(&to, TEXT(",dice="), hub->dice);
    put_key(&to, TEXT(",t="), hub->t_ms);
    put_key(&to, TEXT(",drop="), hub->dropped);
    if (hub->has_key)
        put_key(&to, TEXT(",auth="), 1);
    if (hub->renewed)
        put_key(&to, TEXT(",new="), hub->renewed);
    put_error(&to, hub->error);
    return finish(&to);
}

static void put_state(struct writer *to, uint8_t state)
{
    switch (state) {
    case PROTOCOL_STATE_ROLLING:
        put_flash(to, TEXT(PROTOCOL_STATE_ROLLING_TEXT));
        break;
    case PROTOCOL_STATE_SETTLED:
        put_flash(to, TEXT(PROTOCOL_STATE_SETTLED_TEXT));
        break;
    case PROTOCOL_STATE_COCKED:
        put_flash(to, TEXT(PROTOCOL_STATE_COCKED_TEXT));
        break;
    case PROTOCOL_STATE_HANDLED:
        put_flash(to, TEXT(PROTOCOL_STATE_HANDLED_TEXT));
        break;
    case PROTOCOL_STATE_LOST:
        put_flash(to, TEXT(PROTOCOL_STATE_LOST_TEXT));
        break;
    default:
        put_flash(to, TEXT(PROTOCOL_STATE_FOUND_TEXT));
        break;
    }
}

static void put_rest(struct writer *to, const struct serial_die *die)
{
    bool settled = die->state == PROTOCOL_STATE_SETTLED;
    if (settled) {
        put_key(to, TEXT(",kind="), die->kind);
        put_key(to, TEXT(",face="), die->face);
    }
    if (settled || die->state == PROTOCOL_STATE_COCKED)
        put_key(to, TEXT(",ang="), die->angle_deg);
    if (settled) {
        put_key(to, TEXT(",tum="), die->tumbles);
        put_key(to, TEXT(",ff="), die->fall_ms);
    }
}

uint8_t serial_write_die(char *line, const struct serial_die *die)
{
    struct writer to = {line, 0};
    put_flash(&to, TEXT("$" PROTOCOL_TYPE_DIE_TEXT));
    put_key(&to, TEXT(",seq="), die->seq);
    put_key(&to, TEXT(",die="), die->die);
    put_flash(&to, TEXT(",st="));
    put_state(&to, die->state);
    /* The hub's own reports (lost, found) have nothing but the number. */
    if (die->from_die) {
        put_key(&to, TEXT(",n="), die->throws);
        put_rest(&to, die);
        put_key(&to, TEXT(",bat="), die->battery_mv);
        put_error(&to, die->error);
        if (die->has_verdict && die->state == PROTOCOL_STATE_SETTLED)
            put_key(&to, TEXT(",thr="), die->thrown);
    }
    put_key(&to, TEXT(",t="), die->t_ms);
    return finish(&to);
}
