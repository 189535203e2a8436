/* Shared by the reader and the writer of lines: texts in flash, and the CRC's digits. */
#ifndef URPI_SERIAL_TEXT_H
#define URPI_SERIAL_TEXT_H

#include <stdint.h>

/* Texts are kept in flash only: 32 keys and words would fill an eighth of the RAM. */
#ifdef __AVR__
#include <avr/pgmspace.h>
#define TEXT(text) PSTR(text)
#define text_byte(at) ((char)pgm_read_byte(at))
#else
#define TEXT(text) (text)
#define text_byte(at) (*(at))
#endif

enum { SERIAL_HEX_DIGITS = 4, SERIAL_MAX_DIGITS = 10 };

/* Writes a number as four upper-case hexadecimal digits. */
void serial_put_hex(char *at, uint16_t value);

#endif
