/* Detection of the face up, and the calibration that a die stores. */
#include <string.h>

#include "calibration.h"
#include "check.h"
#include "eeprom_layout.h"
#include "faces.h"
#include "tests.h"

static uint8_t memory[1024];
static int writes_left; /* writes until the cell is empty */

static void read_memory(uint16_t at, uint8_t *bytes, uint8_t size)
{
    memcpy(bytes, memory + at, size);
}

static void write_memory(uint16_t at, const uint8_t *bytes, uint8_t size)
{
    for (; size--; at++, bytes++) {
        if (memory[at] == *bytes)
            continue;
        if (writes_left-- <= 0)
            return;
        memory[at] = *bytes;
    }
}

static const struct calibration_storage storage = {read_memory, write_memory};

static void erase(void)
{
    memset(memory, 0xFF, sizeof memory);
    writes_left = 1000000;
}

void each_direction_of_the_drawing_is_its_face(void)
{
    for (uint8_t kind = 4; kind <= 6; kind += 2) {
        struct faces faces;
        faces_start(&faces, kind);
        for (uint8_t face = 1; face <= kind; face++) {
            struct faces_sight sight = faces_look(&faces, &faces.up[face - 1]);
            CHECK_EQUAL(sight.face, face);
            CHECK_EQUAL(sight.angle, 0);
            CHECK(sight.other_angle >= (kind == 4 ? 1094 : 899));
            CHECK_EQUAL(faces_nearest(&faces, &faces.up[face - 1]).face, face);
            CHECK(faces_nearest(&faces, &faces.up[face - 1]).lead > 900);
        }
    }
}

void opposite_faces_of_a_cube_add_up_to_seven(void)
{
    struct faces faces;
    faces_start(&faces, 6);
    for (uint8_t face = 1; face <= 6; face++) {
        struct vector down = {(int16_t)-faces.up[face - 1].x, (int16_t)-faces.up[face - 1].y,
                              (int16_t)-faces.up[face - 1].z};
        CHECK_EQUAL(faces_look(&faces, &down).face, 7 - face);
    }
}

/* The drawing's directions, rotated and in another order: a board that is glued in askew. */
static struct vector odd_mounting(const struct faces *drawn, uint8_t face)
{
    struct vector v = drawn->up[(face + 1) % drawn->kind];
    return (struct vector){(int16_t)(v.y + 31), (int16_t)(v.z - 22), (int16_t)(v.x + 14)};
}

void any_mounting_can_be_calibrated_face_by_face(void)
{
    for (uint8_t kind = 4; kind <= 6; kind += 2) {
        struct faces faces, drawn;
        faces_start(&faces, kind);
        faces_start(&drawn, kind);
        for (uint8_t face = 1; face <= kind; face++) {
            struct vector up = odd_mounting(&drawn, face);
            CHECK(!faces_are_calibrated(&faces));
            faces_calibrate(&faces, face, &up);
            CHECK_EQUAL(faces_look(&faces, &up).face, face);
            CHECK_EQUAL(faces_look(&faces, &up).angle, 0);
            CHECK(faces_look(&faces, &up).other_angle > 600);
        }
        CHECK(faces_are_calibrated(&faces));
        for (uint8_t face = 1; face <= kind; face++) {
            struct vector up = odd_mounting(&drawn, face);
            CHECK_EQUAL(faces_look(&faces, &up).face, face);
        }
    }
}

void a_face_calibrated_in_anothers_place_is_swapped_with_it(void)
{
    struct faces faces, drawn;
    faces_start(&faces, 6);
    drawn = faces;
    faces_calibrate(&faces, 2, &drawn.up[4]);
    CHECK_EQUAL(faces_look(&faces, &drawn.up[4]).face, 2);
    CHECK_EQUAL(faces_look(&faces, &drawn.up[1]).face, 5);
    CHECK_EQUAL(faces.calibrated, 1U << 1);
}

void calibration_is_kept_after_a_restart(void)
{
    struct faces faces, back;
    erase();
    faces_start(&faces, 6);
    CHECK(!calibration_load(&storage, &faces));
    for (uint8_t i = 0; i < 50; i++) {
        struct vector up = {(int16_t)(900 + i), 20, -30};
        faces_calibrate(&faces, 4, &up);
        CHECK(calibration_save(&storage, &faces));
        faces_start(&back, 6);
        CHECK(calibration_load(&storage, &back));
        CHECK(memcmp(&back, &faces, sizeof back) == 0);
    }
}

void an_incomplete_write_leaves_the_old_or_the_new_faces(void)
{
    struct faces old, new, back;
    int old_kept = 0, new_kept = 0;
    erase();
    faces_start(&old, 6);
    struct vector first = {-37, 1012, 5};
    struct vector second = {55, -60, 970};
    faces_calibrate(&old, 1, &first);
    CHECK(calibration_save(&storage, &old));
    CHECK(calibration_save(&storage, &old));
    new = old;
    faces_calibrate(&new, 6, &second);
    uint8_t before[sizeof memory];
    memcpy(before, memory, sizeof memory);
    for (int bytes = 0; bytes <= EEPROM_CALIBRATION_BYTES; bytes++) {
        memcpy(memory, before, sizeof memory);
        writes_left = bytes;
        (void)calibration_save(&storage, &new);
        faces_start(&back, 6);
        CHECK(calibration_load(&storage, &back));
        old_kept += memcmp(&back, &old, sizeof back) == 0;
        new_kept += memcmp(&back, &new, sizeof back) == 0;
    }
    CHECK_EQUAL(old_kept + new_kept, EEPROM_CALIBRATION_BYTES + 1);
    CHECK(old_kept > 0 && new_kept > 0);
}

void a_failed_memory_is_reported(void)
{
    struct faces faces;
    erase();
    faces_start(&faces, 4);
    writes_left = 3;
    CHECK(!calibration_save(&storage, &faces));
}

void faces_of_another_body_are_ignored(void)
{
    struct faces faces;
    erase();
    faces_start(&faces, 6);
    CHECK(calibration_save(&storage, &faces));
    faces_start(&faces, 4);
    CHECK(!calibration_load(&storage, &faces));
}

void generations_wrap_around(void)
{
    struct faces faces, back;
    erase();
    faces_start(&faces, 4);
    for (long i = 0; i < 65600; i++) {
        faces.up[0].x = (int16_t)(500 + i % 300);
        if (!calibration_save(&storage, &faces)) {
            CHECK(false);
            return;
        }
    }
    faces_start(&back, 4);
    CHECK(calibration_load(&storage, &back));
    CHECK_EQUAL(back.up[0].x, faces.up[0].x);
}
