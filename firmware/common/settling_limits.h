/* All thresholds that distinguish throwing from handling and rest from motion, with their reasons.
 * Units are milli-g, milliseconds and tenths of a degree. They were derived from physics and the
 * data sheet, and then checked by `make -C firmware throws` (10,000 seeded throws and as many turns
 * by hand, with the sensor's noise).
 *
 * Sensor: LIS3DH at 200 Hz, normal mode, +-4 g: 8 mg per digit (data sheet DocID17530 rev 2,
 * table 4), noise 0.22 mg/sqrt(Hz) over 100 Hz: 2.2 mg rms.
 */
#ifndef URPI_SETTLING_LIMITS_H
#define URPI_SETTLING_LIMITS_H

enum settling_limits {
    SETTLING_SAMPLE_MS = 5, /* 200 Hz: a bounce of 30 ms still has six samples */

    /* At rest: every axis stays this close to its mean in the window. A digit and the noise's
     * peaks are 8 mg each, so 16 is the minimum; other dice rolling on the same board shake it by
     * about 20. A hand is not this still for long: its tremor is 20 to 60 mg. */
    SETTLING_STILL_MG = 32,
    /* Also, the means of two consecutive pieces of SETTLING_PIECE_MS (25 samples each, so uncertain
     * by 1.6 mg with 5.7 mg of noise) differ by at most this: a die that slides, sways in a hand or
     * begins to topple drifts faster. */
    SETTLING_DRIFT_MG = 6,
    /* Required time at rest after a throw: two such pieces. A d4 balancing on an edge stays there
     * for only a few multiples of 40 ms (square root of 2/3 edge length over g). */
    SETTLING_STILL_MS = 250,
    /* Without a throw, six pieces: a steady hand can look like a table for a quarter of a second,
     * and a die in a hand must not report. The players do not wait for a die that was only moved. */
    SETTLING_STILL_UNTHROWN_MS = 750,
    /* At rest the sensor shows 1 g, with a zero-g offset of +-40 mg per axis (70 along the
     * diagonal) and 4 % of scale error. Any other constant value is a spin or a fall. */
    SETTLING_REST_TOLERANCE_MG = 150,

    /* Leaning. Calibrating on a table that slopes by 3 degrees and throwing on another such table
     * together stay well below this. */
    SETTLING_COCKED_ANGLE = 150,
    /* Also leaning if the next face is hardly farther away, because two faces were calibrated
     * alike. On a correctly calibrated die that leans by 15 degrees, the next face is 60 (d6) or
     * 79 (d4) degrees farther. */
    SETTLING_COCKED_LEAD = 300,

    /* Free fall: a sensor 3 mm off the centre of a die that turns five times a second shows 300.
     * A hand that lets the die sink shows 600 and more. */
    SETTLING_FALL_MG = 350,
    /* A fall of this duration is reported as the beginning of a throw: 1.8 cm. */
    SETTLING_FALL_REPORTED_MS = 60,

    /* Tumbling: below and above this a sample is wild. Turning in the hand stays within 0.3 g of
     * gravity; each hop and each landing of a rolling die goes far beyond. */
    SETTLING_WILD_LOW_MG = 450,
    SETTLING_WILD_HIGH_MG = 1700,
    /* A wild sample adds WILD_GAIN to the agitation, a tame one takes 1 away, up to the ceiling.
     * A face that changes above WILD_ENOUGH was tumbled over: seven wild samples. A die that is
     * set down on a corner rattles for three to six; a roll renews them at every landing, which
     * are less than the 160 ms apart that the ceiling takes to run down to there. */
    SETTLING_WILD_GAIN = 4,
    SETTLING_WILD_ENOUGH = 28,
    SETTLING_WILD_CEILING = 60,
    /* At this agitation a die is reported as rolling whatever its face: shaken in the hand. */
    SETTLING_WILD_REPORTED = 60,
    /* Also reported as rolling after this number of tumbles: a single one occurs if a die is set
     * down on an edge. The host requires two for a throw as well (`tumbled_faces`). */
    SETTLING_TUMBLES_REPORTED = 2,
    /* A sample counts for a face if it points to that face by this much more than to the next one.
     * An impact on an edge and free fall do not count for any. */
    SETTLING_FACE_LEAD_MG = 250,

    /* Turned by hand after being shaken: four calm pieces of this length, each except the first
     * turned by this angle against the one before. A die that rolls over its edge turns this far
     * in only two of them, and one that balances on the edge only in the last one, because from
     * there its angle grows tenfold in 100 ms. */
    SETTLING_PIECE_MS = 125,
    SETTLING_TURN_ANGLE = 120,
    SETTLING_TURNED_PIECES = 3,
    /* Carried: calm for this long, but not at rest. A die that spins like a top stops earlier. */
    SETTLING_CARRIED_MS = 2000,

    /* Motion without a throw is reported as handled after this time: most throws begin earlier. */
    SETTLING_HANDLED_MS = 300,
    /* ... but only if it exceeds these limits: a knock on the table or a piece put down next to
     * the die is weaker, and turns the die less. */
    SETTLING_BUMP_MG = 250,
    SETTLING_BUMP_MS = 15,
    SETTLING_MOVED_ANGLE = 80,

    /* Motion that begins within a second after a throw (until the watchdog's next period) and ends
     * within this time still belongs to the throw: a die that slid so evenly that it seemed at rest
     * (friction of 0.27 looks like 15 degrees), slipped off the object it leant on, or was knocked
     * over by another die. A hand takes longer: half a second to turn a die, and the time at rest. */
    SETTLING_SEQUEL_MS = 700,

    /* The verdict (verdict.h), from 300 simulated throws and tricks of each kind and body.
     *
     * In the hand: samples stay this close in every axis to their mean of the last eight, and close to
     * 1 g, for this time. A tremor of 50 mg reaches 87 along the diagonal. A die that rolls in the
     * hand at 3 rad/s is 120 mg ahead of its mean. */
    VERDICT_HOLD_MG = 100,
    VERDICT_HOLD_MS = 65,
    /* A hold begins gradually, and a hand trembles. A jump, and then samples this close, are a spin
     * that looks like gravity, for as long as a die can fly: thrown upwards, from 25 cm, 0.36 s. */
    VERDICT_JUMP_MG = 250,
    VERDICT_QUIET_MG = 32,
    VERDICT_JUMPED_HOLD_MS = 400,
    /* The die is released at most so long after the hold: fingers open in up to 40 ms. */
    VERDICT_RELEASE_MS = 60,
    /* As steady for so long, it is in a hand and not on the table, where it slides or stands on an
     * edge. */
    VERDICT_SLID_MS = 400,
    /* A flight: samples without weight, or that stay this close to the first one, eight digits, for
     * this time. A fall of 2 cm takes 64 ms; a die tipped over its edge hops for up to 50. */
    VERDICT_ALIKE_MG = 64,
    VERDICT_FLIGHT_MS = 60,
    /* One that begins at most so long after an impact is a hop unless it lasts as long itself. */
    VERDICT_HOP_AFTER_MS = 20,
    VERDICT_HOP_MS = 80,
    /* One that begins at most so long after an impact is a bounce: a hand cannot lift and release
     * the die as fast. */
    VERDICT_BOUNCE_MS = 400,
    /* ... also after it seemed held, if it had flown before: catching it takes a hand longer. */
    VERDICT_REBOUND_MS = 200,
    /* An impact: a jump of this size between two samples, beyond 1 g by as much. A jump of this size
     * ends a flight, also within; if it is unlike gravity, a smaller one does. */
    VERDICT_IMPACT_MG = 500,
    VERDICT_LANDED_MG = 200,
    /* A die that was held ends turned by this against the hold, or it was not thrown. A hand that
     * drops a die chooses the tilt, and the die ends on the face that was up: it turns by the tilt. */
    VERDICT_TURNED_DEG = 45,
    /* ... or rolled over so many edges. One that is dropped tilted can rock over one and back. */
    VERDICT_ROLLED_EDGES = 2,

    /* The first sample after a change of the sensor's mode is not settled (data sheet, table 17:
     * 1 sample in normal mode). The second one is skipped as a precaution. */
    SETTLING_SKIPPED_SAMPLES = 2,
};

#endif
