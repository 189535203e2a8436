// A six-sided die for the rule sets that use one: two halves, four screws. The screw holes are the
// corner pips of the six.
//
//   openscad -o half-a.stl -D 'part="a"' cube.scad
//
// Its centroid is at the origin; the halves meet in the plane z = 0. As the firmware assumes before
// calibration, 1 is at +z, 2 at +y, 3 at +x, and opposite faces add up to 7.
include <parts.scad>
build = "wired";  // no circuit board has been designed for a cube

edge = 42;
part = "all";  // "a" and "b" are oriented for printing; "all" is the assembled die

pip = head_hole;
pip_depth = 0.8;
pip_away = edge / 3;  // from the centre lines of a face
seat = 3;             // from the middle plane to the heads, and length of the screw in half a

board_half = board / 2 + [air, air, air];
cell_half = cell / 2 + [air, air, air];
across = max(board_half[1], cell_half[0]);
along = max(board_half[0], cell_half[1]);
deep = edge / 2 - least_wall - pip_depth;
assert(along <= deep, "Board or cell is too long for the cube.");
assert(across <= pip_away - pip / 2 - least_wall, "Board or cell comes too near to the screws.");
assert(2 * board_half[2] <= deep, "The board is too thick.");
assert(2 * cell_half[2] <= deep, "The cell is too thick.");

screws = [for (x = [-1, 1], y = [-1, 1]) [x * pip_away, y * pip_away]];

module solid() {
  middle = edge / 2 - round_by;
  hull() for (x = [-1, 1], y = [-1, 1], z = [-1, 1])
    translate([x, y, z] * middle) ball(round_by);
}

// The long sides of board and cell are parallel to y.
module rooms() {
  translate([0, 0, board_half[2]])
    cube(2 * [board_half[1], board_half[0], board_half[2]], center = true);
  translate([0, 0, -cell_half[2]]) cube(2 * cell_half, center = true);
}

// In the face at +z.
module pips(places) {
  for (place = places) translate([place[0] * pip_away, place[1] * pip_away, edge / 2 - pip_depth])
    cylinder(d = pip, h = edge);
}

one = [[0, 0]];
two = [[-1, -1], [1, 1]];
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
module light_hole() { if (led_hole > 0) cylinder(d = led_hole, h = edge); }

module shell() {
  difference() { solid(); rooms(); all_pips(); screw_holes(); light_hole(); }
}

module half_of(way) {
  intersection() { shell(); translate([-edge, -edge, way > 0 ? 0 : -2 * edge]) cube(2 * edge); }
}

// Contents.
module board_there() {
  translate([0, 0, board_half[2]]) cube([board[1], board[0], board[2]], center = true);
}
module cell_there() { translate([0, 0, -cell_half[2]]) cube(cell, center = true); }
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
echo(at = "board", place = [0, 0, board_half[2]]);
echo(at = "cell", place = [0, 0, -cell_half[2]]);
for (s = screws) {
  echo(at = "screw", place = [s[0], s[1], -seat]);
  echo(at = "insert", place = [s[0], s[1], 1.5]);
}
