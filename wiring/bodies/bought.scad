// The contents of a die with a bought board, the Seeed XIAO nRF52840 Sense, and the holes for them. In
// the board's axes: x to its USB connector, z from its lower side to its parts, and the body's halves
// meet in y = 0. `xiao_place` is the place of the board's lower side in the die.
//
// Outline, places and the connector are those of the maker's design: "Seeed Studio XIAO nRF52840
// v1.3.kicad_pcb" in github.com/Seeed-Studio/OPL_Kicad_Library. It states no thickness; 1.2 is what
// makers measured, 4.5 together with the connector. No other part is as high.
xiao = [20.96, 17.78, 1.2];
xiao_parts = [15.2, 3.4];  // the breadth between the pads at the long sides, and the height
xiao_usb_out = 1.51;       // from the board's edge to the connector's mouth
xiao_antenna = [[-10.21, 0.2, 1.2], [-8.6, 3.41, 2.24]];
// Holes above the lamps (red of the charger at x = 9.84, three colours at 7.68) and above the button,
// for the end of a paper clip: x, y and diameter.
xiao_holes = [[8.76, -5.72, 2.4], [8.57, 5.72, 2]];

// Below the board there is room for the leads at its pads, and beside the end of the cell at +y.
lead_room = 1.6;
function lead_rooms(place) = concat(
  placed([[[-6, -7.9, -lead_room - air], [6.5, 7.9, 0]]], place),
  placed([[[-2, 4, -lead_room - cell[2] / 2], [4, 12.3, -lead_room]],
          [[-2, 4, -lead_room], [4, 11.4, 0]]], [place[0], 0, place[2]]));
// Of the cell from the antenna: metal beside it weakens it.
antenna_clear = 3.5;

function widened(box, by) = [box[0] - [by, by, by], box[1] + [by, by, by]];
function around(middle, half) = [middle - half, middle + half];
function placed(boxes, at) = [for (it = boxes) [it[0] + at, it[1] + at]];
function between(one, other) = norm([for (n = [0:2])
  max(0, one[0][n] - other[1][n], other[0][n] - one[1][n])]);

// The board's boxes, [from, to], and the middle of the cell, in the die.
function xiao_boxes(place) = placed([
  [[-xiao[0] / 2, -xiao[1] / 2, 0], [xiao[0] / 2, xiao[1] / 2, xiao[2]]],
  [[-xiao[0] / 2, -xiao_parts[0] / 2, xiao[2]],
   [xiao[0] / 2, xiao_parts[0] / 2, xiao[2] + xiao_parts[1]]],
], place);
function xiao_mouth(place) = place[0] + xiao[0] / 2 + xiao_usb_out;
function xiao_wall(place) = xiao_mouth(place) - 0.09;
function xiao_port(place) = place[2] + xiao[2] + usb_shell[1] / 2;
function xiao_cell(place) = [cell_x, 0, place[2] - lead_room - cell[2] / 2];

module check_antenna(place) {
  assert(between(placed([xiao_antenna], place)[0], around(xiao_cell(place), cell / 2)) >= antenna_clear,
         "The cell is too near to the antenna.");
}

module box(from_to) { translate(from_to[0]) cube(from_to[1] - from_to[0]); }
module xiao_there(place) {
  for (it = xiao_boxes(place)) box(it);
  translate(place + [0, -usb_shell[0] / 2, xiao[2]])
    cube([xiao_mouth(place) - place[0], usb_shell[0], usb_shell[1]]);
}
module xiao_port_and_holes(place, far) {
  translate([0, place[1], 0]) usb_port(xiao_wall(place), xiao_port(place), far);
  for (hole = xiao_holes) translate(place + [hole[0], hole[1], xiao[2]]) cylinder(d = hole[2], h = far);
}
