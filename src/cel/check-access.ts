import type { HasNode, IndexNode, SelectNode } from './ast.ts';
import type { Checking } from './checking.ts';
import { escapeName, unescapeName } from './escape.ts';
import { functionHabits } from './habits.ts';
import { suggest } from './hint.ts';
import { valueTypeOf } from './relate.ts';
import { rootOf, spell } from './spell.ts';
import { boolType, dynType, errorType, intType, optionalType, printType, type StructType, stringType, type Type } from './type.ts';

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
  const optional = operand.kind === 'optional' || node.optional;
  const target = operand.kind === 'optional' ? operand.value : operand;
  const element = elementType(checking, node, target, index);
  // Several overloads fit what is unknown, so the result is (as in cel-go), even where it must be an optional.
  if (target.kind === 'null') return checking.resolved(index).kind === 'string' ? optionalType(dynType) : dynType;
  const isUnknown = target.kind === 'dyn' || (target.kind === 'parameter' && operand.kind !== 'optional');
  if (element.kind === 'dyn' && isUnknown) return dynType;
  return optional ? optionalType(element) : element;
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
      const hint = functionHabits.get(node.field) ?? (target.kind === 'list' ? 'index it, or take .map(x, x.…)' : undefined);
      checking.report('overload', `${printType(target)} has no fields, so no "${node.field}"`, node.fieldSpan, hint);
      return errorType;
    }
  }
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
    // Null is assignable to an optional, whose index is declared: as in cel-go an error of the evaluation.
    case 'null':
    case 'parameter':
    case 'dyn':
      return dynType;
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
