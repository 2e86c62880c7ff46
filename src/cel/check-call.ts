import type { Ast, CallNode } from './ast.ts';
import type { Checking } from './checking.ts';
import { functionHabits, receiverHabits } from './habits.ts';
import { suggest } from './hint.ts';
import { type FunctionDeclaration, takes } from './library/declare.ts';
import { isLikeMacro, macroAdvice, macroUsage } from './macro.ts';
import { describeMismatch, fittingOverloads } from './overloads.ts';
import { spell } from './spell.ts';
import { endOf, startOf, stretch } from './stretch.ts';
import { boolType, errorType, holdsError, type Type } from './type.ts';
import { mayNarrow } from './value-types.ts';

/** The type of a call of a function, method or operator; which overloads it means is noted. */
export function checkCall(checking: Checking, node: CallNode): Type {
  const namespaced = namespacedFunction(checking, node);
  if (namespaced !== undefined) return resolveCall(checking, node, namespaced, node.args, false);
  if (callsAbsentOfNamespace(checking, node)) return reportUnknownFunction(checking, node);
  const declaration = globalFunction(checking, node);
  const args = node.target === undefined ? node.args : [node.target, ...node.args];
  if (declaration !== undefined) return resolveCall(checking, node, declaration, args, node.target !== undefined);
  return reportUnknownFunction(checking, node);
}

/** `math.abs(x)`: the target is no value but a namespace. */
function namespacedFunction(checking: Checking, node: CallNode): FunctionDeclaration | undefined {
  const spelled = node.target === undefined ? undefined : spell(node.target);
  if (spelled === undefined) return undefined;
  const name = `${spelled.name}.${node.name}`;
  for (const candidate of checking.candidates(name)) {
    const declaration = checking.environment.functionNamed(candidate);
    if (declaration !== undefined) return declaration;
  }
  return undefined;
}

/** `math.max(x)`: a namespace is no value, though there is a method of this name. */
function callsAbsentOfNamespace(checking: Checking, { target }: CallNode): boolean {
  if (target?.kind !== 'identifier' || !checking.environment.hasNamespace(target.name)) return false;
  return undeclaredPrefix(checking, target) !== undefined;
}

function globalFunction(checking: Checking, node: CallNode): FunctionDeclaration | undefined {
  if (node.target !== undefined) return checking.environment.functionNamed(node.name);
  for (const candidate of checking.candidates(node.name)) {
    const declaration = checking.environment.functionNamed(candidate);
    if (declaration !== undefined) return declaration;
  }
  return undefined;
}

function resolveCall(checking: Checking, node: CallNode, declaration: FunctionDeclaration, args: readonly Ast[], receiver: boolean): Type {
  // The names of what is no call of this function but of a macro are no mistakes of their own.
  const isMacro = isLikeMacro(node) && !takes(declaration, args.length, receiver);
  // What is called comes last (as in cel-go): the arguments say more of what is not known yet.
  const called = receiver ? args[0] : undefined;
  const rest = receiver ? args.slice(1) : args;
  const typesOfRest = rest.map((argument) => (isMacro && argument !== args[0] ? errorType : checking.check(argument)));
  const types = called === undefined ? typesOfRest : [checking.check(called), ...typesOfRest];
  const fitting = fittingOverloads(declaration, types, receiver, checking.substitution);
  if (fitting !== undefined) {
    if (fitting.overloads.some(({ signature }) => mayNarrow(signature, types))) checking.noteNarrowing();
    checking.noteCall(node, { declaration, overloads: fitting.overloads, args });
    return fitting.result;
  }
  const found = types.map((type) => checking.resolved(type));
  if (checking.hasMacro && isNumericComparison(node.name, found)) {
    checking.noteCall(node, { declaration, overloads: declaration.overloads, args });
    return boolType;
  }
  if (!isLeftWrong(node, args, found)) {
    const mismatch = describeMismatch({ node, declaration, args, types: found, receiver });
    const habit = macroAdvice(node) ?? (receiver ? receiverHabits.get(`${found[0]?.kind}.${node.name}`) : undefined);
    checking.report('overload', mismatch.message, mismatch.span, habit ?? mismatch.hint);
  }
  return errorType;
}

/**
 * Whether what stands before the name of the call has a mistake, so that nothing is known of what is called. One in the other arguments hides
 * none of the call: no overload takes the rest, whatever they are (as in cel-go).
 */
function isLeftWrong({ nameSpan }: CallNode, [left]: readonly Ast[], [type]: readonly Type[]): boolean {
  return left !== undefined && type !== undefined && startOf(left.span) < startOf(nameSpan) && holdsError(type);
}

/**
 * Numbers of different types are compared inside macros and behind the first one, as in cel-go, which there forgets that it should not;
 * elsewhere they need a conversion, or dyn.
 */
function isNumericComparison(name: string, types: readonly Type[]): boolean {
  return COMPARISONS.has(name) && types.every(({ kind }) => kind === 'int' || kind === 'uint' || kind === 'double');
}

const COMPARISONS: ReadonlySet<string> = new Set(['_<_', '_<=_', '_>_', '_>=_']);

/** One mistake, one message: a target that is neither value nor namespace is part of the function's name. */
function reportUnknownFunction(checking: Checking, node: CallNode): Type {
  const usage = macroUsage(node);
  const prefix = node.target === undefined ? undefined : undeclaredPrefix(checking, node.target);
  const target = node.target === undefined || prefix !== undefined ? undefined : checking.check(node.target);
  if (usage !== undefined) {
    checking.report('argument', usage, node.span, 'the names of a macro stand before its expression');
    return errorType;
  }
  if (!isLikeMacro(node)) for (const argument of node.args) checking.check(argument);
  if (target?.kind === 'error') return errorType;
  const name = prefix === undefined ? node.name : `${prefix}.${node.name}`;
  const hint =
    macroAdvice(node) ??
    functionHabits.get(name) ??
    suggest(name, checking.environment.functionNames()) ??
    undeclaredHint(checking, prefix);
  checking.report(
    'undeclared',
    `no function "${name}"`,
    prefix === undefined ? node.nameSpan : stretch(node.target === undefined ? 0 : startOf(node.target.span), endOf(node.nameSpan)),
    hint,
  );
  return errorType;
}

/** The dotted name that a target spells, if nothing of that name is declared. */
function undeclaredPrefix(checking: Checking, target: Ast): string | undefined {
  const spelled = spell(target)?.name;
  const [root = ''] = spelled?.split('.') ?? [];
  if (spelled === undefined || checking.isLocal(root)) return undefined;
  const isDeclared = checking
    .candidates(root)
    .some((name) => checking.environment.variable(name) !== undefined || checking.environment.namedType(name) !== undefined);
  return isDeclared || checking.environment.startsQualified(root) ? undefined : spelled;
}

function undeclaredHint(checking: Checking, prefix: string | undefined): string | undefined {
  if (prefix === undefined || checking.environment.hasNamespace(prefix)) return undefined;
  const [root = ''] = prefix.split('.');
  const known = suggest(root, [...checking.scopeNames(), ...checking.environment.variableNames()]);
  return known === undefined ? `"${root}" is not declared` : `"${root}" is not declared: ${known}`;
}
