/* Made by firmware/generate_protocol.py from firmware/air.toml; edit that instead. */
#ifndef URPI_AIR_PROTOCOL_H
#define URPI_AIR_PROTOCOL_H

#define AIR_VERSION 1 /* the air protocol, the high half of a frame's first byte */
#define AIR_REPORT_BYTES 18 /* a die's frame; 0.22 ms on the air at 1 Mbit/s */
#define AIR_COMMAND_BYTES 8 /* a hub's frame */
#define AIR_ADDRESS_BYTES 5 /* the longest address, so that noise seldom looks like one */
#define AIR_CHANNEL_FIRST 74 /* of set 0; 2400 MHz + so many */
#define AIR_CHANNEL_STEP 2 /* MHz between neighbours: one 1 Mbit/s signal is 1 MHz wide */
#define AIR_CHANNEL_COUNT 5 /* sets wrap round; their addresses still tell them apart */
#define AIR_CHANNEL_MAX 83 /* the last one of the band */
#define AIR_RETRY_STEP_US 250 /* what the chip counts its waits in */
#define AIR_RETRY_FIRST_STEPS 2 /* a die waits so many steps, and its number's more */
#define AIR_RETRY_COUNT 5 /* resends by the chip itself, then the die backs off */
#define AIR_BACKOFF_FIRST_MS 4 /* the first limit: about one burst of retries */
#define AIR_BACKOFF_LAST_MS 128 /* the last limit while awake */
#define AIR_BURSTS_AWAKE 24 /* bursts before the die sleeps and tries again as it wakes */
#define AIR_LISTEN_MS 4 /* a die listens so long for a command after it was heard */
#define AIR_COMMAND_DELAY_US 500 /* the hub gives the die so long to turn to listening */
#define AIR_COMMAND_TRIES 60 /* times a command is sent before it is dropped, and counted */
#define AIR_COMMAND_LIFE_S 120 /* a command that its die did not fetch is dropped, counted */
#define AIR_POLL_S 1 /* after it settled a die asks for commands so often ... */
#define AIR_POLLS 10 /* ... and so many times; then the heartbeat alone */
#define AIR_WAKE_S 8 /* the watchdog wakes a sleeping die so often: its longest period */
#define AIR_WAKES_PER_HEARTBEAT 4 /* wakes a heartbeat: one in 32 s */
#define AIR_LOST_S 110 /* a silent die is lost: three heartbeats of a slow clock (+10 %) */

#define AIR_NODE_HUB_FIRST 0x6A
#define AIR_NODE_HUB_COUNT 0x06
#define AIR_NODE_DIE_FIRST 0xB1

enum air_command {
    AIR_COMMAND_NONE, /* nothing waits */
    AIR_COMMAND_LED, /* the lamp, argument 1 on or 0 off */
    AIR_COMMAND_LEARN, /* learn the face of the argument */
    AIR_COMMAND_COUNT
};

enum air_fault {
    AIR_FAULT_NONE, /* all is well */
    AIR_FAULT_CAL, /* not every face was learnt */
    AIR_FAULT_ACCEL, /* the accelerometer is dead */
    AIR_FAULT_COUNT
};

#endif
