/* What stands where in the EEPROM of a die and of a hub, byte for byte.
 *
 * `make -C firmware eeprom ID=2 SET=7` writes such a picture (firmware/eeprom.py). Numbers of
 * two bytes are little-endian. A CRC is the serial line's (CRC-16/CCITT-FALSE) over the bytes of
 * its record that stand before it. Erased cells are 0xFF.
 *
 *   0x00  identity, 14 bytes
 *           0  'U'
 *           1  layout, 1
 *           2  'D' for a die, 'H' for a hub
 *           3  the die's number, 1 to 8; a hub's is 0
 *           4  set, 2 bytes: which board this belongs to; the radio address comes from it
 *           6  radio channel, 0 to 83 (2400 MHz + so many), 0xFF: the set's own
 *           7  the die's faces, 4 or 6; a hub's is 0
 *           8  the hub's id as its greeting says it, 2 bytes; a die's is 0
 *          10  what this very chip's 1.1 V reference gives, 2 bytes, millivolts (900 to 1300)
 *          12  CRC, 2 bytes
 *   0x10  how often the die has started, mod 256, 1 byte
 *   0x20  calibration, slot 0, 42 bytes (a die's)
 *           0  generation, 2 bytes, mod 65536: the newer of two good slots counts
 *           2  faces that were learnt, bit 0 for face 1
 *           3  the faces that the die has, 4 or 6
 *           4  face 1: x, y, z, 2 bytes each with sign, milli-g measured while it was up; then
 *              faces 2 to 6 likewise (a d4's last two are 0)
 *          40  CRC, 2 bytes
 *   0x60  calibration, slot 1, likewise
 *
 * A hub on an Arduino Nano is flashed through its boot loader, and that one cannot write the
 * EEPROM: a hub without an identity there takes the same record from flash, at 0x7000 (below the
 * largest boot loader; erased flash is no record).
 */
#ifndef URPI_EEPROM_LAYOUT_H
#define URPI_EEPROM_LAYOUT_H

#define EEPROM_IDENTITY_AT 0x00
#define EEPROM_IDENTITY_BYTES 14
#define EEPROM_IDENTITY_IN_FLASH_AT 0x7000
#define EEPROM_STARTS_AT 0x10
#define EEPROM_CALIBRATION_AT 0x20
#define EEPROM_CALIBRATION_STRIDE 0x40
#define EEPROM_CALIBRATION_BYTES 42
#define EEPROM_CALIBRATION_SLOTS 2

#define EEPROM_IDENTITY_MARK 'U'
#define EEPROM_LAYOUT 1
#define EEPROM_ROLE_DIE 'D'
#define EEPROM_ROLE_HUB 'H'
#define EEPROM_CHANNEL_OF_SET 0xFF

#endif
