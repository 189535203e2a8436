/* Made by firmware/generate_protocol.py from firmware/protocol.toml; edit that instead. */
#ifndef URPI_PROTOCOL_H
#define URPI_PROTOCOL_H

#define PROTOCOL_VERSION 1 /* the protocol, `proto` in the greeting */
#define PROTOCOL_BAUD 115200UL /* bits a second; 8N1 */
#define PROTOCOL_MAX_LINE_BYTES 128 /* the longest line, from $ to CR LF, both counted */
#define PROTOCOL_CRC_POLYNOMIAL 0x1021 /* CRC-16/CCITT-FALSE, not reflected */
#define PROTOCOL_CRC_START 0xFFFFU /* what the CRC starts with */
#define PROTOCOL_RESEND_MS 150 /* a report that was not acknowledged is said again after this */
#define PROTOCOL_RESEND_LIMIT 20 /* so many times at most; then only when asked */
#define PROTOCOL_HEARTBEAT_MS 1000 /* the hub greets so often */

#define PROTOCOL_PROTO_MIN 1 /* protocol version */
#define PROTOCOL_PROTO_MAX 255 /* protocol version */
#define PROTOCOL_DICE_MIN 0 /* dice that the hub knows */
#define PROTOCOL_DICE_MAX 8 /* dice that the hub knows */
#define PROTOCOL_SEQ_MIN 0 /* report number, wraps to 0 */
#define PROTOCOL_SEQ_MAX 65535U /* report number, wraps to 0 */
#define PROTOCOL_DIE_MIN 1 /* a die's number */
#define PROTOCOL_DIE_MAX 8 /* a die's number */
#define PROTOCOL_N_MIN 0 /* the die's throws, wraps to 0 */
#define PROTOCOL_N_MAX 65535U /* the die's throws, wraps to 0 */
#define PROTOCOL_FACE_MIN 1 /* the face or tip that is up, not above kind */
#define PROTOCOL_FACE_MAX 6 /* the face or tip that is up, not above kind */
#define PROTOCOL_ANG_MIN 0 /* degrees off the face's normal */
#define PROTOCOL_ANG_MAX 90 /* degrees off the face's normal */
#define PROTOCOL_TUM_MIN 0 /* faces passed while tumbling, stays at the end */
#define PROTOCOL_TUM_MAX 255 /* faces passed while tumbling, stays at the end */
#define PROTOCOL_FF_MIN 0 /* milliseconds of free fall, stays at the end */
#define PROTOCOL_FF_MAX 65535U /* milliseconds of free fall, stays at the end */
#define PROTOCOL_BAT_MIN 0 /* millivolts */
#define PROTOCOL_BAT_MAX 9999 /* millivolts */
#define PROTOCOL_DROP_MIN 0 /* what the hub had to drop since its start, stays at the end */
#define PROTOCOL_DROP_MAX 65535U /* what the hub had to drop since its start, stays at the end */
#define PROTOCOL_ON_MIN 0 /* a lamp, on or off */
#define PROTOCOL_ON_MAX 1 /* a lamp, on or off */
#define PROTOCOL_T_MIN 0 /* the hub's milliseconds, wraps to 0 */
#define PROTOCOL_T_MAX 4294967295UL /* the hub's milliseconds, wraps to 0 */

#define PROTOCOL_TYPE_HUB_TEXT "HUB" /* the hub's greeting and heartbeat */
#define PROTOCOL_TYPE_DIE_TEXT "DIE" /* a die's report */
#define PROTOCOL_TYPE_ACK_TEXT "ACK" /* a report was heard */
#define PROTOCOL_TYPE_ASK_TEXT "ASK" /* say the greeting and every die's last report */
#define PROTOCOL_TYPE_CAL_TEXT "CAL" /* a die lies with this face up: learn it */
#define PROTOCOL_TYPE_LED_TEXT "LED" /* show which die this is */
enum protocol_type {
    PROTOCOL_TYPE_HUB,
    PROTOCOL_TYPE_DIE,
    PROTOCOL_TYPE_ACK,
    PROTOCOL_TYPE_ASK,
    PROTOCOL_TYPE_CAL,
    PROTOCOL_TYPE_LED,
    PROTOCOL_TYPE_COUNT
};

#define PROTOCOL_STATE_ROLLING_TEXT "rolling" /* picked up or thrown */
#define PROTOCOL_STATE_SETTLED_TEXT "settled" /* lies still on a face */
#define PROTOCOL_STATE_COCKED_TEXT "cocked" /* still, but leaning on something */
#define PROTOCOL_STATE_HANDLED_TEXT "handled" /* moved gently or turned, not thrown */
#define PROTOCOL_STATE_LOST_TEXT "lost" /* the hub has not heard from it */
#define PROTOCOL_STATE_FOUND_TEXT "found" /* the hub has heard from it again */
enum protocol_state {
    PROTOCOL_STATE_ROLLING,
    PROTOCOL_STATE_SETTLED,
    PROTOCOL_STATE_COCKED,
    PROTOCOL_STATE_HANDLED,
    PROTOCOL_STATE_LOST,
    PROTOCOL_STATE_FOUND,
    PROTOCOL_STATE_COUNT
};

#define PROTOCOL_ERROR_CAL_TEXT "cal" /* a die's: not every face was learnt, so that its faces are a guess */
#define PROTOCOL_ERROR_ACCEL_TEXT "accel" /* a die's: its accelerometer is dead; its state is lost */
#define PROTOCOL_ERROR_RADIO_TEXT "radio" /* the hub's: its radio is dead */
#define PROTOCOL_ERROR_IDENTITY_TEXT "identity" /* the hub's: nobody wrote its EEPROM, or it is damaged; set 0 is assumed */
enum protocol_error {
    PROTOCOL_ERROR_CAL,
    PROTOCOL_ERROR_ACCEL,
    PROTOCOL_ERROR_RADIO,
    PROTOCOL_ERROR_IDENTITY,
    PROTOCOL_ERROR_COUNT
};

#endif
