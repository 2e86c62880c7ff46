import { nearest } from '../diagnostic/nearest.ts';
import type { Ast, CallNode, ComprehensionForm, ComprehensionNode } from './ast.ts';
import { macroHabits } from './habits.ts';
import type { CelIssue } from './issue.ts';
import { spanOf } from './stretch.ts';

type Report = (issue: CelIssue) => void;

/** A macro: how a call becomes another tree. Undefined: an argument is wrong, and reported. */
interface Macro {
  readonly name: string;
  /** The name that must stand before the dot (`cel.bind`), true for any receiver, false for none. */
  readonly receiver: string | boolean;
  readonly args: number | 'any';
  expand(call: CallNode, report: Report): Ast | undefined;
}

const LOOPS: readonly (readonly [name: string, form: ComprehensionForm, names: 1 | 2, filtered: boolean])[] = [
  ['all', 'all', 1, false],
  ['exists', 'exists', 1, false],
  ['exists_one', 'existsOne', 1, false],
  ['filter', 'filter', 1, false],
  ['map', 'list', 1, false],
  ['map', 'list', 1, true],
  ['all', 'all', 2, false],
  ['exists', 'exists', 2, false],
  ['existsOne', 'existsOne', 2, false],
  ['exists_one', 'existsOne', 2, false],
  ['transformList', 'list', 2, false],
  ['transformList', 'list', 2, true],
  ['transformMap', 'map', 2, false],
  ['transformMap', 'map', 2, true],
  ['transformMapEntry', 'mapEntry', 2, false],
  ['transformMapEntry', 'mapEntry', 2, true],
];

const macros: readonly Macro[] = [
  { name: 'has', receiver: false, args: 1, expand: expandHas },
  { name: 'bind', receiver: 'cel', args: 3, expand: expandBind },
  { name: 'optMap', receiver: true, args: 2, expand: (call, report) => expandOptionalMap(call, report, false) },
  { name: 'optFlatMap', receiver: true, args: 2, expand: (call, report) => expandOptionalMap(call, report, true) },
  { name: 'sortBy', receiver: true, args: 2, expand: expandSortBy },
  { name: 'greatest', receiver: 'math', args: 'any', expand: (call, report) => expandExtreme(call, report, 'math.@max') },
  { name: 'least', receiver: 'math', args: 'any', expand: (call, report) => expandExtreme(call, report, 'math.@min') },
  ...LOOPS.map(([name, form, names, filtered]) => ({
    name,
    receiver: true,
    args: names + 1 + (filtered ? 1 : 0),
    expand: (call: CallNode, report: Report) => expandLoop(call, report, form, names),
  })),
];

const byName = Map.groupBy(macros, (macro) => macro.name);

/** The names that are macros, for suggestions and the manual. */
export const macroNames: readonly string[] = [
  ...new Set(macros.map(({ name, receiver }) => (typeof receiver === 'string' ? `${receiver}.${name}` : name))),
];

/** What a macro call stands for; undefined if the call is no macro, or if an argument is wrong (which is reported). */
export function expandMacro(call: CallNode, report: Report): Ast | undefined {
  const macro = byName.get(call.name)?.find((candidate) => isCallOf(candidate, call));
  return macro?.expand(call, report);
}

/** How a macro is called, for a call of its name with another number of arguments; undefined if the call is none of a macro. */
export function macroUsage(call: CallNode): string | undefined {
  const counts = byName.get(call.name)?.flatMap((macro) => (hasReceiverOf(macro, call) ? [macro.args] : []));
  if (counts === undefined || counts.length === 0) return undefined;
  const shown = [...new Set(counts)].join(' or ');
  return `"${call.name}" takes ${shown} ${shown === '1' ? 'argument' : 'arguments'}, found ${call.args.length}`;
}

/**
 * Whether a call that nothing fits is likely to be of a macro: misspelt, by its name in other languages, or as a function that takes the list
 * first. The names that stand in it are then its own, and no references.
 */
export function isLikeMacro({ name, target, args }: CallNode): boolean {
  const [first, second] = args;
  if (target === undefined) return args.length > 2 && second?.kind === 'identifier' && (isMethod(name) || macroHabits.has(name));
  if (args.length < 2 || first?.kind !== 'identifier') return false;
  return macroHabits.has(name) || nearest(name, byName.keys()).length > 0;
}

/** How CEL writes a call that is like one of a macro. */
export function macroAdvice(call: CallNode): string | undefined {
  if (!isLikeMacro(call)) return undefined;
  const isFunction = call.target === undefined && isMethod(call.name);
  return macroHabits.get(call.name) ?? (isFunction ? `it stands behind what it is about: x.${call.name}(item, expression)` : undefined);
}

function isMethod(name: string): boolean {
  return byName.get(name)?.some(({ receiver }) => receiver === true) === true;
}

function isCallOf(macro: Macro, call: CallNode): boolean {
  return (macro.args === 'any' || macro.args === call.args.length) && hasReceiverOf(macro, call);
}

function hasReceiverOf(macro: Macro, call: CallNode): boolean {
  if (macro.receiver === true) return call.target !== undefined;
  if (macro.receiver === false) return call.target === undefined;
  return call.target?.kind === 'identifier' && call.target.name === macro.receiver;
}

function expandHas(call: CallNode, report: Report): Ast | undefined {
  const [argument] = call.args;
  if (argument?.kind === 'select' && !argument.optional) {
    return { kind: 'has', operand: argument.operand, field: argument.field, fieldSpan: argument.fieldSpan, span: call.span };
  }
  if (argument?.kind === 'has') return argument;
  report({
    kind: 'argument',
    message: 'has() takes the selection of a field',
    hint: 'write has(x.field); for a key that is no name, "key" in x',
    span: spanOf((argument ?? call).span),
  });
  return undefined;
}

function expandBind(call: CallNode, report: Report): Ast | undefined {
  const [variable, value, body] = call.args;
  const name = variableName(call, variable, report);
  if (name === undefined || value === undefined || body === undefined) return undefined;
  return { kind: 'bind', name, value, body, span: call.span };
}

function expandOptionalMap(call: CallNode, report: Report, flat: boolean): Ast | undefined {
  const [variable, body] = call.args;
  const name = variableName(call, variable, report);
  if (name === undefined || body === undefined || call.target === undefined) return undefined;
  return { kind: 'optionalMap', target: call.target, name, body, flat, span: call.span };
}

function expandLoop(call: CallNode, report: Report, form: ComprehensionForm, count: 1 | 2): Ast | undefined {
  const names = call.args.slice(0, count).map((argument) => itemName(call, argument, report));
  const [first, second] = names;
  if (first !== undefined && first === second) {
    report({ kind: 'argument', message: `${call.name} needs two different names`, span: spanOf((call.args[1] ?? call).span) });
    return undefined;
  }
  const rest = call.args.slice(count);
  const body = rest.at(-1);
  if (body === undefined || call.target === undefined || names.includes(undefined)) return undefined;
  const condition = rest.length > 1 ? rest[0] : undefined;
  return comprehension(call, form, names as string[], condition, body, call.target);
}

function comprehension(
  call: CallNode,
  form: ComprehensionForm,
  names: readonly string[],
  condition: Ast | undefined,
  body: Ast,
  range: Ast,
): ComprehensionNode {
  return { kind: 'comprehension', form, range, names, condition, body, macro: call.name, span: call.span };
}

/** `list.sortBy(x, key)` sorts a list by the keys that the body gives for its items. */
function expandSortBy(call: CallNode, report: Report): Ast | undefined {
  if (call.target?.kind === 'literal' || call.target?.kind === 'map') {
    report({ kind: 'argument', message: 'sortBy sorts lists only', hint: 'put it in a list: [x]', span: spanOf(call.target.span) });
    return undefined;
  }
  const [variable, body] = call.args;
  const name = itemName(call, variable, report);
  if (name === undefined || body === undefined || call.target === undefined) return undefined;
  const input: Ast = { kind: 'identifier', name: '@input', absolute: false, span: call.target.span };
  const keys = comprehension(call, 'list', [name], undefined, body, input);
  const sorted: Ast = { ...call, name: '@sortByAssociatedKeys', target: input, args: [keys] };
  return { kind: 'bind', name: '@input', value: call.target, body: sorted, span: call.span };
}

/** `math.greatest(…)` takes one number, one list of numbers, or several numbers. */
function expandExtreme(call: CallNode, report: Report, name: string): Ast | undefined {
  const wrong = call.args.find((argument) => !mayBeNumeric(argument, call.args.length === 1));
  if (call.args.length === 0 || wrong !== undefined) {
    report({
      kind: 'argument',
      message: call.args.length === 0 ? `math.${call.name} needs at least one argument` : `math.${call.name} compares numbers only`,
      hint: 'give numbers, or one list of numbers that is not empty',
      span: spanOf((wrong ?? call).span),
    });
    return undefined;
  }
  const args: readonly Ast[] =
    call.args.length <= 2 ? call.args : [{ kind: 'list', items: call.args.map((value) => ({ value, optional: false })), span: call.span }];
  return { ...call, name, target: undefined, args };
}

function mayBeNumeric(argument: Ast, listAllowed: boolean): boolean {
  switch (argument.kind) {
    case 'literal':
      return ['int', 'uint', 'double'].includes(argument.type.kind);
    case 'list':
      return listAllowed && argument.items.length > 0 && argument.items.every((item) => mayBeNumeric(item.value, false));
    case 'map':
      return false;
    default:
      return true;
  }
}

function variableName(call: CallNode, argument: Ast | undefined, report: Report): string | undefined {
  if (argument?.kind === 'identifier' && !argument.absolute) return argument.name;
  reportName(call, argument, report, `${call.name} needs a plain name here`);
  return undefined;
}

/** The name of an item: in loops cel-go keeps one for what the loop makes. */
function itemName(call: CallNode, argument: Ast | undefined, report: Report): string | undefined {
  const name = variableName(call, argument, report);
  if (name !== '__result__') return name;
  reportName(call, argument, report, 'the name "__result__" is reserved');
  return undefined;
}

function reportName(call: CallNode, argument: Ast | undefined, report: Report, message: string): void {
  report({ kind: 'argument', message, hint: 'choose a name for the item: x', span: spanOf((argument ?? call).span) });
}
