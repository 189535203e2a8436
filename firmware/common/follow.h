/* What the main loops of both kinds of dice do with the accelerometer: they follow a motion until rest,
 * and look after a die at rest. The main loop of each decides when, by its clock and its interrupts.
 *
 * RESTING waits for the sensor's interrupt; TURNING_ON until the interrupt can be armed, and ARMING for
 * the sample with which it is, if the chip needs one; PAUSING and DOZING ignore it until the next tick.
 */
#ifndef URPI_FOLLOW_H
#define URPI_FOLLOW_H

#include "die.h"

enum follow_activity { RESTING, TURNING_ON, ARMING, PAUSING, MOVING, DOZING };

extern struct die die;
extern enum follow_activity activity;

/* Begins an episode (die_begin). */
void follow_move(bool forced);

/* Starts the sensor, and begins an episode. */
void follow_restart(void);

/* Selects the rest mode. */
void follow_rest(enum follow_activity next);

/* Arms the interrupt of the rest mode. */
void follow_arm(void);

/* Processes the samples of a motion. */
void follow_samples(void);

/* `seconds` without another event have elapsed, or of motion. */
void follow_tick(uint8_t seconds);

/* --- of each main loop --- */

uint32_t main_now(void);
uint16_t main_battery_mv(void);
void main_keep_time(void); /* before each sample */
void main_start_supply(void);
void main_moves(void);
void main_rests(void);
void main_accel_failed(void);

#endif
