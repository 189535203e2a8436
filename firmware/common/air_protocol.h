/* Made by firmware/generate_protocol.py from firmware/air.toml; edit that instead. */
#ifndef URPI_AIR_PROTOCOL_H
#define URPI_AIR_PROTOCOL_H

#define AIR_VERSION 1 /* protocol version, the high half of a frame's first byte */
#define AIR_REPORT_BYTES 18 /* a die's frame; 0.22 ms on air at 1 Mbit/s */
#define AIR_COMMAND_BYTES 8 /* a hub's frame */
#define AIR_ADDRESS_BYTES 5 /* maximum address length, which noise rarely matches */
#define AIR_CHANNEL_FIRST 74 /* channel of set 0, in MHz above 2400 */
#define AIR_CHANNEL_STEP 2 /* MHz between neighbours: a 1 Mbit/s signal is 1 MHz wide */
#define AIR_CHANNEL_COUNT 5 /* sets wrap around; their addresses still differ */
#define AIR_CHANNEL_MAX 83 /* the last channel of the band */
#define AIR_RETRY_STEP_US 250 /* unit of the chip's retransmission delay */
#define AIR_RETRY_FIRST_STEPS 2 /* delay in these units, to which the die's number is added */
#define AIR_RETRY_COUNT 5 /* retransmissions by the chip before the die backs off */
#define AIR_BACKOFF_FIRST_MS 4 /* first limit: about one burst of retransmissions */
#define AIR_BACKOFF_LAST_MS 128 /* last limit while awake */
#define AIR_BURSTS_AWAKE 24 /* bursts before the die sleeps until its next wake */
#define AIR_LISTEN_MS 4 /* time a die listens for a command after an acknowledgement */
#define AIR_COMMAND_DELAY_US 500 /* time the hub leaves the die to start listening */
#define AIR_COMMAND_TRIES 60 /* attempts to send a command before it is dropped and counted */
#define AIR_COMMAND_LIFE_S 120 /* timeout after which an unfetched command is dropped */
#define AIR_POLL_S 1 /* interval in which a die fetches commands after it settled */
#define AIR_POLLS 10 /* number of these intervals; then only with each heartbeat */
#define AIR_WAKE_S 8 /* the watchdog's longest period, which wakes a sleeping die */
#define AIR_WAKES_PER_HEARTBEAT 4 /* wakes per heartbeat: one in 32 s */
#define AIR_LOST_S 110 /* timeout of a silent die: three heartbeats of a slow clock (+10 %) */

#define AIR_NODE_HUB_FIRST 0x6A
#define AIR_NODE_HUB_COUNT 0x06
#define AIR_NODE_DIE_FIRST 0xB1

enum air_command {
    AIR_COMMAND_NONE, /* no command pending */
    AIR_COMMAND_LED, /* switch the lamp, argument 1 on or 0 off */
    AIR_COMMAND_CALIBRATE, /* calibrate the face given by the argument */
    AIR_COMMAND_BATTERY, /* calibrate the battery measurement; the argument is the cell's voltage in mV */
    AIR_COMMAND_NUMBER, /* go on numbering reports as after so many starts: another chip had this die number */
    AIR_COMMAND_COUNT
};

enum air_fault {
    AIR_FAULT_NONE, /* no fault */
    AIR_FAULT_CAL, /* not every face is calibrated */
    AIR_FAULT_ACCEL, /* the accelerometer has failed */
    AIR_FAULT_COUNT
};

#endif
