#include "serial_line.h"

#include <string.h>

#include "crc16.h"

/* Texts that stand in flash alone: 32 keys and words would fill an eighth of the RAM. */
#ifdef __AVR__
#include <avr/pgmspace.h>
#define TEXT(text) PSTR(text)
#define text_byte(at) ((char)pgm_read_byte(at))
#else
#define TEXT(text) (text)
#define text_byte(at) (*(at))
#endif

enum {
    CRC_DIGITS = 4,
    LINE_END_BYTES = 2,
    LONGEST = PROTOCOL_MAX_LINE_BYTES - LINE_END_BYTES, /* from $ to the CRC */
    TOO_LONG = LONGEST + 1,
    MOST_DIGITS = 10,
    NO_BODY = 0xFF,
};

/* --- reading --- */

void serial_reader_start(struct serial_reader *reader)
{
    memset(reader, 0, sizeof *reader);
}

static char hex_digit(uint8_t nibble)
{
    return (char)(nibble < 10 ? '0' + nibble : 'A' + nibble - 10);
}

static void put_hex(char *at, uint16_t value)
{
    for (uint8_t i = 0; i < CRC_DIGITS; i++)
        at[i] = hex_digit((uint8_t)(value >> (12 - 4 * i) & 0x0FU));
}

/* The length of what stands between $ and the last *, or NO_BODY when the CRC is wrong. */
static uint8_t checked_body(const char *line, uint8_t size)
{
    char digits[CRC_DIGITS];
    if (size < 1 + 1 + CRC_DIGITS || line[size - CRC_DIGITS - 1] != '*')
        return NO_BODY;
    uint8_t body = (uint8_t)(size - CRC_DIGITS - 2);
    put_hex(digits, crc16_add(PROTOCOL_CRC_START, (const uint8_t *)line + 1, body));
    return memcmp(digits, line + size - CRC_DIGITS, CRC_DIGITS) == 0 ? body : NO_BODY;
}

/* A word of a line: from..to, `to` not included. */
struct word {
    const char *from;
    const char *to;
};

static bool word_is(const struct word *word, const char *text)
{
    const char *at = word->from;
    while (at < word->to && text_byte(text) == *at) {
        text++;
        at++;
    }
    return at == word->to && text_byte(text) == '\0';
}

/* Cuts the next word off at a comma. False when none is left. */
static bool next_word(struct word *rest, struct word *word)
{
    if (rest->from > rest->to)
        return false;
    const char *end = rest->from;
    while (end < rest->to && *end != ',')
        end++;
    *word = (struct word){rest->from, end};
    rest->from = end + 1;
    return true;
}

static bool split(const struct word *word, struct word *key, struct word *value)
{
    const char *equals = memchr(word->from, '=', (size_t)(word->to - word->from));
    if (!equals)
        return false;
    *key = (struct word){word->from, equals};
    *value = (struct word){equals + 1, word->to};
    return true;
}

/* A whole number of 1 to 10 digits, low to high. */
static bool read_number(const struct word *word, uint16_t low, uint16_t high, uint16_t *number)
{
    uint32_t value = 0;
    if (word->to == word->from || word->to - word->from > MOST_DIGITS)
        return false;
    for (const char *at = word->from; at < word->to; at++) {
        if (*at < '0' || *at > '9')
            return false;
        value = value * 10 + (uint32_t)(*at - '0');
        if (value > high) /* and so it cannot overflow with the next digit */
            value = (uint32_t)high + 1;
    }
    *number = (uint16_t)value;
    return value >= low && value <= high;
}

enum { KEY_SEQ = 1, KEY_DIE = 2, KEY_VALUE = 4 };

/* Takes one key of a command of that type; gives which of the above it is, 0 for one that the
 * type does not have, and clears `good` when its value is not allowed. */
static uint8_t take_key(struct serial_command *command, const struct word *key,
                        const struct word *value, bool *good)
{
    uint16_t number = 0;
    uint8_t which = 0;
    if (command->type == PROTOCOL_TYPE_ACK && word_is(key, TEXT("seq"))) {
        which = KEY_SEQ;
        *good = read_number(value, PROTOCOL_SEQ_MIN, PROTOCOL_SEQ_MAX, &command->seq);
    } else if (command->type != PROTOCOL_TYPE_CAL && command->type != PROTOCOL_TYPE_LED) {
        return 0;
    } else if (word_is(key, TEXT("die"))) {
        which = KEY_DIE;
        *good = read_number(value, PROTOCOL_DIE_MIN, PROTOCOL_DIE_MAX, &number);
        command->die = (uint8_t)number;
    } else if (command->type == PROTOCOL_TYPE_CAL && word_is(key, TEXT("face"))) {
        which = KEY_VALUE;
        *good = read_number(value, PROTOCOL_FACE_MIN, PROTOCOL_FACE_MAX, &number);
        command->value = (uint8_t)number;
    } else if (command->type == PROTOCOL_TYPE_LED && word_is(key, TEXT("on"))) {
        which = KEY_VALUE;
        *good = read_number(value, PROTOCOL_ON_MIN, PROTOCOL_ON_MAX, &number);
        command->value = (uint8_t)number;
    }
    return which;
}

static uint8_t needed_keys(uint8_t type)
{
    if (type == PROTOCOL_TYPE_ACK)
        return KEY_SEQ;
    return type == PROTOCOL_TYPE_ASK ? 0 : KEY_DIE | KEY_VALUE;
}

static bool take_keys(struct serial_command *command, struct word rest)
{
    struct word word, key, value;
    uint8_t found = 0;
    while (next_word(&rest, &word)) {
        bool good = true;
        if (!split(&word, &key, &value))
            return false;
        uint8_t which = take_key(command, &key, &value, &good);
        if (!good || (found & which))
            return false;
        found |= which;
    }
    return found == needed_keys(command->type);
}

static bool take_type(const struct word *word, uint8_t *type)
{
    if (word_is(word, TEXT(PROTOCOL_TYPE_ACK_TEXT)))
        *type = PROTOCOL_TYPE_ACK;
    else if (word_is(word, TEXT(PROTOCOL_TYPE_ASK_TEXT)))
        *type = PROTOCOL_TYPE_ASK;
    else if (word_is(word, TEXT(PROTOCOL_TYPE_CAL_TEXT)))
        *type = PROTOCOL_TYPE_CAL;
    else if (word_is(word, TEXT(PROTOCOL_TYPE_LED_TEXT)))
        *type = PROTOCOL_TYPE_LED;
    else
        return false;
    return true;
}

static bool end_line(struct serial_reader *reader, struct serial_command *command)
{
    uint8_t body = checked_body(reader->line, reader->size);
    if (body == NO_BODY) {
        reader->counts.crc++;
        return false;
    }
    struct word rest = {reader->line + 1, reader->line + 1 + body};
    struct word type;
    memset(command, 0, sizeof *command);
    if (!next_word(&rest, &type) || !take_type(&type, &command->type)) {
        reader->counts.unknown++;
        return false;
    }
    if (!take_keys(command, rest)) {
        reader->counts.value++;
        return false;
    }
    reader->counts.lines++;
    return true;
}

static void give_up(struct serial_reader *reader)
{
    if (reader->size >= TOO_LONG)
        reader->counts.too_long++;
    else if (reader->size)
        reader->counts.half++;
    reader->size = 0;
}

bool serial_reader_take(struct serial_reader *reader, char byte, struct serial_command *command)
{
    if (byte == '$') {
        give_up(reader);
        reader->line[reader->size++] = byte;
    } else if (byte == '\r' || byte == '\n') {
        bool whole = reader->size && reader->size < TOO_LONG && end_line(reader, command);
        if (reader->size >= TOO_LONG)
            reader->counts.too_long++;
        reader->size = 0;
        return whole;
    } else if (reader->size && reader->size < TOO_LONG) {
        reader->line[reader->size++] = byte;
    }
    return false;
}

/* --- writing --- */

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
    char digits[MOST_DIGITS];
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

static uint8_t finish(struct writer *to)
{
    uint16_t crc = crc16_add(PROTOCOL_CRC_START, (const uint8_t *)to->line + 1, to->size - 1U);
    put_char(to, '*');
    put_hex(to->line + to->size, crc);
    to->size = (uint8_t)(to->size + CRC_DIGITS);
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
    put_hex(to.line + to.size, hub->id);
    to.size = (uint8_t)(to.size + CRC_DIGITS);
    put_key(&to, TEXT(",dice="), hub->dice);
    put_key(&to, TEXT(",t="), hub->t_ms);
    put_key(&to, TEXT(",drop="), hub->dropped);
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
    if (die->from_die) {
        put_key(&to, TEXT(",n="), die->throws);
        put_rest(&to, die);
        put_key(&to, TEXT(",bat="), die->battery_mv);
        put_error(&to, die->error);
    }
    put_key(&to, TEXT(",t="), die->t_ms);
    return finish(&to);
}
