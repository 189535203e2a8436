#include "hand.h"

#define TREMOR_HZ 9.0       /* a hand's tremor, 8 to 12 Hz */
#define TUMBLE_LASTS_S 0.08 /* time for which the die turns in one direction in the hand */

/* The progress of a movement at part `u` of its time, both from 0 to 1. */
static double progress(double u)
{
    return u * u * u * (10.0 - 15.0 * u + 6.0 * u * u);
}

/* The second derivative of progress() with respect to `u`. */
static double progress_bend(double u)
{
    return u * (60.0 - 180.0 * u + 120.0 * u * u);
}

void hand_begin(struct hand *hand, const struct hand_move *move, struct quat attitude,
                struct chance *chance)
{
    *hand = (struct hand){.move = *move, .from = attitude, .attitude = attitude};
    hand->phase.x = chance_between(chance, 0, 2 * SIM_PI);
    hand->phase.y = chance_between(chance, 0, 2 * SIM_PI);
    hand->phase.z = chance_between(chance, 0, 2 * SIM_PI);
}

static struct vec swing(const struct hand *hand, double hz, double size_g)
{
    double angle = 2 * SIM_PI * hz * hand->at_s;
    double size = size_g * SIM_GRAVITY;
    return (struct vec){size * sin(angle + hand->phase.x), size * sin(angle + hand->phase.y),
                        size * sin(angle + hand->phase.z)};
}

/* The die rolls in the hand at random (an Ornstein-Uhlenbeck process). */
static void tumble(struct hand *hand, double step, struct chance *chance)
{
    double keep = exp(-step / TUMBLE_LASTS_S);
    double kick = hand->move.tumble_rad_per_s * sqrt(1 - keep * keep);
    struct vec draw = {chance_normal(chance), chance_normal(chance), chance_normal(chance)};
    hand->spin = vec_add(vec_scale(hand->spin, keep), vec_scale(draw, kick));
    struct quat turn = quat_about(vec_scale(hand->spin, step));
    hand->attitude = quat_unit(quat_multiply(turn, hand->attitude));
}

static void turn(struct hand *hand, double u, double step)
{
    struct vec whole = quat_angle(hand->from, hand->move.to);
    struct quat before = hand->attitude;
    struct quat part = quat_about(vec_scale(whole, progress(u)));
    hand->attitude = quat_unit(quat_multiply(part, hand->from));
    hand->spin = vec_scale(quat_angle(before, hand->attitude), 1.0 / step);
}

void hand_step(struct hand *hand, double step, struct chance *chance)
{
    hand->at_s += step;
    double u = fmin(hand->at_s / hand->move.lasts_s, 1.0);
    if (hand->move.tumble_rad_per_s > 0)
        tumble(hand, step, chance);
    else
        turn(hand, u, step);
    double lasts = hand->move.lasts_s;
    double onset = fmin(1.0, hand->at_s / 0.1);
    if (hand->move.calms_down)
        onset = fmin(onset, (lasts - hand->at_s) / 0.1);
    double hz = hand->move.tremor_hz > 0 ? hand->move.tremor_hz : TREMOR_HZ;
    hand->acceleration = vec_add(swing(hand, hand->move.shake_hz, onset * hand->move.shake_g),
                                 swing(hand, hz, onset * hand->move.tremor_g));
    hand->acceleration.z += hand->move.lift_m * progress_bend(u) / (lasts * lasts);
    double opening = hand->move.release_s;
    if (opening > 0 && hand->at_s > lasts - opening)
        hand->acceleration.z -= SIM_GRAVITY * (hand->at_s - lasts + opening) / opening;
}
