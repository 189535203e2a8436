"""Style sheet of a dispute's page: light and dark scheme, and print."""

from typing import Final

STYLE: Final = """
:root { color-scheme: light dark; --paper: #f7f4ee; --card: #ffffff; --ink: #1f2328;
  --dim: #626b76; --line: #ddd5c6; --rule: #1d4a73; --good: #2b7a3d; --bad: #b3261e;
  --warn: #8a5300; --soft: #eef3f8; --soft-good: #e7f4ea; --soft-warn: #fdf1dc; }
@media (prefers-color-scheme: dark) { :root { --paper: #14171b; --card: #1d2127; --ink: #e6e8eb;
  --dim: #9aa4b0; --line: #353c45; --rule: #8cc2f5; --good: #7fd190; --bad: #ff9c94;
  --warn: #f2c078; --soft: #22303d; --soft-good: #1d3324; --soft-warn: #3a2e1a; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, "Segoe UI", "DejaVu Sans", sans-serif; }
main { max-width: 1080px; margin: 0 auto; padding: 32px 20px 64px; }
h1 { font-size: 1.7rem; line-height: 1.25; margin: 0 0 8px; }
h2 { font-size: 1.3rem; margin: 40px 0 12px; padding-bottom: 6px;
  border-bottom: 3px solid var(--rule); }
h3 { font-size: 1.08rem; margin: 0 0 12px; }
h4 { font-size: .82rem; letter-spacing: .04em; text-transform: uppercase; color: var(--dim);
  margin: 22px 0 8px; }
p { margin: 4px 0; }
.dim { color: var(--dim); }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 10px;
  padding: 18px 20px; margin: 14px 0; }
.verdict { border-left: 6px solid var(--good); background: var(--soft-good); }
.verdict.differs { border-left-color: var(--bad); background: var(--soft-warn); }
.print { font: .8rem/1.4 ui-monospace, "DejaVu Sans Mono", monospace; overflow-wrap: anywhere; }
.dice { display: grid; grid-template-columns: repeat(auto-fit, minmax(210px, 1fr)); gap: 12px; }
.die { display: grid; grid-template-columns: 48px 1fr; gap: 4px 12px; align-items: start;
  border: 1px solid var(--line); border-radius: 8px; padding: 10px 12px; }
.die ol { list-style: none; margin: 0; padding: 0; font-size: .88rem; }
.die time, .events time { font-variant-numeric: tabular-nums; color: var(--dim);
  font-size: .86rem; }
.die .face { width: 46px; height: 46px; }
.face .body { fill: #3a3f47; stroke: #14171b; stroke-width: 1.5; }
.face .g { fill: #e2a72e; } .face .s { fill: #c9d1da; }
.face .blank { fill: #3a3f47; stroke: #aab2bd; stroke-dasharray: 3 2; }
.face text { font: 700 22px system-ui, sans-serif; fill: #f4f6f8; }
table { border-collapse: collapse; width: 100%; font-size: .94rem; }
th, td { text-align: left; vertical-align: top; padding: 7px 10px 7px 0;
  border-bottom: 1px solid var(--line); }
th:nth-child(1) { width: 11%; } th:nth-child(2) { width: 25%; } th:nth-child(3) { width: 34%; }
thead th { color: var(--dim); font-weight: 600; font-size: .84rem; }
.move { display: inline-block; background: var(--soft-good); color: var(--good); font-weight: 650;
  border-radius: 5px; padding: 0 7px; margin: 0 5px 3px 0; white-space: nowrap; }
.rule { color: var(--rule); font-size: .84rem; white-space: nowrap; }
details { font-size: .9rem; } summary { cursor: pointer; color: var(--dim); }
.events { list-style: none; margin: 0; padding: 0; }
.events li { display: grid; grid-template-columns: 84px 1fr; gap: 12px; padding: 5px 0 5px 10px;
  border-left: 4px solid transparent; }
.events .decided { border-left-color: var(--rule); background: var(--soft); font-weight: 600; }
.events .warned { border-left-color: var(--warn); background: var(--soft-warn); }
.events .die-news { color: var(--dim); font-size: .92rem; }
.badge { display: inline-block; min-width: 1.6em; padding: 0 .4em; border-radius: 1em;
  background: var(--rule); color: var(--card); font-size: .76rem; font-weight: 700;
  text-align: center; margin-left: 6px; }
.pictures { display: grid; grid-template-columns: repeat(auto-fill, minmax(290px, 1fr));
  gap: 16px; margin: 0; padding: 0; }
figure { margin: 0; break-inside: avoid; }
figcaption { font-size: .86rem; padding: 6px 2px 0; }
.key { display: flex; flex-wrap: wrap; gap: 4px 22px; font-size: .88rem; color: var(--dim);
  align-items: center; margin-top: 10px; }
.key svg { width: 30px; height: 30px; vertical-align: middle; margin-right: 6px; }
.key span { display: inline-flex; align-items: center; }
@media print { body { background: #fff; font-size: 11pt; } .card { break-inside: avoid-page; }
  details > * { display: block; } }
"""
