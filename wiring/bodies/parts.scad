// What goes into a die, in millimetres; every body takes its room from here. masses.toml says what
// the same parts weigh. Any line can be set from outside: openscad -D 'cell=[12.5,21,5.2]'.

// "wired" is the die of the parts list, soldered by hand; "small" has a board of its own.
build = "small";
assert(build == "small" || build == "wired", "The build is \"small\" or \"wired\".");

// The board with everything on it: x, y, thickness.
// Wired: the ATmega328P in its 28-pin DIP, 36 mm long, flat on perforated board (1.6, and 1.4 of
// solder below), on it the radio and the LIS3DH without their rows of pins (4.6, 3.4 and 2).
// Small: a board of 20 x 12 x 0.8 with the chip in its flat case (9 x 9), LIS3DH and regulator on one
// side, and on the other the nRF24L01+ in its edition for soldering flat (18 x 12). It is the
// largest that lies in a tetrahedron of 50 mm crosswise over the cell.
board = build == "wired" ? [36, 16, 13] : [20, 12, 6];

// The LiPo cell with its protection, crosswise: 150 mAh (502020), and 80 mAh (401220).
cell = build == "wired" ? [20, 22, 5.2] : [12.5, 21, 4.2];

// Air around board and cell, on each side: prints come out up to 0.2 mm tight.
air = 0.2;

// The least wall that a printer with a nozzle of 0.4 mm makes solid: three lines.
least_wall = 1.2;

// Screws M2 x 6 with a pan head (ISO 7045), and inserts M2 to be melted in, 3.2 mm x 3 mm.
screw_hole = 2.3;
head_hole = 4.2;  // the head is 4.0 wide
head_room = 2.0;  // and 1.6 high
screw_length = 6;
insert_hole = 3.1;
insert_depth = 3.6;  // room behind the insert for the screw's end

// Edges and corners are round with this radius everywhere, so that no face is left sooner.
round_by = 2;

// The tips are caps of their own, in gold, silver or the body's colour. A piece of filament of
// 1.75 mm holds each on, in a hole this wide; it reaches so far into the cap and into the body.
pin_hole = 1.9;
pin_in_cap = 1.4;
pin_in_body = 2.5;
cap_height = 3.6;

// The board's LED, 3 mm, is pushed from inside into a hole above the board; 0 for none.
led_hole = 3.1;

// Steps of a full circle: fine enough to roll, few enough for a minute of rendering.
$fn = 24;

// OpenSCAD's spheres have no corner at their poles and equator, and come out too small there.
module ball(r) { sphere(r / cos(180 / $fn)); }
