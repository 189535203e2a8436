/* The thresholds by which a die tells throwing from handling, and rest from motion: all of them,
 * each with its reason. Milli-g, milliseconds, tenths of a degree. They were chosen by physics
 * and data sheet first, then held against `make -C firmware throws` (10,000 seeded throws and
 * as many turns by hand, with the sensor's noise).
 *
 * Sensor: LIS3DH at 200 Hz, normal mode, +-4 g: 8 mg a digit (data sheet DocID17530 rev 2, table
 * 4), noise 0.22 mg/sqrt(Hz) over 100 Hz: 2.2 mg rms.
 */
#ifndef URPI_SETTLING_LIMITS_H
#define URPI_SETTLING_LIMITS_H

enum settling_limits {
    SETTLING_SAMPLE_MS = 5, /* 200 Hz: a bounce of 30 ms still has six samples */

    /* Lying still: every axis stays this near to its mean of the window. A digit is 8 mg and the
     * noise's peaks are 8 mg, so 16 would be the floor; other dice rolling on the same board
     * shake it by some 20. A hand never holds so still for long: its tremor is 20 to 60 mg. */
    SETTLING_STILL_MG = 32,
    /* ... and the means of two pieces of SETTLING_PIECE_MS in a row, 25 samples each and so 1.6 mg
     * uncertain at 5.7 of noise, do not drift apart by more: what creeps, sways in a hand, or
     * begins to topple, does. */
    SETTLING_DRIFT_MG = 6,
    /* After a throw: the issue's own figure, two such pieces. A d4 at the dead point of an edge
     * stays there for a few multiples of 40 ms (sqrt of 2/3 edge over g) and no longer. */
    SETTLING_STILL_MS = 250,
    /* Without a throw, six: a steady hand passes for a table for a quarter of a second now and
     * then, and a die in a hand must not report. Nobody waits for a die that was only moved. */
    SETTLING_STILL_UNTHROWN_MS = 750,
    /* At rest the sensor shows 1 g, +-40 mg of zero-g offset an axis (70 along the diagonal) and
     * 4 % of scale: anything else is a die that spins or falls steadily. */
    SETTLING_REST_TOLERANCE_MG = 150,

    /* Leaning: the issue's own figure. A face learnt on a table that slopes by 3 degrees and one
     * thrown on another such table are together well below it. */
    SETTLING_COCKED_ANGLE = 150,
    /* ... or the next face is hardly farther: two faces that were learnt alike. On a sound die at
     * 15 degrees the next one is 60 (d6) or 79 (d4) farther. */
    SETTLING_COCKED_LEAD = 300,

    /* Free fall: a sensor 3 mm off the centre of a die that turns five times a second shows 300.
     * A hand that lets the die sink shows 600 and more. */
    SETTLING_FALL_MG = 350,
    /* From here on a fall is told as the beginning of a throw: 1.8 cm. */
    SETTLING_FALL_TOLD_MS = 60,

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
    /* So agitated a die is told as rolling, whatever face it shows: shaken in the hand. */
    SETTLING_WILD_TOLD = 60,
    /* ... and so is one that tumbled over so many faces: one alone is a die that was set down on
     * an edge. The host calls two a throw too (`tumbled_faces`). */
    SETTLING_TUMBLES_TOLD = 2,
    /* A sample names a face when so much of it points nearer to that one than to the next: an
     * impact on an edge or in free fall names none. */
    SETTLING_FACE_LEAD_MG = 250,

    /* Turned by hand after it was shaken: four pieces of so long, all tame, each but the first
     * turned by so much against the one before. A die that rolls over its edge turns as far in
     * two of them; one that dwells at the dead point turns in the last one alone, since from
     * there its angle grows tenfold in 100 ms. */
    SETTLING_PIECE_MS = 125,
    SETTLING_TURN_ANGLE = 120,
    SETTLING_TURNED_PIECES = 3,
    /* Carried: tame for so long and not still. A spinning top of a die does not last as long. */
    SETTLING_CARRIED_MS = 2000,

    /* Motion without a throw is told as handled after so long: most throws begin within it. */
    SETTLING_HANDLED_MS = 300,
    /* ... but only if it is one: a knock on the table, or a piece put down beside the die, is
     * neither so strong nor turns it so far. */
    SETTLING_BUMP_MG = 250,
    SETTLING_BUMP_MS = 15,
    SETTLING_MOVED_ANGLE = 80,

    /* What moves on within a second after a throw (until the watchdog's next bark) and lies still
     * again so soon still belongs to it: a die that slid so evenly that it seemed to lie (friction
     * of 0.27 looks like 15 degrees), that slipped off what it leant on, or that another one
     * knocked over. A hand takes longer: half a second to turn a die, and the stillness. */
    SETTLING_SEQUEL_MS = 700,

    /* The first samples after the sensor changed its mode are not yet settled (data sheet, table
     * 17: 1 sample in normal mode), and the second one is a precaution. */
    SETTLING_SKIPPED_SAMPLES = 2,
};

#endif
