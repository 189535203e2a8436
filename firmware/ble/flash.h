/* What a die keeps in flash, outside of the program: its settings and the number of its starts.
 *
 *   0xAA000  number of starts, two pages that are used in turn: a word each, the number in its low half
 *            and its complement in the high one; the greatest counts. Only written by the die.
 *   0xAC000  settings, a page: the layout of common/eeprom_layout.h without the numbers of starts.
 *            Only written by the boot loader, from the second file that is copied to the drive.
 *   0xAC100  in the same page, of which the boot loader keeps the rest: "slep" if the die is to sleep, by
 *            the file sleep.uf2, and a word that the die writes as soon as it has obeyed.
 */
#ifndef URPI_BLE_FLASH_H
#define URPI_BLE_FLASH_H

#include <stdbool.h>
#include <stdint.h>

void flash_read_settings(uint16_t at, uint8_t *bytes, uint8_t size);

/* Returns the stored number of starts, 0 if there is none. */
uint16_t flash_starts(void);

/* Returns whether the die is to sleep, and has not done so since the file was copied. */
bool flash_is_to_sleep(void);

/* Stores that it has slept, so that its next start is not the next sleep. */
void flash_has_slept(void);

/* Stores a greater one. The processor stands still for 41 us, or for 85 ms once in 1024 times. */
void flash_save_starts(uint16_t starts);

#endif
