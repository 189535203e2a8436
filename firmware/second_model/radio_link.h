/* Between radio.c and radio_link.c. */
#ifndef SECOND_RADIO_LINK_H
#define SECOND_RADIO_LINK_H

#include "radio.h"

enum {
    CONFIG, EN_AA, EN_RXADDR, SETUP_AW, SETUP_RETR, RF_CH, RF_SETUP, STATUS, OBSERVE_TX, RPD,
    RX_ADDR_P0, TX_ADDR = 0x10, RX_PW_P0, FIFO_STATUS = 0x17, DYNPD = 0x1C, FEATURE,
    PWR_UP = 2, PRIM_RX = 1, RX_DR = 0x40, TX_DS = 0x20, MAX_RT = 0x10,
};

/* Begins or ends what CE, CONFIG and the FIFOs require. */
void radio_link_update(struct radio *radio, ps now);

/* Ends sending and listening at once; a packet in the air is damaged. */
void radio_stop(struct radio *radio);

/* Removes the frame that was sent from the FIFO. */
void radio_tx_done(struct radio *radio);

#endif
