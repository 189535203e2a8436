// Dimensions of the parts of a die in millimetres, for all bodies. masses.toml has their masses.
// Any variable can be set on the command line: openscad -D 'cell=[12.5,21,5.2]'.

// "board" is a tetrahedron for the board of wiring/boards/die, "bought" a die with the board of
// bought.scad, and "wired" the hand-soldered die of the parts list.
build = "board";
assert(build == "board" || build == "bought" || build == "wired",
       "The build is \"board\", \"bought\" or \"wired\".");

// The populated board of the hand-soldered die: x, y, thickness. The ATmega328P in its 28-pin DIP,
// 36 mm long, lies flat on perforated board (1.6, and 1.4 of solder below), and on top of it the radio
// and the LIS3DH without pin headers (4.6, 3.4 and 2).
board = [36, 16, 13];

// The LiPo cell with its protection, crosswise: 150 mAh (502020), or 100 mAh (501220).
cell = build == "wired" ? [20, 22, 5.2] : [12.5, 21.5, 5.2];

// The board of wiring/boards/die: its middle is the middle of the die in x and y. A test compares
// these boxes, [from, to], with the board. The sensor is below it, so that it is at z = 0.
pcb = [[-12.7, -10.7, 0.5], [12.7, 10.7, 1.5]];
pcb_boxes = [
  pcb,
  [[-12.7, -10.45, 1.5], [12.7, 10.45, 2.5]],  // small parts and the board of the radio's module
  [[-13.5, -10.45, 1.6], [6.5, 1.65, 2.5]],    // the module, which can be 19 mm long
  [[-12.7, -9, 1.5], [12.7, 8.9, 4.8]],        // the module's parts, the cell's plug, USB-C
  [[-11.9, -10.45, -0.7], [11.9, 10.45, 0.5]], // parts on the back
  [[7, -5, 0.1], [12.4, 5, 0.5]],              // the ends of the USB connector's legs
];
// The board's tab below the USB connector. It ends in the pocket for the plug.
pcb_tab = [[12.7, -5, 0.5], [14.15, 5, 1.5]];
cell_below = -0.9;  // the top of the cell, below tape
// Where the cell is moved to: the place that `make balance` computes.
cell_x = 0;

// USB-C: the shell of the receptacle reaches to `usb_mouth`; a cable's plug is at most 12.35 x 6.5.
usb_mouth = 14.45;
usb_shell = [8.94, 3.26];
usb_plug = [13, 6.8];
usb_wall = 14.2;  // the bottom of the pocket for the plug
usb_air = 0.25;
// The lights on the board shine through holes: x, y and diameter.
lights = [[4.25, 9.7], [9.75, 9.7]];
light_hole = 2;

// Clearance around board and cell, on each side: prints may be up to 0.2 mm too tight.
air = 0.2;

// Minimum wall for a nozzle of 0.4 mm: three lines.
least_wall = 1.2;

// Screws M2 x 6 with a pan head (ISO 7045), and heat-set M2 inserts, 3.2 mm x 3 mm.
screw_hole = 2.3;
head_hole = 4.2;  // the head is 4.0 wide
head_room = 2.0;  // and 1.6 high
screw_length = 6;
insert_hole = 3.1;
insert_depth = 3.6;  // space behind the insert for the end of the screw

// Radius of all edges and corners: equal, so that no face is favoured.
round_by = 2;

// The tips are separate caps in gold, silver or the colour of the body. Each is held by a piece of
// 1.75 mm filament in a hole of this diameter and depth, in the cap and in the body.
pin_hole = 1.9;
pin_in_cap = 1.4;
pin_in_body = 2.5;
cap_height = 3.6;

// Diameter of the hole for the 3 mm LED, inserted from inside; 0 for none.
led_hole = 3.1;

// Segments of a full circle: enough to roll, few enough to render in a minute.
$fn = 24;

// OpenSCAD's spheres have no vertex at their poles and equator, and are too small there.
module ball(r) { sphere(r / cos(180 / $fn)); }

// The opening for a USB-C connector on the x axis and the pocket for a cable's plug: from `wall` to
// `far`, and `middle` above the plane of x and y.
module usb_port(wall, middle, far) {
  opening = usb_shell / 2 + [usb_air, usb_air];
  translate([0, -opening[0], middle - opening[1]]) cube([far, 2 * opening[0], 2 * opening[1]]);
  translate([wall, -usb_plug[0] / 2, middle - usb_plug[1] / 2]) cube([far, usb_plug[0], usb_plug[1]]);
}
