import type { Ast, CallNode, HasNode, SelectNode } from './ast.ts';
import type { Checked, ResolvedCall, ResolvedName } from './checked.ts';
import type { Environment } from './environment.ts';
import type { Span } from './error.ts';
import { conversionHint } from './hint.ts';
import { type CelIssue, type CelIssueKind, IssueError } from './issue.ts';
import type { Argument } from './library/declare.ts';
import { Substitution } from './relate.ts';
import { type Stretch, spanOf } from './stretch.ts';
import {
  boolType,
  dynType,
  errorType,
  holdsError,
  holdsParameter,
  MAX_TYPE_WEIGHT,
  printType,
  type Type,
  typeType,
  weightOf,
} from './type.ts';
import { ValueTypes } from './value-types.ts';

/** More mistakes than a reader takes in at once are not listed. */
const MAX_ISSUES = 50;

interface Scope {
  readonly name: string;
  readonly type: Type;
  readonly slot: number;
  readonly outer: Scope | undefined;
}

/** One run of the checker: what is in scope, what has been found out, what has been reported. */
export class Checking {
  readonly issues: CelIssue[] = [];
  readonly environment: Environment;
  readonly substitution = new Substitution();
  readonly types = new Map<Ast, Type>();
  readonly names = new Map<Ast, ResolvedName>();
  // Made when there is something to note: most expressions are paths, with neither calls nor loops.
  #fields: Map<Ast, string> | undefined;
  #calls: Map<Ast, ResolvedCall> | undefined;
  #slots: Map<Ast, readonly number[]> | undefined;
  #narrows = false;
  readonly #checkNode: (node: Ast, checking: Checking) => Type;
  #slotCount = 0;
  #hasMacro = false;
  #scope: Scope | undefined;

  constructor(environment: Environment, checkNode: (node: Ast, checking: Checking) => Type) {
    this.environment = environment;
    this.#checkNode = checkNode;
  }

  /** The type of a node; its mistakes are reported. */
  check(node: Ast): Type {
    const type = this.#checkNode(node, this);
    const admitted = weightOf(type) === 1 ? type : this.#admit(node, type);
    this.types.set(node, admitted);
    return admitted;
  }

  /** A type beyond what may be compared ends the checking, unless it is one of what is broken; of others each use counts. */
  #admit(node: Ast, type: Type): Type {
    const weight = weightOf(type);
    this.substitution.spend(weight);
    if (weight <= MAX_TYPE_WEIGHT) return type;
    if (holdsError(type)) return errorType;
    throw new IssueError(typesTooLarge(spanOf(node.span)));
  }

  /** As `check`, with what is known of type parameters filled in. */
  checkNow(node: Ast): Type {
    return this.substitution.resolve(this.check(node), false);
  }

  /** Notes the property behind a selected field, where the name is escaped. */
  noteField(node: Ast, property: string): void {
    this.#fields ??= new Map();
    this.#fields.set(node, property);
  }

  /** Notes what a call means. */
  noteCall(node: Ast, call: ResolvedCall): void {
    this.#calls ??= new Map();
    this.#calls.set(node, call);
  }

  /** Notes that a type may be narrower than the values that it is found for. */
  noteNarrowing(): void {
    this.#narrows = true;
  }

  /** Notes a mistake. */
  report(kind: CelIssueKind, message: string, span: Stretch, hint?: string): void {
    if (this.issues.length >= MAX_ISSUES) return;
    const range = spanOf(span);
    this.issues.push(hint === undefined ? { kind, message, span: range } : { kind, message, hint, span: range });
  }

  /** Reports a value of the wrong type; false if it is. */
  expect(node: Ast, found: Type, wanted: Type): boolean {
    if (found === wanted && found.kind !== 'parameter') return true;
    if (this.substitution.attempt(() => this.substitution.assignable(found, wanted))) return true;
    const [is, should] = [this.resolved(found), this.resolved(wanted)];
    if (holdsError(is) || holdsError(should)) return false;
    this.report('overload', `expected ${printType(should)}, found ${printType(is)}`, node.span, conversionHint(is, should));
    return false;
  }

  /** Reports a node that is no bool. */
  expectBool(node: Ast): void {
    this.expect(node, this.check(node), boolType);
  }

  /** Checks something with names bound; their slots are given to the node. */
  within(node: Ast, names: readonly (readonly [string, Type])[], step: () => Type): Type {
    this.#hasMacro = true;
    const outer = this.#scope;
    const slots: number[] = [];
    for (const [name, type] of names) {
      const slot = this.#scope === undefined ? 0 : this.#scope.slot + 1;
      this.#scope = { name, type, slot, outer: this.#scope };
      this.#slotCount = Math.max(this.#slotCount, slot + 1);
      slots.push(slot);
    }
    this.#slots ??= new Map();
    this.#slots.set(node, slots);
    const type = step();
    this.#scope = outer;
    return type;
  }

  /** What a plain or dotted name refers to: a local name, a variable, a type, each in the container first. */
  lookUp(node: Ast, name: string, absolute: boolean): Type | undefined {
    if (!absolute) {
      for (let scope = this.#scope; scope !== undefined; scope = scope.outer) {
        if (scope.name !== name) continue;
        this.names.set(node, { kind: 'local', slot: scope.slot });
        return scope.type;
      }
    }
    for (const candidate of absolute ? [name] : this.candidates(name)) {
      const variable = this.environment.variable(candidate);
      if (variable !== undefined) {
        this.names.set(node, { kind: 'variable', name: candidate });
        return variable;
      }
      const type = this.environment.namedType(candidate);
      if (type !== undefined) {
        this.names.set(node, { kind: 'type', type });
        return typeType(type);
      }
    }
    return undefined;
  }

  /** What a name may be in full: in the container, in those around it, as it is. */
  candidates(name: string): readonly string[] {
    if (this.environment.container === '') return [name];
    const parts = this.environment.container.split('.');
    return [...parts.map((_, at) => `${parts.slice(0, parts.length - at).join('.')}.${name}`), name];
  }

  /** Whether a macro binds the name here. */
  isLocal(name: string): boolean {
    for (let scope = this.#scope; scope !== undefined; scope = scope.outer) if (scope.name === name) return true;
    return false;
  }

  /** Whether what is being checked stands inside a macro that binds a name, or behind one. */
  get hasMacro(): boolean {
    return this.#hasMacro;
  }

  /** The names that macros bind here, for suggestions. */
  scopeNames(): readonly string[] {
    const names: string[] = [];
    for (let scope = this.#scope; scope !== undefined; scope = scope.outer) if (!scope.name.startsWith('@')) names.push(scope.name);
    return names;
  }

  /** The final type: what is still unknown of it is dyn. */
  resolved(type: Type): Type {
    return this.substitution.resolve(type, true);
  }

  /** Fills in what has been found out of type parameters since a type was found. */
  settle(): void {
    for (const [node, type] of this.types) {
      if (!holdsParameter(type)) continue;
      this.types.set(node, this.#admit(node, this.resolved(type)));
    }
  }

  /** Lets the libraries look at constant arguments, once all types are known. */
  validateCalls(): void {
    this.#calls?.forEach(({ overloads, args }, node) => {
      const [only] = overloads;
      if (overloads.length !== 1 || only?.validate === undefined) return;
      for (const fault of only.validate(args.map((argument) => this.#describe(argument)))) {
        this.report('argument', fault.message, fault.span ?? node.span, fault.hint);
      }
    });
  }

  #describe(node: Ast): Argument {
    return {
      type: this.resolved(this.types.get(node) ?? dynType),
      literal: node.kind === 'literal' ? node.value : undefined,
      items: itemsOf(node)?.map((item) => this.#describe(item)),
      span: node.span,
    };
  }

  /** What the planner needs, when all is well. */
  result(ast: Ast, type: Type): Checked {
    return new Findings(ast, type, {
      types: this.types,
      names: this.names,
      fields: this.#fields,
      calls: this.#calls,
      slots: this.#slots,
      slotCount: this.#slotCount,
      narrows: this.#narrows,
      substitution: this.substitution,
    });
  }
}

/** What is said of types beyond what may be compared. */
export function typesTooLarge(span: Span): CelIssue {
  return { kind: 'limit', message: 'the types of the expression are too large', hint: 'put dyn(...) around a value that nests deep', span };
}

/** The elements of a list as written, the keys and values of a map. */
function itemsOf(node: Ast): readonly Ast[] | undefined {
  if (node.kind === 'list') return node.items.map(({ value }) => value);
  return node.kind === 'map' ? node.entries.flatMap(({ key, value }) => [key, value]) : undefined;
}

interface Tables {
  readonly types: ReadonlyMap<Ast, Type>;
  readonly names: ReadonlyMap<Ast, ResolvedName>;
  readonly fields: ReadonlyMap<Ast, string> | undefined;
  readonly calls: ReadonlyMap<Ast, ResolvedCall> | undefined;
  readonly slots: ReadonlyMap<Ast, readonly number[]> | undefined;
  readonly slotCount: number;
  readonly narrows: boolean;
  readonly substitution: Substitution;
}

const NO_SLOTS: readonly number[] = [];

class Findings implements Checked {
  readonly ast: Ast;
  readonly type: Type;
  readonly #tables: Tables;
  readonly #values: ValueTypes | undefined;

  constructor(ast: Ast, type: Type, tables: Tables) {
    this.ast = ast;
    this.type = type;
    this.#tables = tables;
    this.#values = tables.narrows ? new ValueTypes(this) : undefined;
  }

  get valueType(): Type {
    return this.#values?.typeOf(this.ast) ?? this.type;
  }

  valueTypeOf(node: Ast): Type {
    return this.#values?.typeOf(node) ?? this.typeOf(node);
  }

  parametersOf(node: CallNode): readonly Type[] | undefined {
    return this.#values?.parametersOf(node);
  }

  get slots(): number {
    return this.#tables.slotCount;
  }

  typeOf(node: Ast): Type {
    return this.#tables.substitution.resolve(this.#tables.types.get(node) ?? dynType, true);
  }

  nameOf(node: Ast): ResolvedName | undefined {
    return this.#tables.names.get(node);
  }

  callOf(node: CallNode): ResolvedCall | undefined {
    return this.#tables.calls?.get(node);
  }

  fieldOf(node: SelectNode | HasNode): string {
    return this.#tables.fields?.get(node) ?? node.field;
  }

  slotsOf(node: Ast): readonly number[] {
    return this.#tables.slots?.get(node) ?? NO_SLOTS;
  }
}
