import {
  type FieldAccess,
  type IndexAccess,
  isPlainRead,
  planField,
  planHas,
  planHasPath,
  planIndex,
  planOptionalField,
  planOptionalIndex,
  planPath,
  VariablePath,
} from './access.ts';
import { adapterOf, deepAdapterOf, isErased } from './adapt.ts';
import type { Ast, CallNode, HasNode, IndexNode, SelectNode } from './ast.ts';
import type { Budget } from './budget.ts';
import { planCall } from './call.ts';
import type { Checked } from './checked.ts';
import { planLoop } from './comprehension.ts';
import type { Argument } from './library/declare.ts';
import { type Operand, planConcat, planOperation } from './operation.ts';
import { constantOf, planList, planMap } from './plan-collection.ts';
import { presentValue, stepOfBind, stepOfConditional, stepOfLocal, stepOfLogic, stepOfVariable, yielding } from './plan-control.ts';
import { firstOf, planOptionalMap, planOptionalMethod, wrap } from './plan-optional.ts';
import type { Planning } from './planning.ts';
import { adapted, type Bindings, errorAt, located, type MaybeStep, maybeAdapted, type Step } from './step.ts';
import type { Stretch } from './stretch.ts';
import { dropsNull, type Type, typeName } from './type.ts';
import { TypeValue, type Value } from './value.ts';

/**
 * A planned expression: evaluates it on the values of its variables. Re-entrant; throws EvaluationError. What it gives may hold objects from
 * the cluster as JSON: read it with the static type (`toJson`, `deepAdapterOf`).
 */
export type Plan = (bindings: Bindings, budget: Budget) => Value;

const NO_LOCALS: Value[] = [];

/**
 * Turns a checked expression into closures, once. They keep nothing of the AST and of what the checker found out: every closure is made by a
 * function that is given what the closure reads and no more, for V8 keeps whatever any closure of a scope has captured.
 */
export function plan(checked: Checked): Plan {
  return planOf(new Planner(checked).plan(checked.ast), checked.slots, checked.ast.span);
}

function planOf(step: Step, slots: number, whole: Stretch): Plan {
  return (bindings, budget) => {
    try {
      return step({ bindings, budget, locals: slots === 0 ? NO_LOCALS : new Array<Value>(slots) });
    } catch (error) {
      if (error instanceof RangeError) throw errorAt('limit', 'the expression or its value nests too deep', whole);
      throw located(error, whole);
    }
  };
}

class Planner implements Planning {
  /** What the checker found out. */
  readonly checked: Checked;

  constructor(checked: Checked) {
    this.checked = checked;
  }

  plan(node: Ast): Step {
    switch (node.kind) {
      case 'literal':
        return yielding(node.value);
      case 'identifier':
        return this.#planName(node) ?? yielding(null);
      case 'select':
        return this.#planName(node) ?? this.#planSelect(node);
      case 'has':
        return this.#planHas(node);
      case 'index':
        if (this.#isOptionalAccess(node)) return wrap(this.planMaybe(node));
        return planIndex(this.#indexAccess(node));
      case 'call':
        return this.#planCall(node);
      case 'list':
        return planList(this, node);
      case 'map':
        return planMap(this, node);
      case 'logic':
        return this.#planLogic(node);
      case 'conditional':
        return this.#planConditional(node);
      case 'bind':
        return this.#planBind(node);
      case 'optionalMap':
        return wrap(this.planMaybe(node));
      case 'comprehension':
        return planLoop({
          form: node.form,
          macro: node.macro,
          rangeSpan: node.range.span,
          conditionSpan: node.condition?.span ?? node.span,
          bodySpan: node.body.span,
          range: this.plan(node.range),
          rangeType: this.checked.valueTypeOf(node.range),
          condition: node.condition === undefined ? undefined : this.plan(node.condition),
          body: this.plan(node.body),
          slots: this.checked.slotsOf(node),
        });
      default:
        return node satisfies never;
    }
  }

  /** A node whose value is optional, without making the Optional: undefined is none. */
  planMaybe(node: Ast): MaybeStep {
    switch (node.kind) {
      case 'select':
        if (this.#isOptionalAccess(node)) return planOptionalField(this.#fieldAccess(node));
        break;
      case 'index':
        if (this.#isOptionalAccess(node)) return planOptionalIndex(this.#indexAccess(node));
        break;
      case 'optionalMap':
        return planOptionalMap(this, node);
      case 'call':
        if (node.name === 'or' && node.target !== undefined && node.args[0] !== undefined) {
          const type = this.checked.valueTypeOf(node);
          const value = type.kind === 'optional' ? type.value : type;
          return firstOf(this.planMaybeAs(node.target, value), this.planMaybeAs(node.args[0], value));
        }
        break;
      default:
    }
    return presentValue(this.plan(node), node.span);
  }

  /** A variable, a local name or a type. */
  #planName(node: Ast): Step | undefined {
    const name = this.checked.nameOf(node);
    if (name === undefined) return undefined;
    switch (name.kind) {
      case 'type':
        return yielding(new TypeValue(typeName(name.type)));
      case 'local':
        return stepOfLocal(name.slot);
      case 'variable':
        return stepOfVariable(name.name, node.span, adapterOf(this.checked.valueTypeOf(node)));
      default:
        return name satisfies never;
    }
  }

  #planSelect(node: SelectNode): Step {
    if (this.#isOptionalAccess(node)) return wrap(this.planMaybe(node));
    return this.#planPath(node) ?? planField(this.#fieldAccess(node));
  }

  /** A path of plain fields from a variable, none of which needs to be adapted. */
  #planPath(node: SelectNode): Step | undefined {
    const path = this.#pathOf(node);
    if (path === undefined || adapterOf(this.checked.valueTypeOf(node)) !== undefined) return undefined;
    return planPath(path);
  }

  #planHas(node: HasNode): Step {
    const path = this.#pathOf(node);
    return path === undefined ? planHas(this.#fieldAccess(node)) : planHasPath(path);
  }

  /** `after`: how many fields follow, so that the list is made at once and no longer than it must be. */
  #pathOf(node: SelectNode | HasNode, after = 0): VariablePath | undefined {
    const { operand, fieldSpan: place } = node;
    const type = this.checked.valueTypeOf(operand);
    const property = this.checked.fieldOf(node);
    if (type.kind === 'optional' || !isPlainRead(type, property) || adapterOf(type) !== undefined) return undefined;
    const isSelection = operand.kind === 'select' && !operand.optional && this.checked.nameOf(operand) === undefined;
    const path = isSelection ? this.#pathOf(operand, after + 1) : this.#variablePath(operand, after + 1);
    path?.setField(path.length - 1 - after, { property, dropsNull: dropsNull(type, property), place });
    return path;
  }

  #variablePath(node: Ast, length: number): VariablePath | undefined {
    const name = this.checked.nameOf(node);
    return name?.kind === 'variable' ? new VariablePath(name.name, node.span, length) : undefined;
  }

  #isOptionalAccess(node: SelectNode | IndexNode): boolean {
    return node.optional || this.checked.valueTypeOf(node.operand).kind === 'optional';
  }

  #fieldAccess(node: SelectNode | HasNode): FieldAccess {
    const operandType = this.checked.valueTypeOf(node.operand);
    const optional = operandType.kind === 'optional';
    const type = optional ? operandType.value : operandType;
    const property = this.checked.fieldOf(node);
    const field = type.kind === 'struct' ? type.field(property) : type.kind === 'map' ? type.value : undefined;
    const adapter = field === undefined ? undefined : adapterOf(field);
    return { operand: this.#operand(node.operand), type, property, adapter, span: node.fieldSpan };
  }

  #indexAccess(node: IndexNode): IndexAccess {
    const operandType = this.checked.valueTypeOf(node.operand);
    const type = operandType.kind === 'optional' ? operandType.value : operandType;
    return {
      operand: this.#operand(node.operand),
      index: this.plan(node.index),
      adapter: itemAdapter(type, node),
      span: node.span,
      indexSpan: node.index.span,
      isSpelled: node.index.kind === 'literal',
    };
  }

  /** An operand that is optional is read without its wrapper; nothing has no fields. */
  #operand(node: Ast): Step {
    return this.checked.valueTypeOf(node).kind === 'optional' ? (this.planMaybe(node) as Step) : this.plan(node);
  }

  #planCall(node: CallNode): Step {
    const call = this.checked.callOf(node);
    if (call === undefined) return yielding(null);
    const optional = planOptionalMethod(this, node);
    if (optional !== undefined) return optional;
    const concatenation = this.#concatenation(node);
    if (concatenation !== undefined) return concatenation;
    const widened = this.checked.parametersOf(node);
    const operands = call.args.map((argument, at): Operand => {
      const wanted = widened?.[at];
      const step = wanted === undefined ? this.plan(argument) : this.planAs(argument, wanted);
      return { step, type: wanted ?? this.checked.valueTypeOf(argument), constant: constantOf(argument) };
    });
    const operation = planOperation(node, operands);
    if (operation !== undefined) return operation;
    const args = operands.map(({ step }) => step);
    const types = operands.map(({ type }) => type);
    return planCall({ span: node.span, call, args, types, describe: () => call.args.map((argument) => this.#describe(argument)) });
  }

  /** A chain of string concatenations is one closure. */
  #concatenation(node: CallNode): Step | undefined {
    if (node.name !== '_+_' || this.checked.valueTypeOf(node).kind !== 'string') return undefined;
    const parts: Ast[] = [];
    let left: Ast = node;
    while (left.kind === 'call' && left.name === '_+_' && this.checked.valueTypeOf(left).kind === 'string') {
      const [first, second]: readonly (Ast | undefined)[] = left.args;
      if (first === undefined || second === undefined) return undefined;
      parts.unshift(second);
      left = first;
    }
    parts.unshift(left);
    return planConcat(
      parts.map((part) => this.plan(part)),
      node.span,
    );
  }

  #planBind(node: Ast & { kind: 'bind' }): Step {
    const value = this.plan(node.value);
    const [slot = 0] = this.checked.slotsOf(node);
    return stepOfBind(value, this.plan(node.body), slot);
  }

  /** A node whose value takes a wider type: what its own type says of it is put into the value. */
  planAs(node: Ast, type: Type): Step {
    const own = this.checked.valueTypeOf(node);
    return adapted(this.plan(node), isErased(own, type) ? deepAdapterOf(own) : undefined);
  }

  planMaybeAs(node: Ast, type: Type): MaybeStep {
    const own = this.checked.valueTypeOf(node);
    const isLost = own.kind === 'optional' && isErased(own.value, type);
    return maybeAdapted(this.planMaybe(node), isLost ? deepAdapterOf(own.value) : undefined);
  }

  #planLogic(node: Ast & { kind: 'logic' }): Step {
    const terms = node.terms.map((term) => ({ step: this.plan(term), span: term.span }));
    return stepOfLogic(node.operator, terms);
  }

  #planConditional(node: Ast & { kind: 'conditional' }): Step {
    const type = this.checked.valueTypeOf(node);
    return stepOfConditional({
      condition: this.plan(node.condition),
      span: node.condition.span,
      whenTrue: this.planAs(node.whenTrue, type),
      whenFalse: this.planAs(node.whenFalse, type),
    });
  }

  #describe(node: Ast): Argument {
    const items = node.kind === 'list' ? node.items.map((item) => this.#describe(item.value)) : undefined;
    return { type: this.checked.valueTypeOf(node), literal: node.kind === 'literal' ? node.value : undefined, items, span: node.span };
  }
}

function itemAdapter(type: Type, node: IndexNode): ReturnType<typeof adapterOf> {
  if (type.kind === 'list') return adapterOf(type.element);
  if (type.kind === 'map') return adapterOf(type.value);
  if (type.kind !== 'struct' || node.index.kind !== 'literal' || typeof node.index.value !== 'string') return undefined;
  const field = type.field(node.index.value);
  return field === undefined ? undefined : adapterOf(field);
}
