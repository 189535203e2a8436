// A frame for the display's window in the top plate: it covers the cut edge and carries the module.
// Its collar is inserted from above into the window that `urpi template` draws; the module is held
// against the collar from below, by four screws or by glue.
//
//   openscad -o bezel.stl -D 'size="0.96"' bezel.scad
include <parts.scad>

size = "1.3";    // inches: "0.96" or "1.3"
plate = 3;       // thickness of the top plate
part = "bezel";

// Active area of a 128 x 64 display, as in urpi/hardware/template/measures.py; a test compares them.
seen = size == "0.96" ? [21.74, 10.86] : [29.42, 14.70];
assert(size == "0.96" || size == "1.3", "The size is \"0.96\" or \"1.3\".");

room = 0.5;      // margin of the opening around the active area
collar = 1.8;    // thickness of its wall
flange = 4;      // overlap of the frame on the wood
thick = 2;

opening = seen + 2 * [room, room];
outside = opening + 2 * [collar, collar];

module plate_of(size, height, corner) {
  linear_extrude(height) offset(corner) offset(-corner) square(size, center = true);
}

// Oriented for printing, with its front on the bed.
difference() {
  union() {
    plate_of(outside + 2 * [flange, flange], thick, 2);
    plate_of(outside, thick + plate, 1);
  }
  translate([0, 0, -1]) linear_extrude(thick + plate + 2) square(opening, center = true);
  // Chamfered for a view from the side.
  hull() {
    translate([0, 0, -0.01]) linear_extrude(0.01) square(opening + [3, 3], center = true);
    translate([0, 0, thick - 0.5]) linear_extrude(0.01) square(opening, center = true);
  }
}
