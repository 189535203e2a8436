#include "motion_actions.h"

#include <stdio.h>
#include <string.h>

static const struct action {
    const char *name;
    void (*alone)(struct motion *motion);
    void (*to_face)(struct motion *motion, int face);
} actions[] = {
    {"throw", motion_throw, NULL},     {"gentle", motion_gentle, NULL},
    {"spun", motion_spun, NULL},       {"place", NULL, motion_place},
    {"set", NULL, motion_set_down},    {"drop", NULL, motion_drop},
    {"twirl", NULL, motion_twirl},
    {"tip", motion_tip, NULL},         {"hold", motion_hold, NULL},
    {"nudge", motion_nudge, NULL},     {"knock", motion_knock, NULL},
    {"pocket", motion_pocket, NULL},   {"lean", NULL, NULL},
};

static const struct action *action_named(const char *name)
{
    for (size_t i = 0; i < sizeof actions / sizeof actions[0]; i++)
        if (strcmp(actions[i].name, name) == 0)
            return &actions[i];
    return NULL;
}

bool motion_is_action(const char *name)
{
    return action_named(name) != NULL;
}

void motion_options_start(struct motion_options *options)
{
    *options = (struct motion_options){.lean_deg = {25, 25}, .trick = motion_any_trick};
}

static bool read_range(const char *text, const char *key, double unit, struct motion_range *range)
{
    size_t size = strlen(key);
    if (strncmp(text, key, size) != 0 || text[size] != '=')
        return false;
    int found = sscanf(text + size + 1, "%lf..%lf", &range->low, &range->high);
    if (found == 1)
        range->high = range->low;
    range->low *= unit;
    range->high *= unit;
    return found > 0;
}

bool motion_options_read(struct motion_options *options, const char *text)
{
    struct motion_trick *trick = &options->trick;
    return read_range(text, "lean", 1, &options->lean_deg) ||
           read_range(text, "tilt", 1, &trick->tilt_deg) ||
           read_range(text, "drop", 0.01, &trick->drop_m) ||
           read_range(text, "hold", 1, &trick->hold_s) || read_range(text, "spin", 1, &trick->spin);
}

int motion_face_before(struct chance *chance, uint64_t seed, const struct body_shape *shape)
{
    chance_seed(chance, seed, 5);
    return 1 + chance_below(chance, shape->faces);
}

double motion_more_ms(struct chance *chance)
{
    return chance_between(chance, 0, 100);
}

int motion_act(struct motion *motion, const char *name, struct chance *chance,
               const struct motion_options *options)
{
    const struct action *action = action_named(name);
    int wanted = 0;
    motion->trick = &options->trick;
    if (action->alone)
        action->alone(motion);
    else if (action->to_face)
        action->to_face(motion, wanted = 1 + chance_below(chance, motion->body.shape->faces));
    else
        motion_lean(motion, options->lean_deg.low);
    return wanted;
}
