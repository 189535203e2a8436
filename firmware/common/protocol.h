/* Made by firmware/generate_protocol.py from firmware/protocol.toml; edit that instead. */
#ifndef URPI_PROTOCOL_H
#define URPI_PROTOCOL_H

#define PROTOCOL_VERSION 1 /* protocol version, `proto` in the greeting */
#define PROTOCOL_BAUD 115200UL /* bits per second; 8N1 */
#define PROTOCOL_MAX_LINE_BYTES 128 /* maximum length of a line, from $ to CR LF inclusive */
#define PROTOCOL_CRC_POLYNOMIAL 0x1021 /* CRC-16/CCITT-FALSE, not reflected */
#define PROTOCOL_CRC_START 0xFFFFU /* initial value of the CRC */
#define PROTOCOL_RESEND_MS 150 /* timeout after which an unacknowledged report is repeated */
#define PROTOCOL_RESEND_LIMIT 20 /* maximum number of repeats; after that only on ASK */
#define PROTOCOL_HEARTBEAT_MS 1000 /* interval of the hub's greetings */

#define PROTOCOL_PROTO_MIN 1 /* protocol version */
#define PROTOCOL_PROTO_MAX 255 /* protocol version */
#define PROTOCOL_DICE_MIN 0 /* number of dice in range */
#define PROTOCOL_DICE_MAX 8 /* number of dice in range */
#define PROTOCOL_SEQ_MIN 0 /* report number, wraps to 0 */
#define PROTOCOL_SEQ_MAX 65535U /* report number, wraps to 0 */
#define PROTOCOL_DIE_MIN 1 /* die number */
#define PROTOCOL_DIE_MAX 8 /* die number */
#define PROTOCOL_N_MIN 0 /* number of the die's throws, wraps to 0 */
#define PROTOCOL_N_MAX 65535U /* number of the die's throws, wraps to 0 */
#define PROTOCOL_FACE_MIN 1 /* the face or tip that is up, at most kind */
#define PROTOCOL_FACE_MAX 6 /* the face or tip that is up, at most kind */
#define PROTOCOL_ANG_MIN 0 /* tilt from the face's normal in degrees, plus 16 with evidence */
#define PROTOCOL_ANG_MAX 90 /* tilt from the face's normal in degrees, plus 16 with evidence */
#define PROTOCOL_TUM_MIN 0 /* number of faces tumbled over, saturates; with evidence, edges and turn */
#define PROTOCOL_TUM_MAX 255 /* number of faces tumbled over, saturates; with evidence, edges and turn */
#define PROTOCOL_FF_MIN 0 /* free fall in milliseconds, saturates; with evidence, the flight */
#define PROTOCOL_FF_MAX 65535U /* free fall in milliseconds, saturates; with evidence, the flight */
#define PROTOCOL_THR_MIN 0 /* the die's verdict: 1 thrown, 0 not; older dice send none */
#define PROTOCOL_THR_MAX 1 /* the die's verdict: 1 thrown, 0 not; older dice send none */
#define PROTOCOL_BAT_MIN 0 /* battery voltage in millivolts */
#define PROTOCOL_BAT_MAX 9999 /* battery voltage in millivolts */
#define PROTOCOL_DROP_MIN 0 /* items dropped by the hub since its start, saturates */
#define PROTOCOL_DROP_MAX 65535U /* items dropped by the hub since its start, saturates */
#define PROTOCOL_AUTH_MIN 0 /* 1 if the hub verifies the signatures of dice */
#define PROTOCOL_AUTH_MAX 1 /* 1 if the hub verifies the signatures of dice */
#define PROTOCOL_NEW_MIN 1 /* the die whose new chip the hub waits for */
#define PROTOCOL_NEW_MAX 8 /* the die whose new chip the hub waits for */
#define PROTOCOL_ON_MIN 0 /* lamp, 1 on or 0 off */
#define PROTOCOL_ON_MAX 1 /* lamp, 1 on or 0 off */
#define PROTOCOL_T_MIN 0 /* the hub's time in milliseconds, wraps to 0 */
#define PROTOCOL_T_MAX 4294967295UL /* the hub's time in milliseconds, wraps to 0 */

#define PROTOCOL_TYPE_HUB_TEXT "HUB" /* the hub's greeting and heartbeat */
#define PROTOCOL_TYPE_DIE_TEXT "DIE" /* a die's report */
#define PROTOCOL_TYPE_ACK_TEXT "ACK" /* acknowledgement of a report */
#define PROTOCOL_TYPE_ASK_TEXT "ASK" /* request for the greeting and every die's last report */
#define PROTOCOL_TYPE_CAL_TEXT "CAL" /* calibrate the face that is up on a die */
#define PROTOCOL_TYPE_LED_TEXT "LED" /* switch a die's lamp, to identify the die */
#define PROTOCOL_TYPE_BAT_TEXT "BAT" /* calibrate a die's battery measurement by its cell's actual voltage */
#define PROTOCOL_TYPE_NEW_TEXT "NEW" /* let a die with a new chip go on where its former chip ended */
enum protocol_type {
    PROTOCOL_TYPE_HUB,
    PROTOCOL_TYPE_DIE,
    PROTOCOL_TYPE_ACK,
    PROTOCOL_TYPE_ASK,
    PROTOCOL_TYPE_CAL,
    PROTOCOL_TYPE_LED,
    PROTOCOL_TYPE_BAT,
    PROTOCOL_TYPE_NEW,
    PROTOCOL_TYPE_COUNT
};

#define PROTOCOL_STATE_ROLLING_TEXT "rolling" /* picked up or thrown */
#define PROTOCOL_STATE_SETTLED_TEXT "settled" /* at rest on a face */
#define PROTOCOL_STATE_COCKED_TEXT "cocked" /* at rest, but leaning on something */
#define PROTOCOL_STATE_HANDLED_TEXT "handled" /* moved gently or turned, not thrown */
#define PROTOCOL_STATE_LOST_TEXT "lost" /* the hub no longer receives it */
#define PROTOCOL_STATE_FOUND_TEXT "found" /* the hub receives it again */
enum protocol_state {
    PROTOCOL_STATE_ROLLING,
    PROTOCOL_STATE_SETTLED,
    PROTOCOL_STATE_COCKED,
    PROTOCOL_STATE_HANDLED,
    PROTOCOL_STATE_LOST,
    PROTOCOL_STATE_FOUND,
    PROTOCOL_STATE_COUNT
};

#define PROTOCOL_ERROR_CAL_TEXT "cal" /* die: not every face is calibrated, the face can be wrong */
#define PROTOCOL_ERROR_ACCEL_TEXT "accel" /* die: its accelerometer has failed; its state is lost */
#define PROTOCOL_ERROR_TWIN_TEXT "twin" /* die: another die has the same number */
#define PROTOCOL_ERROR_WAKES_TEXT "wakes" /* die: its sensor wakes it again and again without motion, which drains the battery */
#define PROTOCOL_ERROR_NOKEY_TEXT "nokey" /* die: its reports have no signature that the hub can verify */
#define PROTOCOL_ERROR_RADIO_TEXT "radio" /* hub: its radio has failed */
#define PROTOCOL_ERROR_IDENTITY_TEXT "identity" /* hub: its EEPROM is empty or damaged; it works as set 0 */
#define PROTOCOL_ERROR_FORGED_TEXT "forged" /* hub: lately it rejected a report that was forged, sent again, or of another key */
enum protocol_error {
    PROTOCOL_ERROR_CAL,
    PROTOCOL_ERROR_ACCEL,
    PROTOCOL_ERROR_TWIN,
    PROTOCOL_ERROR_WAKES,
    PROTOCOL_ERROR_NOKEY,
    PROTOCOL_ERROR_RADIO,
    PROTOCOL_ERROR_IDENTITY,
    PROTOCOL_ERROR_FORGED,
    PROTOCOL_ERROR_COUNT
};

#endif
