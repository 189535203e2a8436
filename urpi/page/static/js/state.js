/**
 * Types of the server's documents, without code.
 *
 * @typedef {"light" | "dark"} Side
 * @typedef {{light: string, dark: string}} Names
 * @typedef {{light: number, dark: number}} Counts
 *
 * @typedef {{side: Side, turned: boolean}} PilePiece
 * @typedef {{side: Side, count: number, pieces: PilePiece[]}} Pile
 * @typedef {{text: string, squares: Record<string, Pile>, hand: Counts, off: Counts}} Position
 *
 * @typedef {{
 *   id: string, text: string, name: string, options: Record<string, string>,
 *   paths: Record<Side, string[]>, pieces: number, dice: {count: number, body: "d4" | "d6", binary: boolean},
 *   draws: boolean, won_by: "off" | "captured" | "forts",
 * }} Rules
 *
 * @typedef {{faces: string, value: number}} Throw
 * @typedef {{move: string, from: string[], to: string[], text: string}} Move
 * @typedef {{
 *   code: string, side: Side, text: string, squares: string[], fill: string[], clear: string[],
 * }} Warning
 * @typedef {{
 *   ask: "move" | "first" | "faces", side: Side, text: string,
 *   choices: {value: string, text: string}[], chosen: number,
 * }} Question
 * @typedef {{alive: boolean, text: string, dice: number[], low: number[]}} Device
 * @typedef {{kind: "invitation" | "next" | "joining" | "waiting" | "result" | "proposal" | "note" | "problem" | "claim",
 *   text: string, game?: string, name?: string, place?: string, what?: string,
 *   options?: {about: string, value: string}[]}} TableNote
 * @typedef {{device: string, code: string, text: string}} Fault
 * @typedef {{value: number, faces: string, chance: number}} Chance
 * @typedef {{light: number, dark: number, kind: "exact" | "estimated", moves: (Move & {value: number})[]}} Value
 * @typedef {{
 *   n: number, turn: number, side: Side, throw: string, value: number, move: string,
 *   text: string, confidence: string, taken_back: boolean,
 * }} RecordLine
 *
 * @typedef {{control: string, running: Side | null, left_ms: Record<Side, number | null>}} GameClock
 *
 * @typedef {"no-game" | "set-up" | "choose-first" | "start-throw" | "throw" | "move" | "over"}
 *   Phase
 *
 * @typedef {{
 *   seq: number, game: number | null, table: "board" | "virtual", language: string,
 *   may_act: boolean, rules: Rules | null, phase: Phase, position: Position | null,
 *   side: Side | null, players: Names,
 *   dice: {rolling: number[], waiting: number[], settled: Record<string, string>},
 *   throw: Throw | null, start_throws: Record<Side, Throw | null>, legal: Move[],
 *   seems: string | null, seems_ms: number | null, seats: Names, planned: Move | null, thinking: boolean,
 *   hints: boolean, may_hint: boolean, may_decline: boolean, hint: Move | null, coach: Names, engine_throws: string, program_threw: boolean,
 *   coached: {side: Side, loss: number, better: Move, text: string} | null,
 *   takeback: (Move & {side: Side}) | null, draw: string | null, last: ({text: string, type: string}) | null,
 *   clock?: GameClock, opponent: {table: string, place: string} | null, tables: TableNote[],
 *   warning: Warning | null, question: Question | null, faults: Fault[],
 *   fill: string[], clear: string[],
 *   outcome: {type: string, side: Side | null, code: string, text: string} | null,
 *   explore: {stage: "line" | "back", game: boolean} | null, may_explore: boolean,
 *   chances: Chance[], notice: string | null, review: string[], devices: Record<string, Device>, oled: string, lit: Record<string, string>,
 *   record: RecordLine[], record_from: number,
 *   totals: Record<Side, {throws: number, captures: number}>,
 * }} State
 *
 * What a step of a replay has of a state.
 *
 * @typedef {Pick<State, "players" | "phase" | "position" | "side" | "rules" | "legal">
 *   & Partial<Omit<State, "outcome">> & {outcome: {side: Side | null} | null}} StepState
 *
 * @typedef {{seq: number, game: number | null, type: string, t: number, text: string}} Decision
 *
 * @typedef {{
 *   key?: string, side: Side, turned?: boolean, place: string, level: number, of?: number,
 *   x?: number, y?: number,
 * }} Piece
 */

export {};
