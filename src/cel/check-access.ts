import type { HasNode, IndexNode, SelectNode } from './ast.ts';
import type { Checking } from './checking.ts';
import { escapeName, unescapeName } from './escape.ts';
import { functionHabits } from './habits.ts';
import { suggest } from './hint.ts';
import { valueTypeOf } from './relate.ts';
import { rootOf, spell } from './spell.ts';
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
} from './type.ts';

/** The type of `x.field` and `x.?field`, or of a dotted name that is declared as a whole. */
export function checkSelect(checking: Checking, node: SelectNode): Type {
  if (!node.optional) {
    const qualified = lookUpQualified(checking, node);
    if (qualified !== undefined) return qualified;
  }
  const operand = checking.checkNow(node.operand);
  const target = operand.kind === 'optional' ? operand.value : operand;
  const field = fieldType(checking, node, target);
  return operand.kind === 'optional' || node.optional ? optionalType(field) : field;
}

/** `has(x.field)` is bool; the field must be one that may be there. */
export function checkHas(checking: Checking, node: HasNode): Type {
  const operand = checking.checkNow(node.operand);
  fieldType(checking, node, operand.kind === 'optional' ? operand.value : operand);
  return boolType;
}

/** The type of `x[index]` and `x[?index]`. */
export function checkIndex(checking: Checking, node: IndexNode): Type {
  const operand = checking.checkNow(node.operand);
  const index = checking.check(node.index);
  if (isAmbiguous(operand, checking.resolved(index))) return dynType;
  const target = operand.kind === 'optional' ? operand.value : operand;
  // Null is assignable to an optional, whose index is declared: as in cel-go an error of the evaluation.
  const element = operand.kind === 'null' ? checking.substitution.freshParameter() : elementType(checking, node, target, index);
  return node.optional || operand.kind === 'optional' || operand.kind === 'null' ? optionalType(element) : element;
}

/**
 * Whether several overloads fit an operand of which the type says little, so that the result is dyn (as in cel-go) even where it must be an
 * optional. What is an optional for sure, and null is assignable to one, has an index only as a list in it or as a map in it.
 */
function isAmbiguous(operand: Type, index: Type): boolean {
  if (operand.kind === 'dyn') return true;
  const isOptional = operand.kind === 'null' || (operand.kind === 'optional' && operand.value.kind === 'dyn');
  return isOptional && mayBePosition(index);
}

function mayBePosition(index: Type): boolean {
  return index.kind === 'int' || index.kind === 'dyn';
}

/** A selection that spells a dotted name which is declared as a whole. */
function lookUpQualified(checking: Checking, node: SelectNode): Type | undefined {
  const root = rootOf(node);
  if (root === undefined || !checking.environment.startsQualified(root)) return undefined;
  const spelled = spell(node);
  if (spelled === undefined || (!spelled.absolute && checking.isLocal(root))) return undefined;
  return checking.lookUp(node, spelled.name, spelled.absolute);
}

function fieldType(checking: Checking, node: SelectNode | HasNode, target: Type): Type {
  switch (target.kind) {
    case 'map':
      // As in cel-go, whatever the keys are: a name that is none of them is missing.
      return target.value;
    case 'struct':
      return structField(checking, node, target);
    case 'parameter':
      checking.substitution.assignable(dynType, target);
      return dynType;
    case 'dyn':
    case 'error':
      return target;
    default: {
      const hint =
        methodHint(checking, node.field, target) ??
        functionHabits.get(node.field) ??
        (target.kind === 'list' ? 'index it, or take .map(x, x.…)' : undefined);
      checking.report('overload', `${printType(target)} has no fields, so no "${node.field}"`, node.fieldSpan, hint);
      return errorType;
    }
  }
}

function methodHint(checking: Checking, name: string, target: Type): string | undefined {
  const overloads = checking.environment.functionNamed(name)?.overloads ?? [];
  const isMethod = overloads.some(({ signature }) => signature.receiver && signature.parameters[0]?.kind === target.kind);
  return isMethod ? `it is a function: x.${name}(...)` : undefined;
}

/** Of more fields the rest is not searched for a name that is near. */
const MOST_NAMED = 1000;

function structField(checking: Checking, node: SelectNode | HasNode, struct: StructType): Type {
  const property = unescapeName(node.field);
  const type = property === undefined ? undefined : struct.field(property);
  if (property !== undefined && type !== undefined) {
    if (property !== node.field) checking.noteField(node, property);
    return type;
  }
  if (struct.open === true) return dynType;
  const escaped = struct.field(node.field) === undefined ? undefined : escapeName(node.field);
  const fields = struct.fieldNames().slice(0, MOST_NAMED);
  const names = fields.flatMap((name) => escapeName(name)?.replace(/^__([a-z]+)__$/, '$1') ?? []);
  const hint = escaped === undefined ? suggest(node.field, names) : `write it as "${escaped}"`;
  checking.report('field', `${printType(struct)} has no field "${node.field}"`, node.fieldSpan, hint);
  return errorType;
}

function elementType(checking: Checking, node: IndexNode, target: Type, index: Type): Type {
  switch (target.kind) {
    case 'list':
      return checking.expect(node.index, index, intType) ? target.element : errorType;
    case 'map':
      return checking.expect(node.index, index, target.key) ? target.value : errorType;
    case 'struct':
      if (target.alsoMap === true) return indexStruct(checking, node, target, index);
      break;
    case 'dyn':
      // Only one overload fits, and it says nothing of its values: what is made of them decides (as in cel-go).
      checking.noteNarrowing();
      return checking.substitution.freshParameter();
    case 'parameter': {
      const element = checking.substitution.freshParameter();
      const container = mayBePosition(checking.resolved(index)) ? listType(element) : mapType(index, element);
      checking.substitution.assignable(target, container);
      return element;
    }
    case 'error':
      return errorType;
    default:
  }
  const hint = target.kind === 'struct' ? 'select the field: x.field' : 'only lists and maps have an index';
  checking.report('overload', `${printType(target)} has no index`, node.span, hint);
  return errorType;
}

function indexStruct(checking: Checking, node: IndexNode, struct: StructType, index: Type): Type {
  if (!checking.expect(node.index, index, stringType)) return errorType;
  if (node.index.kind !== 'literal' || typeof node.index.value !== 'string') return valueTypeOf(struct);
  return struct.field(node.index.value) ?? dynType;
}
