// A box for the Pi and the panel's board (wiring/boards/panel) on its header, screwed to wood from
// inside. The ports are reached through notches, and the wires of the squares leave through slots in
// the lid, above the board's connectors.
//
//   openscad -o enclosure-base.stl -D 'pi="full"' -D 'part="base"' enclosure.scad
//
// The origin is the corner of the panel's board: x towards the Pi's USB ports, y towards the header.
pi = "full";     // "full": Pi 3, 4 and 5; "zero": Zero 2 W
part = "base";   // base, lid, contents or collision
assert(pi == "full" || pi == "zero", "The Pi is \"full\" or \"zero\".");

// Raspberry Pi's mechanical drawings: outline, and holes of 2.7 mm, 3.5 mm from the edges. A Zero's
// header is above that of the panel too, so that its board begins at y = 26.
board = pi == "full" ? [85, 56] : [65, 30];
board_y = 56 - board[1];
hole_x = [3.5, 61.5];
panel = [65, 56.5];        // wiring/boards/panel.py; a test compares them
panel_y = 56 - panel[1];

wall = 2;
air = 1;                   // between boards and walls
below = 5;                 // below the Pi: solder, the card, heads of screws
pcb = 1.6;
stack = 11;                // from the Pi to the panel's board: a header and its socket
plugs = 17;                // above the panel's board: pins and the plugs on them
post = 6;
pilot = 2.1;               // M2.5 screws cut their thread
screw_hole = 4;            // in the floor, for wood screws of 3.5 mm

pi_z = wall + below;
panel_z = pi_z + pcb + stack;
height = panel_z + pcb + plugs;
low = [-air, panel_y - air];
high = [board[0] + air, 56 + air];
size = high - low;

// The notches, open upwards, so that the Pi is put in from above: [from, to] along each wall.
power_side = [4, 60];      // y = 0: power, HDMI, sound
usb_side = [2, 54];        // the far end: USB and Ethernet in the orders of all models
card_side = pi == "full" ? [19, 37] : [34, 52];
fit = 0.15;                // between lid and walls
lip = 4;
$fn = 32;

module box(from, to) { translate(from) cube(to - from); }

module notches() {
  box([power_side[0], low[1] - wall - 1, pi_z - 3], [power_side[1], low[1] + 0.01, height + lip]);
  box([low[0] - wall - 1, card_side[0], wall], [low[0] + 0.01, card_side[1], height + lip]);
  if (pi == "full")
    box([high[0] - 0.01, usb_side[0], pi_z - 1], [high[0] + wall + 1, usb_side[1], height + lip]);
}

module posts() {
  for (x = hole_x, y = [board_y + 3.5, board_y + board[1] - 3.5]) translate([x, y]) post_of(pi_z);
  // The other hole is left free, for the plug of the power beside it.
  if (pi == "zero") translate([hole_x[0], 3.5]) post_of(panel_z);
}

module post_of(top) {
  difference() {
    cylinder(top, d = post);
    translate([0, 0, wall]) cylinder(top, d = pilot);
  }
}

// Slots for air, 3 mm wide, in the floor and in the lid.
module air_slots(from, to) {
  for (x = [from[0] : 8 : to[0] - 3]) box([x, from[1], -1], [x + 3, to[1], wall + 1]);
}

module base() {
  difference() {
    box([low[0] - wall, low[1] - wall, 0], [high[0] + wall, high[1] + wall, height]);
    box([low[0], low[1], wall], [high[0], high[1], height + 1]);
    notches();
    air_slots([14, 36], [52, 48]);
    for (x = [20, 50]) translate([x, 20, -1]) cylinder(wall + 2, d = screw_hole);
  }
  posts();
}

// Seen in a mirror: z = 0 is its outside, the lip is above.
module lid() {
  difference() {
    union() {
      box([low[0] - wall, low[1] - wall, 0], [high[0] + wall, high[1] + wall, wall]);
      difference() {
        box([low[0] + fit, low[1] + fit, wall - 0.01], [high[0] - fit, high[1] - fit, wall + lip]);
        box([low[0] + fit + wall, low[1] + fit + wall, 0],
            [high[0] - fit - wall, high[1] - fit - wall, wall + lip + 1]);
        // No lip at the notches, for the plugs there.
        box([power_side[0] - 1, low[1] - 1, wall], [power_side[1] + 1, low[1] + wall + 1, 99]);
        box([low[0] - 1, card_side[0] - 1, wall], [low[0] + wall + 1, card_side[1] + 1, 99]);
        if (pi == "full")
          box([high[0] - wall - 1, usb_side[0] - 1, wall], [high[0] + 1, usb_side[1] + 1, 99]);
      }
    }
    // Above the connectors along three edges of the panel's board.
    box([2, 12, -1], [9, 48, wall + 1]);
    box([56, 12, -1], [63, 48, wall + 1]);
    box([10, 2, -1], [55, 9, wall + 1]);
    air_slots([18, 20], [50, 44]);
  }
}

// The boards, their ports, and the plugs in them, of all models that fit.
module contents() {
  box([0, board_y, pi_z + 0.01], [board[0], board_y + board[1], pi_z + pcb]);
  box([0, panel_y, panel_z + 0.01], [panel[0], 56, panel_z + pcb + plugs - lip]);
  if (pi == "full") {
    box([66, 2.5, pi_z + 0.01], [88, 53.5, pi_z + pcb + 16.5]);
    box([88, 2.5, pi_z + pcb], [110, 53.5, pi_z + pcb + 18]);
    box([5, -2, pi_z + 0.01], [59, 12, pi_z + pcb + 7]);
    box([4.5, -30, pi_z - 2.5], [59.5, -2, pi_z + pcb + 9]);
    box([-2.5, 21, pi_z - 2], [14, 35, pi_z - 0.01]);
  } else {
    box([8, -30, pi_z - 2.5], [60, board_y, pi_z + pcb + 6]);
    box([-2.5, 36, pi_z + 0.01], [14, 50, pi_z + pcb + 1.5]);
  }
}

if (part == "base") base();
// Oriented for printing, with its outside on the bed: turned over about x, so that y changes its sign.
if (part == "lid") mirror([0, 1, 0]) lid();
if (part == "contents") contents();
if (part == "collision") intersection() {
  union() {
    base();
    translate([0, 0, height + wall]) mirror([0, 0, 1]) lid();
  }
  contents();
}
