/* Every host test: a function whose name says what holds. */
#ifndef URPI_TESTS_H
#define URPI_TESTS_H

#define ALL_TESTS(TEST) \
    TEST(the_sum_is_the_catalogues_ccitt_false) \
    TEST(a_ring_keeps_the_order_and_counts_what_it_refuses) \
    TEST(a_root_is_rounded_down) \
    TEST(angles_are_right_to_a_fifth_of_a_degree) \
    TEST(angles_of_extreme_vectors_do_not_overflow) \
    TEST(an_identity_is_read_as_the_layout_says) \
    TEST(a_wrong_identity_is_refused) \
    TEST(a_flipped_bit_spoils_an_identity) \
    TEST(no_two_nodes_of_two_sets_share_an_address) \
    TEST(the_hubs_addresses_follow_each_other) \
    TEST(a_report_comes_out_of_its_frame_as_it_went_in) \
    TEST(a_command_comes_out_of_its_frame_as_it_went_in) \
    TEST(a_report_that_cannot_be_is_refused) \
    TEST(a_flipped_bit_spoils_a_frame) \
    TEST(each_direction_of_the_drawing_is_its_face) \
    TEST(opposite_faces_of_a_cube_add_up_to_seven) \
    TEST(a_die_learns_any_mounting_face_by_face) \
    TEST(a_face_learnt_on_anothers_place_changes_places_with_it) \
    TEST(what_was_learnt_is_there_after_a_restart) \
    TEST(a_torn_write_leaves_the_old_or_the_new_faces) \
    TEST(a_memory_that_does_not_keep_is_told) \
    TEST(another_bodys_faces_are_not_taken) \
    TEST(generations_go_on_past_their_end) \
    TEST(a_motion_is_called_by_its_name) \
    TEST(a_die_leans_beyond_fifteen_degrees) \
    TEST(two_faces_that_were_learnt_alike_are_both_doubted) \
    TEST(what_moves_on_at_once_belongs_to_the_throw) \
    TEST(a_turn_by_hand_has_no_sequel) \
    TEST(what_creeps_does_not_lie_still) \
    TEST(stillness_is_a_quarter_of_a_second_after_a_throw) \
    TEST(free_fall_is_measured_to_two_samples) \
    TEST(nothing_that_a_sensor_can_say_breaks_it) \
    TEST(a_new_die_tells_how_it_lies_and_that_it_has_learnt_nothing) \
    TEST(a_throw_is_two_reports_with_one_number) \
    TEST(a_die_that_was_not_moved_says_nothing) \
    TEST(a_die_learns_when_it_is_told_to) \
    TEST(a_d4_does_not_learn_a_fifth_face) \
    TEST(a_die_without_an_identity_harms_nothing) \
    TEST(a_lamp_goes_out_by_itself) \
    TEST(a_die_at_rest_asks_for_ten_seconds_and_then_beats_slowly) \
    TEST(a_cell_that_sinks_is_news) \
    TEST(a_dead_accelerometer_is_told_once_and_so_is_its_return) \
    TEST(a_die_that_was_turned_in_its_sleep_is_noticed) \
    TEST(nothing_is_lost_while_the_hub_is_away) \
    TEST(a_die_that_nobody_hears_spares_its_cell) \
    TEST(a_die_in_a_bag_is_told_once) \
    TEST(an_accelerometer_is_known_by_its_name) \
    TEST(the_address_pin_draws_no_current_where_that_can_be_helped) \
    TEST(samples_come_in_milli_g_and_in_order) \
    TEST(an_accelerometer_that_forgot_its_setting_is_noticed) \
    TEST(an_accelerometer_may_die_at_any_transfer) \
    TEST(a_radio_keeps_what_it_is_told_or_is_dead) \
    TEST(a_radio_that_lost_its_power_is_noticed) \
    TEST(pipe_0_is_open_only_while_sending) \
    TEST(a_hub_listens_on_six_addresses_again_after_it_sent) \
    TEST(a_frame_is_taken_once) \
    TEST(a_radio_that_dies_gives_no_frame_and_has_sent_nothing) \
    TEST(reports_go_out_in_order_with_their_age) \
    TEST(an_age_stays_at_its_end) \
    TEST(waits_grow_and_are_bounded_and_end) \
    TEST(a_box_that_gave_up_wakes_for_a_new_report) \
    TEST(a_full_box_lets_go_of_what_was_overtaken) \
    TEST(a_sign_of_life_has_the_number_of_the_last_report) \
    TEST(no_throw_is_lost_or_doubled_when_every_second_frame_is) \
    TEST(every_command_of_the_formats_page_is_read) \
    TEST(a_wrong_line_is_counted_by_what_is_wrong) \
    TEST(noise_halves_and_floods_are_counted) \
    TEST(a_line_of_just_the_limit_is_read) \
    TEST(the_longest_lines_fit) \
    TEST(the_line_of_the_formats_page_is_written) \
    TEST(a_hub_greets_at_its_start_and_every_second) \
    TEST(a_report_is_told_with_the_time_at_which_it_happened) \
    TEST(a_report_is_repeated_until_it_is_heard) \
    TEST(a_report_is_repeated_twenty_times_and_then_kept_for_a_question) \
    TEST(a_repeated_frame_is_told_once) \
    TEST(a_broken_or_foreign_frame_is_counted) \
    TEST(a_silent_die_is_lost_and_found_again) \
    TEST(a_dead_accelerometer_is_told) \
    TEST(a_full_queue_keeps_each_dies_last_word_and_counts_the_rest) \
    TEST(commands_wait_for_their_die) \
    TEST(commands_that_nobody_fetches_are_dropped_and_counted) \
    TEST(the_clock_may_wrap_at_any_time) \
    TEST(the_lamp_flashes_with_a_frame_and_stays_dark_for_ever_after) \
    TEST(no_text_confuses_the_reader_of_lines) \
    TEST(a_flood_of_noise_gives_no_command) \
    TEST(no_frame_confuses_the_hub) \
    TEST(no_command_frame_confuses_a_die)

#define TESTS_DECLARE(name) void name(void);
ALL_TESTS(TESTS_DECLARE)
#undef TESTS_DECLARE

#endif
