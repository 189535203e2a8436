"""How a replay in one file looks: on a screen by day and by night, and on paper."""

from typing import Final

STYLE: Final = """
:root { color-scheme: light dark; --paper: #f6f1e7; --card: #fffdf8; --ink: #241f19;
  --dim: #665c4d; --line: #e0d6c3; --lapis: #1f4e8c; }
@media (prefers-color-scheme: dark) { :root { --paper: #14161b; --card: #1d2027; --ink: #ece6d8;
  --dim: #a9a190; --line: #343842; --lapis: #8db9f2; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 1180px; padding: 20px; background: var(--paper);
  color: var(--ink); font: 16px/1.45 system-ui, "DejaVu Sans", sans-serif; }
h1, h2 { font-family: Palatino, "Noto Serif", Georgia, serif; margin: 0; line-height: 1.2;
  overflow-wrap: anywhere; }
h1 { font-size: 1.9rem; } h2 { font-size: 1.25rem; min-height: 2.6em; }
header p, .steps span { color: var(--dim); }
header { margin-bottom: 14px; } p { margin: 0; }
main { display: grid; gap: 20px; }
@media (min-width: 900px) { main { grid-template-columns: minmax(0, 1fr) 20rem; }
  .list { grid-column: 2; grid-row: 1; } }
input { position: absolute; opacity: 0; pointer-events: none; }
.step { display: none; grid-column: 1; grid-row: 1; gap: 10px; align-content: start; }
input:checked + .step { display: grid; }
input:focus-visible + .step .board { outline: 3px solid var(--lapis); outline-offset: 4px; }
.board { max-width: 760px; }
.face { width: 34px; height: 34px; vertical-align: middle; }
.face .body { fill: #34405a; stroke: #1b2233; stroke-width: 1.5; }
.face .g { fill: #f0b63a; } .face .s { fill: #dfe5ee; }
.face .blank { fill: #46536f; stroke: #8b97b0; stroke-dasharray: 3 2; }
.face text { font: 700 22px system-ui, sans-serif; fill: #fffaf0; }
.steps { display: flex; align-items: center; gap: 10px; }
label { cursor: pointer; }
.steps label { min-width: 64px; min-height: 48px; display: grid; place-items: center;
  background: var(--card); border: 1px solid var(--line); border-radius: 10px; }
.steps label:not([for]) { opacity: .4; cursor: default; }
.told { color: var(--dim); }
summary { cursor: pointer; min-height: 40px; padding: 8px 0; color: var(--lapis); }
.list { max-height: 34rem; overflow: auto; background: var(--card); border: 1px solid var(--line);
  border-radius: 12px; padding: 8px; }
.list label { display: grid; grid-template-columns: 2.4em 1fr; gap: 8px; padding: 7px 6px;
  border-radius: 7px; overflow-wrap: anywhere; }
.list label:hover { background: var(--paper); }
.list b { color: var(--dim); font-weight: 400; text-align: right; }
@media print { .step { display: grid; break-inside: avoid; } .list, .steps { display: none; } }
"""
