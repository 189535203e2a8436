/**
 * Prints the possible mutations of scripts as JSON: the file, the line, the range of the expression,
 * and what replaces it.
 *
 *     node tests/mutation/scripts.mjs FILE...
 */

import { readFileSync } from "node:fs";

import ts from "../browser/node_modules/typescript/lib/typescript.js";

const K = ts.SyntaxKind;
const OTHER = new Map([
  [K.LessThanToken, "<="],
  [K.LessThanEqualsToken, "<"],
  [K.GreaterThanToken, ">="],
  [K.GreaterThanEqualsToken, ">"],
  [K.EqualsEqualsEqualsToken, "!=="],
  [K.ExclamationEqualsEqualsToken, "==="],
  [K.PlusToken, "-"],
  [K.MinusToken, "+"],
  [K.AsteriskToken, "/"],
  [K.SlashToken, "*"],
  [K.PercentToken, "*"],
  [K.AmpersandAmpersandToken, "||"],
  [K.BarBarToken, "&&"],
  [K.QuestionQuestionToken, "&&"],
  [K.PlusEqualsToken, "-="],
  [K.MinusEqualsToken, "+="],
]);

/** Returns the text that replaces an expression, null if it is not mutated. */
function replacement(node, text) {
  const of = (one) => text.slice(one.getStart(), one.end);
  const { parent } = node;
  if (ts.isBinaryExpression(node) && OTHER.has(node.operatorToken.kind)) {
    const { left, right, operatorToken } = node;
    const isText = [left, right].some((one) => ts.isStringLiteralLike(one) || ts.isTemplateExpression(one));
    if (operatorToken.kind === K.PlusToken && isText) return null;
    // Beside ??, other logical operators need brackets.
    const isTarget = ts.isAssignmentOperator(operatorToken.kind);
    return `${isTarget ? of(left) : `(${of(left)})`} ${OTHER.get(operatorToken.kind)} (${of(right)})`;
  }
  if (ts.isNumericLiteral(node) && !(parent.name === node)) return `${Number(node.text) + 1}`;
  if (node.kind === K.TrueKeyword) return "false";
  if (node.kind === K.FalseKeyword) return "true";
  if (ts.isPrefixUnaryExpression(node) && node.operator === K.ExclamationToken) return of(node.operand);
  if (ts.isConditionalExpression(node)) return `${of(node.condition)} ? ${of(node.whenFalse)} : ${of(node.whenTrue)}`;
  if (ts.isIfStatement(parent) && parent.expression === node) return `!(${of(node)})`;
  if (ts.isReturnStatement(parent)) return node.kind === K.NullKeyword ? null : "undefined";
  const isCall = ts.isExpressionStatement(parent) && ts.isCallExpression(node);
  return isCall && node.expression.kind !== K.SuperKeyword ? "undefined" : null;
}

const found = [];
for (const file of process.argv.slice(2)) {
  const text = readFileSync(file, "utf-8");
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true, ts.ScriptKind.JS);
  const visit = (node) => {
    const after = node.parent ? replacement(node, text) : null;
    if (after !== null) {
      const start = node.getStart();
      const line = source.getLineAndCharacterOfPosition(start).line + 1;
      found.push({ file, line, start, end: node.end, after });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
}
console.log(JSON.stringify(found));
