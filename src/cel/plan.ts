import {
  isPlainRead,
  missingVariable,
  type PathField,
  planField,
  planHas,
  planHasPath,
  planIndex,
  planOptionalField,
  planOptionalIndex,
  planPath,
} from './access.ts';
import { adapterOf, deepAdapterOf, isErased } from './adapt.ts';
import type { Ast, CallNode, HasNode, IndexNode, SelectNode } from './ast.ts';
import type { Budget } from './budget.ts';
import { planCall } from './call.ts';
import type { Checked } from './checked.ts';
import { planLoop } from './comprehension.ts';
import type { Span } from './error.ts';
import type { Argument } from './library/declare.ts';
import { type Operand, planConcat, planOperation } from './operation.ts';
import { constantOf, planList, planMap } from './plan-collection.ts';
import { planOptionalMap, planOptionalMethod, wrap } from './plan-optional.ts';
import type { Planning } from './planning.ts';
import { type Bindings, COST_OF_FAILURE, errorAt, isFinal, located, type MaybeStep, type Step } from './step.ts';
import { type Type, typeName } from './type.ts';
import { Optional, TypeValue, type Value } from './value.ts';

/**
 * A planned expression: evaluates it on the values of its variables. Re-entrant; throws EvaluationError. What it gives may hold objects from
 * the cluster as JSON: read it with the static type (`toJson`, `deepAdapterOf`).
 */
export type Plan = (bindings: Bindings, budget: Budget) => Value;

const NO_LOCALS: Value[] = [];

/** Turns a checked expression into closures, once. */
export function plan(checked: Checked): Plan {
  const step = new Planner(checked).plan(checked.ast);
  const { slots } = checked;
  const whole = checked.ast.span;
  return (bindings, budget) => {
    try {
      return step({ bindings, budget, locals: slots === 0 ? NO_LOCALS : new Array<Value>(slots) });
    } catch (error) {
      if (error instanceof RangeError) throw errorAt('limit', 'the expression or its value nests too deep', whole);
      throw located(error, whole);
    }
  };
}

/** A bound value that could not be computed: an error only where it is used. */
class Failure {
  readonly error: unknown;
  constructor(error: unknown) {
    this.error = error;
  }
}

class Planner implements Planning {
  /** What the checker found out. */
  readonly checked: Checked;

  constructor(checked: Checked) {
    this.checked = checked;
  }

  plan(node: Ast): Step {
    switch (node.kind) {
      case 'literal': {
        const { value } = node;
        return () => value;
      }
      case 'identifier':
        return this.#planName(node) ?? (() => null);
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
          node,
          range: this.plan(node.range),
          rangeType: this.checked.typeOf(node.range),
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
          const [first, second] = [this.planMaybe(node.target), this.planMaybe(node.args[0])];
          return (frame) => first(frame) ?? second(frame);
        }
        break;
      default:
    }
    const step = this.plan(node);
    return (frame) => {
      const value = step(frame);
      if (!(value instanceof Optional)) throw errorAt('overload', 'expected an optional value', node.span);
      return value.value;
    };
  }

  /** A variable, a local name or a type. */
  #planName(node: Ast): Step | undefined {
    const name = this.checked.nameOf(node);
    if (name === undefined) return undefined;
    switch (name.kind) {
      case 'type': {
        const value = new TypeValue(typeName(name.type));
        return () => value;
      }
      case 'local': {
        const { slot } = name;
        return (frame) => {
          const value: unknown = frame.locals[slot];
          if (value instanceof Failure) throw value.error;
          return value as Value;
        };
      }
      case 'variable': {
        const adapt = adapterOf(this.checked.typeOf(node));
        return (frame) => {
          const value = frame.bindings(name.name);
          if (value === undefined) throw missingVariable(name.name, node.span);
          return adapt === undefined ? value : adapt(value, frame.budget);
        };
      }
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
    if (path === undefined || adapterOf(this.checked.typeOf(node)) !== undefined) return undefined;
    return planPath(path.variable, path.span, path.fields);
  }

  #planHas(node: HasNode): Step {
    const path = this.#pathOf(node);
    return path === undefined ? planHas(this.#fieldAccess(node)) : planHasPath(path.variable, path.span, path.fields);
  }

  #pathOf(
    node: SelectNode | HasNode,
  ): { readonly variable: string; readonly span: Span; readonly fields: readonly PathField[] } | undefined {
    const fields: PathField[] = [];
    let at: Ast = node;
    while (at === node || (at.kind === 'select' && !at.optional && this.checked.nameOf(at) === undefined)) {
      const { operand, fieldSpan } = at as SelectNode | HasNode;
      const type = this.checked.typeOf(operand);
      const property = this.checked.fieldOf(at as SelectNode | HasNode);
      if (type.kind === 'optional' || !isPlainRead(type, property) || adapterOf(type) !== undefined) return undefined;
      fields.push({ property, isStruct: type.kind === 'struct', span: fieldSpan });
      at = operand;
    }
    const name = this.checked.nameOf(at);
    return name?.kind === 'variable' ? { variable: name.name, span: at.span, fields: fields.reverse() } : undefined;
  }

  #isOptionalAccess(node: SelectNode | IndexNode): boolean {
    return node.optional || this.checked.typeOf(node.operand).kind === 'optional';
  }

  #fieldAccess(node: SelectNode | HasNode): Parameters<typeof planField>[0] {
    const operandType = this.checked.typeOf(node.operand);
    const optional = operandType.kind === 'optional';
    const type = optional ? operandType.value : operandType;
    const property = this.checked.fieldOf(node);
    const field = type.kind === 'struct' ? type.field(property) : type.kind === 'map' ? type.value : undefined;
    return { operand: this.#operand(node.operand), type, property, adapter: field === undefined ? undefined : adapterOf(field), node };
  }

  #indexAccess(node: IndexNode): Parameters<typeof planIndex>[0] {
    const operandType = this.checked.typeOf(node.operand);
    const type = operandType.kind === 'optional' ? operandType.value : operandType;
    return { operand: this.#operand(node.operand), index: this.plan(node.index), adapter: itemAdapter(type, node), node };
  }

  /** An operand that is optional is read without its wrapper; nothing has no fields. */
  #operand(node: Ast): Step {
    return this.checked.typeOf(node).kind === 'optional' ? (this.planMaybe(node) as Step) : this.plan(node);
  }

  #planCall(node: CallNode): Step {
    const call = this.checked.callOf(node);
    if (call === undefined) return () => null;
    const optional = planOptionalMethod(this, node);
    if (optional !== undefined) return optional;
    const concatenation = this.#concatenation(node);
    if (concatenation !== undefined) return concatenation;
    const types = call.args.map((argument) => this.checked.typeOf(argument));
    const steps = call.args.map((argument) => this.plan(argument));
    const operands = call.args.map((argument, at): Operand => {
      return { step: steps[at] as Step, type: types[at] as Type, constant: constantOf(argument) };
    });
    const operation = planOperation(node, operands);
    if (operation !== undefined) return operation;
    return planCall({ node, call, args: steps, types, described: call.args.map((argument) => this.#describe(argument)) });
  }

  /** A chain of string concatenations is one closure. */
  #concatenation(node: CallNode): Step | undefined {
    if (node.name !== '_+_' || this.checked.typeOf(node).kind !== 'string') return undefined;
    const parts: Ast[] = [];
    let left: Ast = node;
    while (left.kind === 'call' && left.name === '_+_' && this.checked.typeOf(left).kind === 'string') {
      const [first, second]: readonly (Ast | undefined)[] = left.args;
      if (first === undefined || second === undefined) return undefined;
      parts.unshift(second);
      left = first;
    }
    parts.unshift(left);
    return planConcat(
      parts.map((part) => this.plan(part)),
      node,
    );
  }

  #planBind(node: Ast & { kind: 'bind' }): Step {
    const value = this.plan(node.value);
    const body = this.plan(node.body);
    const [slot = 0] = this.checked.slotsOf(node);
    return (frame) => {
      let bound: unknown;
      try {
        bound = value(frame);
      } catch (error) {
        if (isFinal(error)) throw error;
        frame.budget.spend(COST_OF_FAILURE);
        bound = new Failure(error);
      }
      frame.locals[slot] = bound as Value;
      return body(frame);
    };
  }

  /** A node whose value takes a wider type: what its own type says of it is put into the value. */
  planAs(node: Ast, type: Type): Step {
    const step = this.plan(node);
    const own = this.checked.typeOf(node);
    const adapt = isErased(own, type) ? deepAdapterOf(own) : undefined;
    return adapt === undefined ? step : (frame) => adapt(step(frame), frame.budget);
  }

  planMaybeAs(node: Ast, type: Type): MaybeStep {
    const step = this.planMaybe(node);
    const own = this.checked.typeOf(node);
    const adapt = own.kind === 'optional' && isErased(own.value, type) ? deepAdapterOf(own.value) : undefined;
    if (adapt === undefined) return step;
    return (frame) => {
      const value = step(frame);
      return value === undefined ? undefined : adapt(value, frame.budget);
    };
  }

  #planLogic(node: Ast & { kind: 'logic' }): Step {
    const deciding = node.operator === '||';
    const terms = node.terms.map((term) => this.plan(term));
    return (frame) => {
      let failure: unknown;
      for (let at = 0; at < terms.length; at++) {
        try {
          const value = (terms[at] as Step)(frame);
          if (value === deciding) return deciding;
          if (typeof value !== 'boolean')
            failure ??= errorAt('overload', `"${node.operator}" needs bool`, node.terms[at]?.span ?? node.span);
        } catch (error) {
          if (isFinal(error)) throw error;
          failure ??= error;
          frame.budget.spend(COST_OF_FAILURE);
        }
      }
      if (failure !== undefined) throw failure;
      return !deciding;
    };
  }

  #planConditional(node: Ast & { kind: 'conditional' }): Step {
    const type = this.checked.typeOf(node);
    const condition = this.plan(node.condition);
    const then = this.planAs(node.whenTrue, type);
    const otherwise = this.planAs(node.whenFalse, type);
    return (frame) => {
      const value = condition(frame);
      if (value === true) return then(frame);
      if (value === false) return otherwise(frame);
      throw errorAt('overload', 'the condition of "?" is no bool', node.condition.span);
    };
  }

  #describe(node: Ast): Argument {
    const items =
      node.kind === 'list' && node.items.every((item) => !item.optional) ? node.items.map((item) => this.#describe(item.value)) : undefined;
    return { type: this.checked.typeOf(node), literal: node.kind === 'literal' ? node.value : undefined, items, span: node.span };
  }
}

function itemAdapter(type: Type, node: IndexNode): ReturnType<typeof adapterOf> {
  if (type.kind === 'list') return adapterOf(type.element);
  if (type.kind === 'map') return adapterOf(type.value);
  if (type.kind !== 'struct' || node.index.kind !== 'literal' || typeof node.index.value !== 'string') return undefined;
  const field = type.field(node.index.value);
  return field === undefined ? undefined : adapterOf(field);
}
