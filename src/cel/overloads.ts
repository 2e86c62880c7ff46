import type { Ast, CallNode } from './ast.ts';
import { conversionHint } from './hint.ts';
import type { FunctionDeclaration, Overload } from './library/declare.ts';
import { isOperator, type Signature, showOperator } from './library/signature.ts';
import { type Substitution, sameType } from './relate.ts';
import type { Stretch } from './stretch.ts';
import { dynType, holdsError, printType, type Type } from './type.ts';

/** The overloads that arguments of these types may mean, and the type of the result: dyn where several disagree (as in cel-go). */
export function fittingOverloads(
  declaration: FunctionDeclaration,
  types: readonly Type[],
  receiver: boolean,
  substitution: Substitution,
): { readonly overloads: readonly Overload[]; readonly result: Type } | undefined {
  let overloads: Overload[] | undefined;
  let result: Type | undefined;
  for (const overload of declaration.overloads) {
    const { signature } = overload;
    if (signature.receiver !== receiver || signature.parameters.length !== types.length) continue;
    if (!allMayFit(types, signature.parameters)) continue;
    const { produced, parameters } = instantiate(signature, substitution);
    if (!areSame(types, parameters) && !substitution.attempt(() => allAssignable(types, parameters, substitution))) continue;
    // A list that grows by push has room for 17: most calls mean one overload.
    if (overloads === undefined) overloads = [overload];
    else overloads.push(overload);
    const type = substitution.resolve(produced, false);
    if (result === undefined) result = type;
    else if (result.kind !== 'dyn' && !sameType(result, type)) result = dynType;
  }
  return result === undefined || overloads === undefined ? undefined : { overloads, result };
}

/** Nothing is to be learnt of types that are the parameters' own. */
function areSame(types: readonly Type[], parameters: readonly Type[]): boolean {
  for (let at = 0; at < types.length; at++) if (types[at] !== parameters[at] || types[at]?.kind === 'parameter') return false;
  return true;
}

function allAssignable(types: readonly Type[], parameters: readonly Type[], substitution: Substitution): boolean {
  return types.every((type, at) => substitution.assignable(type, parameters[at] ?? dynType));
}

function allMayFit(types: readonly Type[], parameters: readonly Type[]): boolean {
  for (let at = 0; at < parameters.length; at++) if (!mayFit(types[at] ?? dynType, parameters[at] ?? dynType)) return false;
  return true;
}

function instantiate(signature: Signature, substitution: Substitution): { readonly produced: Type; readonly parameters: readonly Type[] } {
  if (!signature.generic) return { produced: signature.result, parameters: signature.parameters };
  const [produced = dynType, ...parameters] = substitution.instantiate([signature.result, ...signature.parameters]);
  return { produced, parameters };
}

/** Whether it is worth a closer look: most overloads of an operator differ in kind alone. */
function mayFit(type: Type, parameter: Type): boolean {
  if (type.kind === parameter.kind || VAGUE.has(type.kind) || VAGUE.has(parameter.kind)) return true;
  return type.kind === 'struct' && parameter.kind === 'map';
}

const VAGUE: ReadonlySet<Type['kind']> = new Set(['parameter', 'dyn', 'error', 'null']);

/** A call that no overload fits. */
export interface Mismatch {
  readonly node: CallNode;
  readonly declaration: FunctionDeclaration;
  readonly args: readonly Ast[];
  readonly types: readonly Type[];
  readonly receiver: boolean;
}

interface Description {
  readonly message: string;
  readonly hint?: string;
  readonly span: Stretch;
}

/** What to say about a call that no overload fits: the one argument that is wrong if it is one, else the overloads that there are. */
export function describeMismatch(mismatch: Mismatch): Description {
  const { declaration, types, receiver } = mismatch;
  const sameShape = declaration.overloads.filter(
    (overload) => overload.signature.receiver === receiver && overload.signature.parameters.length === types.length,
  );
  if (sameShape.length === 0) return describeShape(mismatch);
  return describeOneArgument(mismatch, sameShape) ?? describeAll(mismatch, sameShape);
}

function describeShape({ node, declaration, types, receiver }: Mismatch): Description {
  const name = declaration.shownAs ?? declaration.name;
  const sameStyle = declaration.overloads.filter((overload) => overload.signature.receiver === receiver);
  const hint = `it is ${listSignatures(sameStyle.length > 0 ? sameStyle : declaration.overloads)}`;
  if (sameStyle.length === 0) {
    const message = receiver ? `"${name}" is a function, not a method` : `"${name}" is a method, not a function`;
    return { message, hint, span: node.nameSpan };
  }
  const counts = [...new Set(sameStyle.map((overload) => overload.signature.parameters.length - (receiver ? 1 : 0)))].sort();
  const found = types.length - (receiver ? 1 : 0);
  const plural = counts.length === 1 && counts[0] === 1 ? 'argument' : 'arguments';
  return { message: `"${name}" takes ${counts.join(' or ')} ${plural}, found ${found}`, hint, span: node.span };
}

/** One argument is wrong in every overload that the others allow, and all of these ask for one type there. */
function describeOneArgument({ node, args, types, receiver }: Mismatch, overloads: readonly Overload[]): Description | undefined {
  if (node.name === '_==_' || node.name === '_!=_') {
    const [left = dynType, right = dynType] = types;
    return expected(args[1] ?? node, left, right);
  }
  const numberOfWrong = (overload: Overload): number => wrongOf(types, overload);
  // Seen roughly some overload fits: how its arguments disagree is no mistake of one.
  if (overloads.some((overload) => numberOfWrong(overload) === 0)) return undefined;
  const closest = overloads.filter((overload) => numberOfWrong(overload) === 1);
  // Of an operator the left side is what the author meant; the right one is to blame.
  const blamed = new Set(closest.map((overload) => types.findIndex((type, at) => !fits(type, overload.signature.parameters[at]))));
  const at = blamed.size === 1 || (isOperator(node.name) && blamed.has(1)) ? Math.max(...blamed) : -1;
  if (at < 0) return undefined;
  const wanted = closest.flatMap((overload) => {
    const parameter = overload.signature.parameters[at];
    return parameter !== undefined && !fits(types[at] ?? dynType, parameter) ? [parameter] : [];
  });
  const [first, ...others] = wanted;
  if (first === undefined || !others.every((other) => sameType(first, other)) || first.kind === 'parameter') return undefined;
  const described = expected(args[at] ?? node, first, types[at] ?? dynType);
  // What a method is called of is not put into a list to be called of that.
  return receiver && at === 0 && first.kind === 'list' ? { message: described.message, span: described.span } : described;
}

function expected(node: Ast, wanted: Type, found: Type): Description {
  const hint = conversionHint(found, wanted);
  const message = `expected ${printType(wanted)}, found ${printType(found)}`;
  return hint === undefined ? { message, span: node.span } : { message, hint, span: node.span };
}

function describeAll({ node, declaration, types, receiver }: Mismatch, overloads: readonly Overload[]): Description {
  const shown = types.map((type) => (holdsError(type) ? '…' : printType(type)));
  const listed = listSignatures(overloads.toSorted((a, b) => wrongOf(types, a) - wrongOf(types, b)));
  const hint = `there is ${declaration.shownAs === undefined ? listed : listed.replaceAll(declaration.name, declaration.shownAs)}`;
  if (isOperator(node.name)) {
    return { message: `"${showOperator(node.name)}" does not take ${shown.join(' and ')}`, hint, span: node.span };
  }
  const name = declaration.shownAs ?? declaration.name;
  const call = receiver ? `${shown[0]}.${name}(${shown.slice(1).join(', ')})` : `${name}(${shown.join(', ')})`;
  return { message: `no overload ${call}`, hint, span: node.span };
}

function listSignatures(overloads: readonly Overload[]): string {
  const shown = overloads.slice(0, 6).map((overload) => showOperator(overload.signature.text));
  return overloads.length > 6 ? `${shown.join('; ')}; …` : shown.join('; ');
}

/** How many arguments an overload does not take. */
function wrongOf(types: readonly Type[], overload: Overload): number {
  return types.filter((type, at) => !fits(type, overload.signature.parameters[at])).length;
}

/** Whether a type may be the parameter's, seen roughly: type parameters fit anything. */
function fits(type: Type, parameter: Type | undefined): boolean {
  if (parameter === undefined) return false;
  if (parameter.kind === 'parameter' || parameter.kind === 'dyn' || type.kind === 'dyn' || type.kind === 'error') return true;
  if (type.kind === 'list') return parameter.kind === 'list' && fits(type.element, parameter.element);
  if (type.kind === 'map') return parameter.kind === 'map' && fits(type.key, parameter.key) && fits(type.value, parameter.value);
  if (type.kind === 'optional') return parameter.kind === 'optional' && fits(type.value, parameter.value);
  return sameType(type, parameter);
}
