// A six-sided die for the rule sets that use one: two halves, four screws. The screw holes are the
// corner pips of the six.
//
//   openscad -o half-a.stl -D 'part="a"' -D 'build="bought"' cube.scad
//
// Its centroid is at the origin; the halves meet in the plane z = 0. As the firmware assumes before
// calibration, 1 is at +z, 2 at +y, 3 at +x, and opposite faces add up to 7.
include <parts.scad>
include <bought.scad>
build = "wired";  // or "bought"; no circuit board has been designed for a cube
assert(build != "board", "The build is \"bought\" or \"wired\".");

edge = build == "bought" ? 30 : 42;
part = "all";  // "a" and "b" are oriented for printing; "all" is the assembled die

pip = head_hole;
pip_depth = 0.8;
pip_away = edge / 3;  // from the centre lines of a face
seat = 3;             // from the middle plane to the heads, and length of the screw in half a

board_half = board / 2 + [air, air, air];
cell_half = cell / 2 + [air, air, air];
deep = edge / 2 - least_wall - pip_depth;

// The bought board stands on a long side, with its connector at +y and its parts towards +x. It is
// moved towards half b, so that its sensor is 3.5 mm from the middle.
xiao_place = [-0.5, -2, 0.4];
module standing() { rotate(120, [1, 1, 1]) children(); }
function stood(at) = [at[2], at[0], at[1]];
xiao_rooms = concat([for (it = xiao_boxes(xiao_place)) widened(it, air)],
                    [around(xiao_cell(xiao_place), cell_half)], lead_rooms(xiao_place));
function farthest(axis) = max([for (it = xiao_rooms) max(-it[0][axis], it[1][axis])]);

across = build == "bought" ? farthest(2) : max(board_half[1], cell_half[0]);
along = build == "bought" ? max(farthest(0), farthest(1)) : max(board_half[0], cell_half[1]);
assert(along <= deep, "Board or cell is too long for the cube.");
assert(across <= pip_away - pip / 2 - least_wall, "Board or cell comes too near to the screws.");
if (build == "bought") {
  check_antenna(xiao_place);
  // The pocket for the plug is beside the pips of the two, and the holes are beside those of the three.
  plug = [xiao_port(xiao_place) + usb_plug[1] / 2, xiao_place[1] + usb_plug[0] / 2];
  assert(norm([pip_away, pip_away] - plug) - pip / 2 >= least_wall, "The plug is too broad or thick.");
  for (hole = xiao_holes)
    assert(norm([pip_away - xiao_place[0] - hole[0], pip_away - xiao_place[1] - hole[1]])
           - (pip + hole[2]) / 2 >= least_wall, "The cube is too small for its holes.");
} else {
  assert(2 * board_half[2] <= deep, "The board is too thick.");
  assert(2 * cell_half[2] <= deep, "The cell is too thick.");
}

screws = [for (x = [-1, 1], y = [-1, 1]) [x * pip_away, y * pip_away]];

module solid() {
  middle = edge / 2 - round_by;
  hull() for (x = [-1, 1], y = [-1, 1], z = [-1, 1])
    translate([x, y, z] * middle) ball(round_by);
}

// The long sides of board and cell are parallel to y.
module rooms() {
  if (build == "bought") standing() {
    for (room = xiao_rooms) box(room);
    xiao_port_and_holes(xiao_place, edge);
  } else {
    translate([0, 0, board_half[2]])
      cube(2 * [board_half[1], board_half[0], board_half[2]], center = true);
    translate([0, 0, -cell_half[2]]) cube(2 * cell_half, center = true);
  }
}

// In the face at +z.
module pips(places) {
  for (place = places) translate([place[0] * pip_away, place[1] * pip_away, edge / 2 - pip_depth])
    cylinder(d = pip, h = edge);
}

one = [[0, 0]];
// On the other diagonal they would be below the bought board's connector and lamps.
two = build == "bought" ? [[-1, 1], [1, -1]] : [[-1, -1], [1, 1]];
four = [[-1, -1], [1, 1], [-1, 1], [1, -1]];
middle_pair = [[-1, 0], [1, 0]];

module all_pips() {
  pips(one);
  rotate([-90, 0, 0]) pips(two);
  rotate([0, 90, 0]) pips(concat(one, two));
  rotate([0, -90, 0]) pips(four);
  rotate([90, 0, 0]) pips(concat(one, four));
  rotate([180, 0, 0]) pips(middle_pair);
}

module screw_holes() {
  for (s = screws) translate([s[0], s[1], 0]) {
    translate([0, 0, -edge]) cylinder(d = head_hole, h = edge - seat);
    translate([0, 0, -edge]) cylinder(d = screw_hole, h = edge + 0.01);
    translate([0, 0, -0.01]) cylinder(d = insert_hole, h = insert_depth);
  }
}

// In the pip of the one.
module light_hole() { if (build == "wired" && led_hole > 0) cylinder(d = led_hole, h = edge); }

module shell() {
  difference() { solid(); rooms(); all_pips(); screw_holes(); light_hole(); }
}

module half_of(way) {
  intersection() { shell(); translate([-edge, -edge, way > 0 ? 0 : -2 * edge]) cube(2 * edge); }
}

// Contents.
module board_there() {
  if (build == "bought") standing() xiao_there(xiao_place);
  else translate([0, 0, board_half[2]]) cube([board[1], board[0], board[2]], center = true);
}
module cell_there() {
  if (build == "bought") standing() translate(xiao_cell(xiao_place)) cube(cell, center = true);
  else translate([0, 0, -cell_half[2]]) cube(cell, center = true);
}
module screws_there() {
  for (s = screws) translate([s[0], s[1], -seat - 1.6]) {
    cylinder(d = 4, h = 1.6);
    cylinder(d = 2, h = 1.6 + screw_length);
  }
}

if (part == "a") translate([0, 0, edge / 2]) rotate([180, 0, 0]) half_of(1);
if (part == "b") translate([0, 0, edge / 2]) half_of(-1);
if (part == "collision") intersection() {
  shell();
  union() { board_there(); cell_there(); screws_there(); }
}
if (part == "all") shell();
if (part == "board") board_there();
if (part == "cell") cell_there();
if (part == "screws") screws_there();
echo(at = "board", place = build == "bought" ? stood(xiao_place) : [0, 0, board_half[2]]);
echo(at = "cell", place = build == "bought" ? stood(xiao_cell(xiao_place)) : [0, 0, -cell_half[2]]);
for (s = screws) {
  echo(at = "screw", place = [s[0], s[1], -seat]);
  echo(at = "insert", place = [s[0], s[1], 1.5]);
}
