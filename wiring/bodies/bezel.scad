// A frame for the display's window in the top plate: it hides the cut edge and carries the glass.
// From above its collar is pushed through the window that `urpi template` draws; from below the
// module is laid against the collar, and held by four screws or by glue.
//
//   openscad -o bezel.stl -D 'size="0.96"' bezel.scad
include <parts.scad>

size = "1.3";    // inches: "0.96" or "1.3"
plate = 3;       // the top plate's thickness
part = "bezel";

// What is seen of a 128x64 glass, as urpi/template/measures.py has it; a test holds them together.
seen = size == "0.96" ? [21.74, 10.86] : [29.42, 14.70];
assert(size == "0.96" || size == "1.3", "The size is \"0.96\" or \"1.3\".");

room = 0.5;      // the opening is so much larger than what is seen, on each side
collar = 1.8;    // its wall
flange = 4;      // how far the frame reaches over the wood
thick = 2;

opening = seen + 2 * [room, room];
outside = opening + 2 * [collar, collar];

module plate_of(size, height, corner) {
  linear_extrude(height) offset(corner) offset(-corner) square(size, center = true);
}

// It lies as it is printed: the face that is seen on the bed.
difference() {
  union() {
    plate_of(outside + 2 * [flange, flange], thick, 2);
    plate_of(outside, thick + plate, 1);
  }
  translate([0, 0, -1]) linear_extrude(thick + plate + 2) square(opening, center = true);
  // Slanted where one looks in from the side.
  hull() {
    translate([0, 0, -0.01]) linear_extrude(0.01) square(opening + [3, 3], center = true);
    translate([0, 0, thick - 0.5]) linear_extrude(0.01) square(opening, center = true);
  }
}
