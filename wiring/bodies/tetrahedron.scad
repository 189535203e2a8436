// A die with four tips: two halves, three screws, and four caps that mark the tips.
//
//   openscad -o half-a.stl -D 'part="a"' -D edge=55 tetrahedron.scad
//
// Its centroid is at the origin, its upper edge parallel to x and its lower one to y. The halves meet
// in the mirror plane y = 0, so they are equal except for the screws. Board and cell lie crosswise on
// top of each other in the middle, where the cross-section is a square.
include <parts.scad>
include <bought.scad>

edge = build == "bought" ? 52 : 57;  // of the sharp tetrahedron around the rounded one
part = "all";  // "a", "b" and "cap" are oriented for printing; "all" is the assembled die

inner = edge / (2 * sqrt(6));     // from the centroid to a face
outer = 3 * inner;                // to a sharp tip
tip = 3 * (inner - round_by) + round_by;  // to a rounded one
half = edge / 2;
up = edge / (2 * sqrt(2));        // to the upper edge

tips = [[half, 0, up], [-half, 0, up], [0, half, -up], [0, -half, -up]];

// x and z of the screws, which are parallel to y.
upper = (build == "bought" ? 0.182 : 0.18) * edge;
screws = build == "wired"
  ? [[0.27 * edge, 0.16 * edge], [-0.27 * edge, 0.16 * edge], [0, -0.158 * edge]]
  : [[0.27 * edge, upper], [-0.27 * edge, upper],
     [0, (build == "board" ? -0.185 : -0.202) * edge]];
xiao_place = [-0.5, 0, -0.17];  // of the bought board
seat = 3;  // from the middle plane to the heads, and length of the screw in the other half

// Wall between the corner of a room with the largest coordinates x, y and z and the faces.
function wall_beside(x, y, low, high) =
  inner - max(sqrt(2/3) * x - sqrt(1/3) * low, sqrt(2/3) * y + sqrt(1/3) * high);

board_half = board / 2 + [air, air, air];
cell_half = cell / 2 + [air, air, air];
cell_middle = build == "board" ? [cell_x, 0, cell_below - cell[2] / 2]
  : build == "bought" ? xiao_cell(xiao_place) : [0, 0, -cell_half[2]];

// The rooms for the contents as boxes, [from, to].
board_boxes = build == "bought" ? xiao_boxes(xiao_place) : pcb_boxes;
board_rooms = build == "wired"
  ? [around([0, 0, board_half[2]], board_half)]
  : [for (box = board_boxes) widened(box, air)];
cell_room = around(cell_middle, cell_half);
leads = build == "bought" ? lead_rooms(xiao_place) : [];

function outmost(box, axis) = max(-box[0][axis], box[1][axis]);
module check_wall(box, what) {
  assert(wall_beside(outmost(box, 0), outmost(box, 1), box[0][2], box[1][2]) >= least_wall,
         str("The ", what, " is too long, broad or thick."));
}
for (box = board_rooms) check_wall(box, "board");
check_wall(cell_room, "cell");
for (box = leads) check_wall(box, "room for the leads");
// The heads of the upper screws are beside or above the board, that of the lower one is below the cell.
assert(max(screws[0][0] - board_rooms[0][1][0], screws[0][1] - max([for (box = board_rooms) box[1][2]]))
       - head_hole / 2 >= least_wall, "The board is too long for the screws.");
assert(cell_room[0][2] - screws[2][1] - head_hole / 2 >= least_wall, "The cell is too thick.");
// The pocket for the plug is below the upper screws.
port_middle = build == "board" ? pcb[1][2] + usb_shell[1] / 2 : xiao_port(xiao_place);
assert(build == "wired" || min(screws[0][1] - head_hole / 2 - port_middle - usb_plug[1] / 2,
       wall_beside(0, usb_plug[0] / 2, 0, port_middle + usb_plug[1] / 2)) >= least_wall,
       "The plug is too broad or thick.");
if (build == "bought") check_antenna(xiao_place);

module solid() {
  // The spheres of the tips touch every face.
  hull() for (t = tips) translate(t * (1 - round_by / inner)) ball(round_by);
}

module rooms() {
  for (room = concat(board_rooms, [cell_room], leads)) box(room);
}

// Both lower tips are in the y z plane, and the port is in the face opposite to one of the upper ones.
module port() {
  if (build == "board") {
    usb_port(usb_wall, port_middle, edge);
    box(widened(pcb_tab, air));
  } else xiao_port_and_holes(xiao_place, edge);
}

// Along y from the middle plane, upwards for `way` = 1.
module along_y(place, way) {
  translate([place[0], 0, place[1]]) rotate([-90 * way, 0, 0]) children();
}

module screw_holes() {
  for (s = screws) {
    along_y(s, -1) translate([0, 0, -0.01]) cylinder(d = screw_hole, h = edge);
    along_y(s, -1) translate([0, 0, seat]) cylinder(d = head_hole, h = edge);
    along_y(s, 1) translate([0, 0, -0.01]) cylinder(d = insert_hole, h = insert_depth);
  }
}

// Rotates +z to the direction of a tip. A cap has three sides, which are reversed at a lower tip.
module towards(t) {
  rotate([0, acos(t[2] / outer), atan2(t[1], t[0])]) rotate([0, 0, t[2] < 0 ? 180 : 0]) children();
}

// Position of a cap's flat side on the line to its tip.
cap_foot = tip - cap_height;

module above_foot() { translate([-edge, -edge, cap_foot]) cube(2 * edge); }

module pin_room() {
  translate([0, 0, cap_foot - pin_in_body])
    cylinder(d = pin_hole, h = pin_in_body + pin_in_cap);
}

module without_caps() {
  for (t = tips) towards(t) { above_foot(); pin_room(); }
}

// Through the face beside the board, in half a: for a loose LED, or above those on the board.
module light_holes() {
  if (build == "board")
    for (light = lights) translate([light[0], light[1], pcb[1][2]]) cylinder(d = light_hole, h = edge);
  else if (build == "wired" && led_hole > 0) along_y([0, board_half[2]], 1) cylinder(d = led_hole, h = edge);
}

module shell() {
  difference() {
    solid();
    rooms();
    screw_holes();
    light_holes();
    without_caps();
    if (build != "wired") port();
  }
}

module side(way) {
  translate([-edge, way > 0 ? 0 : -2 * edge, -edge]) cube(2 * edge);
}

module half_of(way) { intersection() { shell(); side(way); } }

module cap() {
  difference() {
    intersection() { rotate([0, -acos(up / outer), 0]) solid(); above_foot(); }
    pin_room();
  }
}

module caps() { for (t = tips) towards(t) cap(); }

// Contents.
module board_there() {
  if (build == "board") {
    for (part = pcb_boxes) box(part);
    box(pcb_tab);
    translate([0, -usb_shell[0] / 2, pcb[1][2]]) cube([usb_mouth, usb_shell[0], usb_shell[1]]);
  } else if (build == "bought") xiao_there(xiao_place);
  else translate([0, 0, board_half[2]]) cube(board, center = true);
}
module cell_there() { translate(cell_middle) cube(cell, center = true); }
module screws_there() {
  for (s = screws) along_y(s, -1) translate([0, 0, seat]) {
    cylinder(d = 4, h = 1.6);
    translate([0, 0, -screw_length]) cylinder(d = 2, h = screw_length);
  }
}

if (part == "a") rotate([90, 0, 0]) half_of(1);
if (part == "b") rotate([-90, 0, 0]) half_of(-1);
if (part == "cap") translate([0, 0, -cap_foot]) cap();
if (part == "collision") intersection() {
  shell();
  union() { board_there(); cell_there(); screws_there(); }
}
if (part == "all") { shell(); caps(); }
if (part == "board") board_there();
if (part == "cell") cell_there();
if (part == "screws") screws_there();
if (build != "board") echo(at = "board", place = build == "bought" ? xiao_place : [0, 0, board_half[2]]);
echo(at = "cell", place = cell_middle);
for (s = screws) {
  echo(at = "screw", place = [s[0], -seat, s[1]]);
  echo(at = "insert", place = [s[0], 1.5, s[1]]);
}
for (t = tips) echo(at = "tip", place = t / outer * cap_foot);
