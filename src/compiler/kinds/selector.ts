import { defineDiagnostic } from '../../diagnostic/diagnostic.ts';
import { didYouMean } from '../../diagnostic/nearest.ts';
import type { FieldPath } from '../../diagnostic/path.ts';
import { describe, isObject } from '../describe.ts';
import { isLabelKey, isLabelValue, LABEL_LOOK, PREFIXED_LOOK } from '../label.ts';
import type { RuleReport } from '../rules/rule.ts';
import { scan } from '../scan.ts';

type Fields = Readonly<Record<string, unknown>>;

const SELECTOR_FIELDS = ['matchLabels', 'matchExpressions'];
const REQUIREMENT_FIELDS = ['key', 'operator', 'values'];
/** What a requirement of a label selector may ask of the values of its key. */
export const OPERATORS = ['In', 'NotIn', 'Exists', 'DoesNotExist'];

const shape = defineDiagnostic({
  code: 'selector/shape',
  severity: 'error',
  message: ({ what, expected, found }: { what: string; expected: string; found: string }) => `${what} must be ${expected}, found ${found}`,
});
const unknownField = defineDiagnostic({
  code: 'selector/unknown-field',
  severity: 'error',
  message: ({ field, expected }: { field: string; expected: readonly string[] }) =>
    `a label selector has no field "${field}" here, only ${expected.join(', ')}`,
  hint: ({ field, expected }) => didYouMean(field, expected),
});
const operator = defineDiagnostic({
  code: 'selector/operator',
  severity: 'error',
  message: ({ found }: { found: string }) => `operator "${found}" is not one of ${OPERATORS.join(', ')}`,
  hint: ({ found }) => (/^(=|==|equals?)$/i.test(found) ? 'use matchLabels, or In with one value' : didYouMean(found, OPERATORS)),
});
const values = defineDiagnostic({
  code: 'selector/values',
  severity: 'error',
  message: ({ operator: name, needs }: { operator: string; needs: boolean }) =>
    needs ? `operator ${name} needs values` : `operator ${name} takes no values`,
});
const label = defineDiagnostic({
  code: 'selector/label',
  severity: 'error',
  message: ({ what, text }: { what: 'key' | 'value'; text: string }) => `"${text}" is not a label ${what}`,
  hint: ({ what, text }) => (what === 'key' && text.includes('/') ? PREFIXED_LOOK : LABEL_LOOK),
});

/** The diagnostics of label selectors. */
export const selectorDiagnostics = [shape, unknownField, operator, values, label] as const;

/** Judges the literal parts of a label selector: an object, or one expression for the whole (graph.md 4, ref). */
export function checkSelector(selector: unknown, path: FieldPath, report: RuleReport): void {
  if (typeof selector === 'string' && scan(selector).kind !== 'literal') {
    if (scan(selector).kind === 'text')
      report(shape({ what: 'selector', expected: 'an object or exactly one expression', found: 'text' }, { path }));
    return;
  }
  if (!isObject(selector)) {
    report(shape({ what: 'selector', expected: 'an object or one expression', found: describe(selector) }, { path }));
    return;
  }
  refuseUnknown(selector, SELECTOR_FIELDS, path, report);
  checkLabels(selector['matchLabels'], path.field('matchLabels'), report);
  checkRequirements(selector['matchExpressions'], path.field('matchExpressions'), report);
}

function checkLabels(labels: unknown, path: FieldPath, report: RuleReport): void {
  if (labels === undefined || labels === null || isExpression(labels)) return;
  if (!isObject(labels)) {
    report(shape({ what: 'matchLabels', expected: 'an object', found: describe(labels) }, { path }));
    return;
  }
  for (const key of Object.keys(labels)) {
    const at = path.field(key);
    if (!isLabelKey(key)) report(label({ what: 'key', text: key }, { path: at }));
    checkText(labels[key], 'value', 'a value of matchLabels', at, report);
  }
}

function checkRequirements(requirements: unknown, path: FieldPath, report: RuleReport): void {
  if (requirements === undefined || requirements === null || isExpression(requirements)) return;
  if (!Array.isArray(requirements)) {
    report(shape({ what: 'matchExpressions', expected: 'a list', found: describe(requirements) }, { path }));
    return;
  }
  for (const [index, requirement] of requirements.entries()) {
    const at = path.index(index);
    if (isExpression(requirement)) continue;
    if (isObject(requirement)) checkRequirement(requirement, at, report);
    else report(shape({ what: 'an entry of matchExpressions', expected: 'an object', found: describe(requirement) }, { path: at }));
  }
}

function checkRequirement(requirement: Fields, path: FieldPath, report: RuleReport): void {
  refuseUnknown(requirement, REQUIREMENT_FIELDS, path, report);
  checkText(requirement['key'], 'key', 'key', path.field('key'), report);
  const name = requirement['operator'];
  if (typeof name !== 'string') {
    report(
      shape({ what: 'operator', expected: `one of ${OPERATORS.join(', ')}`, found: describe(name) }, { path: path.field('operator') }),
    );
  }
  const literal = typeof name === 'string' && scan(name).kind === 'literal' ? name : undefined;
  const isKnown = literal === undefined || OPERATORS.includes(literal);
  if (!isKnown) report(operator({ found: literal }, { path: path.field('operator') }));
  checkValues(requirement['values'], isKnown ? literal : undefined, path.field('values'), report);
}

function checkValues(found: unknown, name: string | undefined, path: FieldPath, report: RuleReport): void {
  if (isExpression(found)) return;
  if (found !== undefined && found !== null && !Array.isArray(found)) {
    report(shape({ what: 'values', expected: 'a list', found: describe(found) }, { path }));
    return;
  }
  const list: readonly unknown[] = Array.isArray(found) ? found : [];
  for (const [index, value] of list.entries()) checkText(value, 'value', 'an entry of values', path.index(index), report);
  if (name === undefined) return;
  const needs = name === 'In' || name === 'NotIn';
  if (needs !== list.length > 0) report(values({ operator: name, needs }, { path }));
}

function checkText(value: unknown, what: 'key' | 'value', name: string, path: FieldPath, report: RuleReport): void {
  if (typeof value !== 'string') report(shape({ what: name, expected: 'text', found: describe(value) }, { path }));
  else if (scan(value).kind === 'literal' && !(what === 'key' ? isLabelKey(value) : isLabelValue(value))) {
    report(label({ what, text: value }, { path }));
  }
}

function refuseUnknown(fields: Fields, known: readonly string[], path: FieldPath, report: RuleReport): void {
  for (const field of Object.keys(fields)) {
    if (!known.includes(field)) report(unknownField({ field, expected: known }, { path: path.field(field) }));
  }
}

function isExpression(value: unknown): boolean {
  return typeof value === 'string' && scan(value).kind === 'standalone';
}
