import { nearest } from '../diagnostic/nearest.ts';
import type { Ast, CallNode, ComprehensionNode, HasNode, IndexNode, SelectNode } from './ast.ts';
import type { Environment } from './environment.ts';
import type { Span } from './error.ts';
import { escapeName, unescapeName } from './escape.ts';
import type { CelIssue, CelIssueKind } from './issue.ts';
import type { Argument, FunctionDeclaration, Overload } from './library/declare.ts';
import { macroUsage } from './macro.ts';
import { describeMismatch, fittingOverloads } from './overloads.ts';
import { Substitution, valueTypeOf } from './relate.ts';
import {
  boolType,
  dynType,
  errorType,
  intType,
  listType,
  mapType,
  optionalType,
  printType,
  type StructType,
  stringType,
  type Type,
  typeType,
} from './type.ts';

/** What the checker found out about an expression, for the planner. Types are final: no parameters are left. */
export interface Checked {
  readonly ast: Ast;
  readonly type: Type;
  typeOf(node: Ast): Type;
  /** What an identifier, or a selection that spells a dotted name, refers to. */
  nameOf(node: Ast): ResolvedName | undefined;
  /** The function and the overloads that fit a call; one of them is chosen at run time if there are several. */
  callOf(node: CallNode): ResolvedCall | undefined;
  /** The property that a selected field of a struct is, unescaped. */
  fieldOf(node: SelectNode | HasNode): string;
  /** Where the names of a bind, optMap or loop live. */
  slotsOf(node: Ast): readonly number[];
  /** How many local names live at once at most. */
  readonly slots: number;
}

export type ResolvedName =
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'local'; readonly slot: number }
  | { readonly kind: 'type'; readonly type: Type };

export interface ResolvedCall {
  readonly declaration: FunctionDeclaration;
  readonly overloads: readonly Overload[];
  /** The target (if it is a value, not a namespace) and the arguments. */
  readonly args: readonly Ast[];
  readonly arguments: readonly Argument[];
}

/** The type of an expression and all its mistakes. `checked` is there if there are none. */
export type CheckResult =
  | { readonly type: Type; readonly issues: readonly []; readonly checked: Checked }
  | { readonly type: Type; readonly issues: readonly CelIssue[]; readonly checked: undefined };

/** Checks an expression in an environment. Goes on after a mistake; what is wrong has the type *error*, which causes no further ones. */
export function check(ast: Ast, environment: Environment): CheckResult {
  const checker = new Checker(environment);
  const type = checker.resolved(checker.check(ast));
  checker.validateCalls();
  if (checker.issues.length > 0) return { type, issues: checker.issues, checked: undefined };
  return { type, issues: [], checked: checker.result(ast, type) };
}

/** More mistakes than a reader takes in at once are not listed. */
const MAX_ISSUES = 50;

interface Scope {
  readonly name: string;
  readonly type: Type;
  readonly slot: number;
  readonly outer: Scope | undefined;
}

class Checker {
  readonly issues: CelIssue[] = [];
  readonly #environment: Environment;
  readonly #substitution = new Substitution();
  readonly #types = new Map<Ast, Type>();
  readonly #names = new Map<Ast, ResolvedName>();
  readonly #calls = new Map<Ast, ResolvedCall>();
  readonly #fields = new Map<Ast, string>();
  readonly #slots = new Map<Ast, readonly number[]>();
  #slotCount = 0;
  #scope: Scope | undefined;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  resolved(type: Type): Type {
    return this.#substitution.resolve(type, true);
  }

  result(ast: Ast, type: Type): Checked {
    return {
      ast,
      type,
      typeOf: (node) => this.resolved(this.#types.get(node) ?? dynType),
      nameOf: (node) => this.#names.get(node),
      callOf: (node) => this.#calls.get(node),
      fieldOf: (node) => this.#fields.get(node) ?? node.field,
      slotsOf: (node) => this.#slots.get(node) ?? [],
      slots: this.#slotCount,
    };
  }

  /** Lets the libraries look at constant arguments, once all types are known. */
  validateCalls(): void {
    for (const [node, call] of this.#calls) {
      const [only] = call.overloads;
      if (call.overloads.length !== 1 || only?.validate === undefined) continue;
      const args = call.args.map((argument) => this.#describe(argument));
      for (const fault of only.validate(args)) {
        this.#report('argument', fault.message, fault.span ?? node.span, fault.hint);
      }
    }
  }

  check(node: Ast): Type {
    const type = this.#checkNode(node);
    this.#types.set(node, type);
    return type;
  }

  #checkNode(node: Ast): Type {
    switch (node.kind) {
      case 'literal':
        return node.type;
      case 'identifier':
        return this.#checkIdentifier(node);
      case 'select':
        return this.#checkSelect(node);
      case 'has':
        return this.#checkHas(node);
      case 'index':
        return this.#checkIndex(node);
      case 'call':
        return this.#checkCall(node);
      case 'list':
        return listType(this.#joinAll(node.items));
      case 'map': {
        let key: Type | undefined;
        for (const entry of node.entries) key = this.#substitution.join(key, this.check(entry.key));
        return mapType(key ?? this.#substitution.freshParameter(), this.#joinAll(node.entries));
      }
      case 'logic':
        for (const term of node.terms) this.#expectBool(term);
        return boolType;
      case 'conditional':
        return this.#checkConditional(node);
      case 'bind': {
        const value = this.check(node.value);
        return this.#within(node, [[node.name, value]], () => this.check(node.body));
      }
      case 'optionalMap':
        return this.#checkOptionalMap(node);
      case 'comprehension':
        return this.#checkComprehension(node);
      default:
        return node satisfies never;
    }
  }

  #checkIdentifier(node: Ast & { kind: 'identifier' }): Type {
    const found = this.#lookUp(node, node.name, node.absolute);
    if (found !== undefined) return found;
    const candidates = [...this.#scopeNames(), ...this.#environment.variableNames()];
    this.#report('undeclared', `"${node.name}" is not declared`, node.span, suggest(node.name, candidates));
    return errorType;
  }

  /** What a plain or dotted name refers to: a local name, a variable, a type, each in the container first. */
  #lookUp(node: Ast, name: string, absolute: boolean): Type | undefined {
    if (!absolute) {
      for (let scope = this.#scope; scope !== undefined; scope = scope.outer) {
        if (scope.name !== name) continue;
        this.#names.set(node, { kind: 'local', slot: scope.slot });
        return scope.type;
      }
    }
    for (const candidate of absolute ? [name] : this.#candidates(name)) {
      const variable = this.#environment.variable(candidate);
      if (variable !== undefined) {
        this.#names.set(node, { kind: 'variable', name: candidate });
        return variable;
      }
      const type = this.#environment.namedType(candidate);
      if (type !== undefined) {
        this.#names.set(node, { kind: 'type', type });
        return typeType(type);
      }
    }
    return undefined;
  }

  #candidates(name: string): readonly string[] {
    if (this.#environment.container === '') return [name];
    const parts = this.#environment.container.split('.');
    return [...parts.map((_, at) => `${parts.slice(0, parts.length - at).join('.')}.${name}`), name];
  }

  #isLocal(name: string): boolean {
    for (let scope = this.#scope; scope !== undefined; scope = scope.outer) if (scope.name === name) return true;
    return false;
  }

  #scopeNames(): readonly string[] {
    const names: string[] = [];
    for (let scope = this.#scope; scope !== undefined; scope = scope.outer) if (!scope.name.startsWith('@')) names.push(scope.name);
    return names;
  }

  /** A selection that spells a dotted name which is declared as a whole. */
  #lookUpQualified(node: SelectNode): Type | undefined {
    const spelled = spell(node);
    if (spelled === undefined) return undefined;
    const [root = ''] = spelled.name.split('.');
    if (!this.#environment.startsQualified(root) || (!spelled.absolute && this.#isLocal(root))) return undefined;
    return this.#lookUp(node, spelled.name, spelled.absolute);
  }

  #checkSelect(node: SelectNode): Type {
    if (!node.optional) {
      const qualified = this.#lookUpQualified(node);
      if (qualified !== undefined) return qualified;
    }
    const operand = this.#substitution.resolve(this.check(node.operand), false);
    const target = operand.kind === 'optional' ? operand.value : operand;
    const field = this.#fieldType(node, target);
    return operand.kind === 'optional' || node.optional ? optionalType(field) : field;
  }

  #checkHas(node: HasNode): Type {
    const operand = this.#substitution.resolve(this.check(node.operand), false);
    this.#fieldType(node, operand.kind === 'optional' ? operand.value : operand);
    return boolType;
  }

  #fieldType(node: SelectNode | HasNode, target: Type): Type {
    switch (target.kind) {
      case 'map':
        this.#expect(node.operand, target.key, stringType);
        return target.value;
      case 'struct':
        return this.#structField(node, target);
      case 'parameter':
        this.#substitution.assignable(dynType, target);
        return dynType;
      case 'dyn':
      case 'error':
        return target;
      default: {
        const hint = target.kind === 'list' ? 'index it, or take .map(x, x.…)' : undefined;
        this.#report('overload', `${printType(target)} has no fields, so no "${node.field}"`, node.fieldSpan, hint);
        return errorType;
      }
    }
  }

  #structField(node: SelectNode | HasNode, struct: StructType): Type {
    const property = unescapeName(node.field);
    const type = property === undefined ? undefined : struct.field(property);
    if (property !== undefined && type !== undefined) {
      if (property !== node.field) this.#fields.set(node, property);
      return type;
    }
    if (struct.open === true) return dynType;
    const escaped = struct.field(node.field) === undefined ? undefined : escapeName(node.field);
    const names = struct.fieldNames().flatMap((name) => escapeName(name)?.replace(/^__([a-z]+)__$/, '$1') ?? []);
    const hint = escaped === undefined ? suggest(node.field, names) : `write it as "${escaped}"`;
    this.#report('field', `${printType(struct)} has no field "${node.field}"`, node.fieldSpan, hint);
    return errorType;
  }

  #checkIndex(node: IndexNode): Type {
    const operand = this.#substitution.resolve(this.check(node.operand), false);
    const index = this.check(node.index);
    const optional = operand.kind === 'optional' || node.optional;
    const target = operand.kind === 'optional' ? operand.value : operand;
    const element = this.#elementType(node, target, index);
    // Several overloads fit what is unknown, so the result is (as in cel-go), even where it must be an optional.
    if (element.kind === 'dyn' && (target.kind === 'dyn' || target.kind === 'parameter')) return dynType;
    return optional ? optionalType(element) : element;
  }

  #elementType(node: IndexNode, target: Type, index: Type): Type {
    switch (target.kind) {
      case 'list':
        return this.#expect(node.index, index, intType) ? target.element : errorType;
      case 'map':
        return this.#expect(node.index, index, target.key) ? target.value : errorType;
      case 'struct':
        if (target.alsoMap === true) return this.#indexStruct(node, target, index);
        break;
      case 'parameter':
      case 'dyn':
        return dynType;
      case 'error':
        return errorType;
      default:
    }
    const hint = target.kind === 'struct' ? 'select the field: x.field' : 'only lists and maps have an index';
    this.#report('overload', `${printType(target)} has no index`, node.span, hint);
    return errorType;
  }

  #indexStruct(node: IndexNode, struct: StructType, index: Type): Type {
    if (!this.#expect(node.index, index, stringType)) return errorType;
    if (node.index.kind !== 'literal' || typeof node.index.value !== 'string') return valueTypeOf(struct);
    return struct.field(node.index.value) ?? dynType;
  }

  #checkConditional(node: Ast & { kind: 'conditional' }): Type {
    this.#expectBool(node.condition);
    const then = this.check(node.whenTrue);
    const otherwise = this.check(node.whenFalse);
    const result = this.#substitution.freshParameter();
    const agree = this.#substitution.attempt(
      () => this.#substitution.assignable(then, result) && this.#substitution.assignable(otherwise, result),
    );
    if (agree) return this.#substitution.resolve(result, false);
    const [left, right] = [this.resolved(then), this.resolved(otherwise)];
    const hint =
      left.kind === 'null' || right.kind === 'null' ? 'use omit() to leave the field out' : 'wrap one in dyn(...) if both are meant';
    this.#report(
      'overload',
      `both branches must have one type: found ${printType(left)} and ${printType(right)}`,
      node.whenFalse.span,
      hint,
    );
    return errorType;
  }

  #checkOptionalMap(node: Ast & { kind: 'optionalMap' }): Type {
    const target = this.#substitution.resolve(this.check(node.target), false);
    const value = target.kind === 'optional' ? target.value : target.kind === 'error' ? errorType : dynType;
    if (target.kind !== 'optional') this.#expect(node.target, target, optionalType(dynType));
    const body = this.#within(node, [[node.name, value]], () => this.check(node.body));
    if (!node.flat) return optionalType(body);
    const result = this.#substitution.freshParameter();
    const none = optionalType(this.#substitution.freshParameter());
    const fits = this.#substitution.attempt(
      () => this.#substitution.assignable(body, result) && this.#substitution.assignable(none, result),
    );
    if (fits) return result;
    this.#expect(node.body, body, optionalType(dynType));
    return errorType;
  }

  #checkComprehension(node: ComprehensionNode): Type {
    const range = this.#substitution.resolve(this.check(node.range), false);
    const [first, second] = this.#itemTypes(node, range);
    const [name = '', other] = node.names;
    const bound: [string, Type][] =
      other === undefined
        ? [[name, range.kind === 'list' ? second : first]]
        : [
            [name, first],
            [other, second],
          ];
    return this.#within(node, bound, () => {
      if (node.condition !== undefined) this.#expectBool(node.condition);
      switch (node.form) {
        case 'all':
        case 'exists':
        case 'existsOne':
          this.#expectBool(node.body);
          return boolType;
        case 'filter':
          this.#expectBool(node.body);
          return listType(bound[0]?.[1] ?? dynType);
        case 'list':
          return listType(this.check(node.body));
        case 'map':
          return mapType(first, this.check(node.body));
        case 'mapEntry':
          return this.#checkEntry(node.body);
        default:
          return node.form satisfies never;
      }
    });
  }

  /** The index or key and the value of the items; the items of a list are its values, those of a map its keys. */
  #itemTypes(node: ComprehensionNode, range: Type): readonly [Type, Type] {
    switch (range.kind) {
      case 'list':
        return [intType, range.element];
      case 'map':
        return [range.key, range.value];
      case 'parameter':
        this.#substitution.assignable(dynType, range);
        return [dynType, dynType];
      case 'dyn':
        return [dynType, dynType];
      case 'error':
        return [errorType, errorType];
      case 'struct':
        if (range.alsoMap === true) return [stringType, valueTypeOf(range)];
        break;
      default:
    }
    this.#report('overload', `${node.macro} needs a list or a map, found ${printType(range)}`, node.range.span);
    return [errorType, errorType];
  }

  #checkEntry(body: Ast): Type {
    const type = this.check(body);
    const wanted = mapType(this.#substitution.freshParameter(), this.#substitution.freshParameter());
    return this.#expect(body, type, wanted) ? wanted : errorType;
  }

  #checkCall(node: CallNode): Type {
    const namespaced = this.#namespacedFunction(node);
    if (namespaced !== undefined) return this.#resolveCall(node, namespaced, node.args, false);
    const declaration = this.#globalFunction(node);
    const args = node.target === undefined ? node.args : [node.target, ...node.args];
    if (declaration !== undefined) return this.#resolveCall(node, declaration, args, node.target !== undefined);
    return this.#reportUnknownFunction(node);
  }

  /** One mistake, one message: a target that is neither value nor namespace is part of the function's name. */
  #reportUnknownFunction(node: CallNode): Type {
    const usage = macroUsage(node);
    const prefix = node.target === undefined ? undefined : this.#undeclaredPrefix(node.target);
    const target = node.target === undefined || prefix !== undefined ? undefined : this.check(node.target);
    if (usage !== undefined) {
      this.#report('argument', usage, node.span, 'the names of a macro stand before its expression');
      return errorType;
    }
    for (const argument of node.args) this.check(argument);
    if (target?.kind === 'error') return errorType;
    const name = prefix === undefined ? node.name : `${prefix}.${node.name}`;
    const hint = suggest(name, this.#environment.functionNames()) ?? this.#undeclaredHint(prefix);
    this.#report(
      'undeclared',
      `no function "${name}"`,
      prefix === undefined ? node.nameSpan : { start: node.target?.span.start ?? 0, end: node.nameSpan.end },
      hint,
    );
    return errorType;
  }

  /** The dotted name that a target spells, if nothing of that name is declared. */
  #undeclaredPrefix(target: Ast): string | undefined {
    const spelled = spell(target)?.name;
    const [root = ''] = spelled?.split('.') ?? [];
    if (spelled === undefined || this.#isLocal(root)) return undefined;
    const isDeclared = this.#candidates(root).some(
      (name) => this.#environment.variable(name) !== undefined || this.#environment.namedType(name) !== undefined,
    );
    return isDeclared || this.#environment.startsQualified(root) ? undefined : spelled;
  }

  #undeclaredHint(prefix: string | undefined): string | undefined {
    if (prefix === undefined || this.#environment.hasNamespace(prefix)) return undefined;
    const [root = ''] = prefix.split('.');
    const known = suggest(root, [...this.#scopeNames(), ...this.#environment.variableNames()]);
    return known === undefined ? `"${root}" is not declared` : `"${root}" is not declared: ${known}`;
  }

  /** `math.abs(x)`: the target is no value but a namespace. */
  #namespacedFunction(node: CallNode): FunctionDeclaration | undefined {
    const spelled = node.target === undefined ? undefined : spell(node.target);
    if (spelled === undefined) return undefined;
    const name = `${spelled.name}.${node.name}`;
    for (const candidate of this.#candidates(name)) {
      const declaration = this.#environment.functionNamed(candidate);
      if (declaration !== undefined) return declaration;
    }
    return undefined;
  }

  #globalFunction(node: CallNode): FunctionDeclaration | undefined {
    if (node.target !== undefined) return this.#environment.functionNamed(node.name);
    for (const candidate of this.#candidates(node.name)) {
      const declaration = this.#environment.functionNamed(candidate);
      if (declaration !== undefined) return declaration;
    }
    return undefined;
  }

  #resolveCall(node: CallNode, declaration: FunctionDeclaration, args: readonly Ast[], receiver: boolean): Type {
    const types = args.map((argument) => this.check(argument));
    const fitting = fittingOverloads(declaration, types, receiver, this.#substitution);
    if (fitting !== undefined) {
      this.#calls.set(node, { declaration, overloads: fitting.overloads, args, arguments: [] });
      return fitting.result;
    }
    const found = types.map((type) => this.resolved(type));
    if (!found.some((type) => type.kind === 'error')) {
      const mismatch = describeMismatch({ node, declaration, args, types: found, receiver });
      this.#report('overload', mismatch.message, mismatch.span, mismatch.hint);
    }
    return errorType;
  }

  #joinAll(items: readonly { readonly value: Ast; readonly optional: boolean }[]): Type {
    let joined: Type | undefined;
    for (const item of items) {
      let type = this.check(item.value);
      if (item.optional) {
        const known = this.#substitution.resolve(type, false);
        if (known.kind === 'optional') type = known.value;
        else this.#expect(item.value, known, optionalType(known));
      }
      joined = this.#substitution.join(joined, type);
    }
    return joined ?? this.#substitution.freshParameter();
  }

  #expectBool(node: Ast): void {
    this.#expect(node, this.check(node), boolType);
  }

  /** Reports a value of the wrong type; false if it is. */
  #expect(node: Ast, found: Type, wanted: Type): boolean {
    if (this.#substitution.attempt(() => this.#substitution.assignable(found, wanted))) return true;
    const [is, should] = [this.resolved(found), this.resolved(wanted)];
    this.#report('overload', `expected ${printType(should)}, found ${printType(is)}`, node.span, conversionHint(is, should));
    return false;
  }

  /** Checks something with names bound; their slots are given to the node. */
  #within(node: Ast, names: readonly (readonly [string, Type])[], step: () => Type): Type {
    const outer = this.#scope;
    const slots: number[] = [];
    for (const [name, type] of names) {
      const slot = this.#scope === undefined ? 0 : this.#scope.slot + 1;
      this.#scope = { name, type, slot, outer: this.#scope };
      this.#slotCount = Math.max(this.#slotCount, slot + 1);
      slots.push(slot);
    }
    this.#slots.set(node, slots);
    const type = step();
    this.#scope = outer;
    return type;
  }

  #describe(node: Ast): Argument {
    const items =
      node.kind === 'list' && node.items.every((item) => !item.optional) ? node.items.map((item) => this.#describe(item.value)) : undefined;
    return {
      type: this.resolved(this.#types.get(node) ?? dynType),
      literal: node.kind === 'literal' ? node.value : undefined,
      items,
      span: node.span,
    };
  }

  #report(kind: CelIssueKind, message: string, span: Span, hint?: string): void {
    if (this.issues.length >= MAX_ISSUES) return;
    const range = { start: span.start, end: span.end };
    this.issues.push(hint === undefined ? { kind, message, span: range } : { kind, message, hint, span: range });
  }
}

/** The dotted name that a chain of selections spells. */
function spell(node: Ast): { readonly name: string; readonly absolute: boolean } | undefined {
  if (node.kind === 'identifier') return { name: node.name, absolute: node.absolute };
  if (node.kind !== 'select' || node.optional) return undefined;
  const operand = spell(node.operand);
  return operand === undefined ? undefined : { name: `${operand.name}.${node.field}`, absolute: operand.absolute };
}

/** "did you mean …?", or the names there are if they are few. */
function suggest(name: string, candidates: readonly string[]): string | undefined {
  const near = nearest(name, candidates);
  if (near.length > 0) return `did you mean ${near.map((candidate) => `"${candidate}"`).join(' or ')}?`;
  if (candidates.length === 0 || candidates.length > 12) return undefined;
  return `there is ${candidates.map((candidate) => `"${candidate}"`).join(', ')}`;
}

/** How a value of one type becomes one of another. */
export function conversionHint(found: Type, wanted: Type): string | undefined {
  if (found.kind === 'optional' && wanted.kind !== 'optional') return 'take its value with .orValue(...) or .value()';
  if (wanted.kind === 'optional' && found.kind !== 'optional') return 'wrap it in optional.of(...)';
  if (found.kind === 'null' || wanted.kind === 'null') return 'only objects, times, optionals and dyn can be null: test with has(...)';
  switch (wanted.kind) {
    case 'int':
    case 'uint':
    case 'double':
      return ['int', 'uint', 'double', 'string'].includes(found.kind) ? `convert with ${wanted.kind}(...)` : undefined;
    case 'string':
      return ['list', 'map', 'struct', 'null'].includes(found.kind) ? undefined : 'convert with string(...)';
    case 'timestamp':
    case 'duration':
    case 'bytes':
      return found.kind === 'string' ? `convert with ${wanted.kind}(...)` : undefined;
    case 'bool':
      return found.kind === 'string' ? 'convert with bool(...), or compare it' : 'compare it with something';
    case 'list':
      return 'put it in a list: [x]';
    default:
      return undefined;
  }
}
