/* The layout of the EEPROM of a die and of a hub.
 *
 * `make -C firmware eeprom ID=2 SET=7` writes such an image (firmware/eeprom.py). Numbers of two
 * bytes are little-endian. A CRC is the serial line's (CRC-16/CCITT-FALSE) over the preceding bytes
 * of its record. Erased cells are 0xFF.
 *
 *   0x00  identity, 14 bytes
 *           0  'U'
 *           1  layout, 1
 *           2  'D' for a die, 'H' for a hub
 *           3  die number, 1 to 8; 0 for a hub
 *           4  set, 2 bytes: the number of the board, from which the radio address is derived
 *           6  radio channel, 0 to 83 (MHz above 2400), or 0xFF for the set's channel
 *           7  number of the die's faces, 4 or 6; 0 for a hub
 *           8  id in the hub's greeting, 2 bytes; 0 for a die
 *          10  measured voltage of the chip's 1.1 V reference, 2 bytes, millivolts (900 to 1300)
 *          12  CRC, 2 bytes
 *   0x10  number of the die's starts, mod 256, 1 byte
 *   0x12  the same voltage of a die's reference as calibrated by `urpi dice calibrate --cell`, which
 *         takes precedence, 2 bytes, and their CRC, 2 bytes
 *   0x20  calibration of a die, slot 0, 42 bytes
 *           0  generation, 2 bytes, mod 65536: the newer of two valid slots counts
 *           2  calibrated faces, bit 0 for face 1
 *           3  number of the die's faces, 4 or 6
 *           4  face 1: x, y, z, 2 bytes each, signed, in milli-g, measured while it was up; then
 *              faces 2 to 6 (a d4's last two are 0)
 *          40  CRC, 2 bytes
 *   0x60  calibration of a die, slot 1
 *   0x90  key, 24 bytes; without one, 0xFF
 *           0  'K'
 *           1  layout, 1
 *           2  key, 16 bytes: the same in all dice and the hub of a board
 *          18  pairing, 4 bytes: a random number, another one each time a hub is flashed; 0 for a die
 *          22  CRC, 2 bytes
 *   0xB0  number of the starts of a die with a key, slot 0: 2 bytes, and their CRC, 2 bytes; the
 *         greater valid one of both slots counts
 *   0xB8  the same, slot 1
 *   0x100 number of the last signed report that a hub received from die 1, eight slots that are
 *         written in turn: 4 bytes, and their signature, 4 bytes; then those of dice 2 to 8
 *
 * A hub on an Arduino Nano is flashed through its boot loader, which cannot write the EEPROM. A hub
 * without an identity in its EEPROM therefore reads both records from flash, identity at 0x7000 and
 * key at 0x7010 (below the largest boot loader; erased flash is not a valid record).
 */
#ifndef URPI_EEPROM_LAYOUT_H
#define URPI_EEPROM_LAYOUT_H

#define EEPROM_IDENTITY_AT 0x00
#define EEPROM_IDENTITY_BYTES 14
#define EEPROM_IDENTITY_IN_FLASH_AT 0x7000
#define EEPROM_STARTS_AT 0x10
#define EEPROM_REFERENCE_AT 0x12
#define EEPROM_REFERENCE_BYTES 4
#define EEPROM_CALIBRATION_AT 0x20
#define EEPROM_CALIBRATION_STRIDE 0x40
#define EEPROM_CALIBRATION_BYTES 42
#define EEPROM_CALIBRATION_SLOTS 2
#define EEPROM_KEY_AT 0x90
#define EEPROM_KEY_BYTES 24
#define EEPROM_KEY_IN_FLASH_AT 0x7010
#define EEPROM_KEYED_STARTS_AT 0xB0
#define EEPROM_KEYED_STARTS_STRIDE 8
#define EEPROM_KEYED_STARTS_BYTES 4
#define EEPROM_KEYED_STARTS_SLOTS 2
#define EEPROM_NUMBERS_AT 0x100
#define EEPROM_NUMBER_BYTES 8
#define EEPROM_NUMBER_SLOTS 8

#define EEPROM_IDENTITY_MARK 'U'
#define EEPROM_KEY_MARK 'K'
#define EEPROM_LAYOUT 1
#define EEPROM_ROLE_DIE 'D'
#define EEPROM_ROLE_HUB 'H'
#define EEPROM_CHANNEL_OF_SET 0xFF

#endif
