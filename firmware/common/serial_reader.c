#include <string.h>

#include "crc16.h"
#include "serial_line.h"
#include "serial_text.h"

enum {
    LINE_END_BYTES = 2,
    LONGEST = PROTOCOL_MAX_LINE_BYTES - LINE_END_BYTES, /* from $ to the CRC */
    TOO_LONG = LONGEST + 1,
    NO_BODY = 0xFF,
};

void serial_reader_start(struct serial_reader *reader)
{
    memset(reader, 0, sizeof *reader);
}

/* Returns the length of the text between $ and the last *, or NO_BODY if the CRC is wrong. */
static uint8_t checked_body(const char *line, uint8_t size)
{
    char digits[SERIAL_HEX_DIGITS];
    if (size < 1 + 1 + SERIAL_HEX_DIGITS || line[size - SERIAL_HEX_DIGITS - 1] != '*')
        return NO_BODY;
    uint8_t body = (uint8_t)(size - SERIAL_HEX_DIGITS - 2);
    serial_put_hex(digits, crc16_add(PROTOCOL_CRC_START, (const uint8_t *)line + 1, body));
    return memcmp(digits, line + size - SERIAL_HEX_DIGITS, SERIAL_HEX_DIGITS) == 0 ? body : NO_BODY;
}

/* A word of a line, from `from` to `to` exclusive. */
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

/* Splits off the next word at a comma. Returns false if there is none. */
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

/* Reads a whole number of 1 to 10 digits from `low` to `high`. */
static bool read_number(const struct word *word, uint16_t low, uint16_t high, uint16_t *number)
{
    uint32_t value = 0;
    if (word->to == word->from || word->to - word->from > SERIAL_MAX_DIGITS)
        return false;
    for (const char *at = word->from; at < word->to; at++) {
        if (*at < '0' || *at > '9')
            return false;
        value = value * 10 + (uint32_t)(*at - '0');
        if (value > high) /* prevents an overflow by the next digit */
            value = (uint32_t)high + 1;
    }
    *number = (uint16_t)value;
    return value >= low && value <= high;
}

enum { KEY_SEQ = 1, KEY_DIE = 2, KEY_VALUE = 4 };

/* Reads one key of a command. Returns its bit of the above, or 0 if the type does not have the key,
 * and clears `good` if its value is invalid. */
static uint8_t parse_key(struct serial_command *command, const struct word *key,
                         const struct word *value, bool *good)
{
    uint16_t number = 0;
    uint8_t which = 0;
    if (command->type == PROTOCOL_TYPE_ACK && word_is(key, TEXT("seq"))) {
        which = KEY_SEQ;
        *good = read_number(value, PROTOCOL_SEQ_MIN, PROTOCOL_SEQ_MAX, &command->seq);
    } else if (command->type == PROTOCOL_TYPE_ACK || command->type == PROTOCOL_TYPE_ASK) {
        return 0;
    } else if (word_is(key, TEXT("die"))) {
        which = KEY_DIE;
        *good = read_number(value, PROTOCOL_DIE_MIN, PROTOCOL_DIE_MAX, &number);
        command->die = (uint8_t)number;
    } else if (command->type == PROTOCOL_TYPE_CAL && word_is(key, TEXT("face"))) {
        which = KEY_VALUE;
        *good = read_number(value, PROTOCOL_FACE_MIN, PROTOCOL_FACE_MAX, &command->value);
    } else if (command->type == PROTOCOL_TYPE_LED && word_is(key, TEXT("on"))) {
        which = KEY_VALUE;
        *good = read_number(value, PROTOCOL_ON_MIN, PROTOCOL_ON_MAX, &command->value);
    } else if (command->type == PROTOCOL_TYPE_BAT && word_is(key, TEXT("bat"))) {
        which = KEY_VALUE;
        *good = read_number(value, PROTOCOL_BAT_MIN, PROTOCOL_BAT_MAX, &command->value);
    }
    return which;
}

static uint8_t needed_keys(uint8_t type)
{
    if (type == PROTOCOL_TYPE_ACK)
        return KEY_SEQ;
    if (type == PROTOCOL_TYPE_NEW)
        return KEY_DIE;
    return type == PROTOCOL_TYPE_ASK ? 0 : KEY_DIE | KEY_VALUE;
}

static bool parse_keys(struct serial_command *command, struct word rest)
{
    struct word word, key, value;
    uint8_t found = 0;
    while (next_word(&rest, &word)) {
        bool good = true;
        if (!split(&word, &key, &value))
            return false;
        uint8_t which = parse_key(command, &key, &value, &good);
        if (!good || (found & which))
            return false;
        found |= which;
    }
    return found == needed_keys(command->type);
}

static bool parse_type(const struct word *word, uint8_t *type)
{
    if (word_is(word, TEXT(PROTOCOL_TYPE_ACK_TEXT)))
        *type = PROTOCOL_TYPE_ACK;
    else if (word_is(word, TEXT(PROTOCOL_TYPE_ASK_TEXT)))
        *type = PROTOCOL_TYPE_ASK;
    else if (word_is(word, TEXT(PROTOCOL_TYPE_CAL_TEXT)))
        *type = PROTOCOL_TYPE_CAL;
    else if (word_is(word, TEXT(PROTOCOL_TYPE_LED_TEXT)))
        *type = PROTOCOL_TYPE_LED;
    else if (word_is(word, TEXT(PROTOCOL_TYPE_BAT_TEXT)))
        *type = PROTOCOL_TYPE_BAT;
    else if (word_is(word, TEXT(PROTOCOL_TYPE_NEW_TEXT)))
        *type = PROTOCOL_TYPE_NEW;
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
    if (!next_word(&rest, &type) || !parse_type(&type, &command->type)) {
        reader->counts.unknown++;
        return false;
    }
    if (!parse_keys(command, rest)) {
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

bool serial_reader_add(struct serial_reader *reader, char byte, struct serial_command *command)
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
