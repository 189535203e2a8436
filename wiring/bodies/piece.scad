// A piece with a disc magnet in its middle, so that it closes the switch below it on either face: in
// some rule sets a piece is turned over. One face is blank, the other has five dots; the plug over the
// magnet is the middle one. Put the magnet into the printed body and glue the plug in.
//
//   openscad -o piece-body.stl -D 'part="body"' piece.scad
across = 30;     // for squares of 50 mm: 0.6 of a square, which also falls through a chute
magnet = [8, 3]; // diameter and height
part = "body";   // body or plug

skin = 1.2;      // below and above the magnet
room = 0.2;      // around the magnet and the plug
edge = 1;        // chamfer
dot = 5;
deep = 0.8;
ring = across / 2 - edge - dot / 2 - 1.5;

tall = magnet[1] + 2 * skin + room;
pocket = magnet[0] + 2 * room;
assert(ring - dot / 2 - pocket / 2 >= skin, "The magnet is too wide for this piece.");
$fn = 64;

module body() {
  difference() {
    union() {
      cylinder(edge, across / 2 - edge, across / 2);
      translate([0, 0, edge]) cylinder(tall - 2 * edge, r = across / 2);
      translate([0, 0, tall - edge]) cylinder(edge, across / 2, across / 2 - edge);
    }
    translate([0, 0, skin]) cylinder(tall, d = pocket);
    for (at = [0 : 3]) rotate(90 * at) translate([ring, 0, tall - deep]) cylinder(deep + 1, d = dot);
  }
}

if (part == "body") body();
if (part == "plug") cylinder(skin, d = pocket - room);
