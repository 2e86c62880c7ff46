import type { Ast, ComprehensionNode } from './ast.ts';
import type { Checking } from './checking.ts';
import { valueTypeOf } from './relate.ts';
import { boolType, dynType, errorType, holdsError, intType, listType, mapType, printType, stringType, type Type } from './type.ts';

/** The type of what a loop makes, with the types of its names from its range. */
export function checkComprehension(checking: Checking, node: ComprehensionNode): Type {
  const range = checking.checkNow(node.range);
  const [first, second] = itemTypes(checking, node, range);
  const [name = '', other] = node.names;
  const bound: [string, Type][] =
    other === undefined
      ? [[name, range.kind === 'list' ? second : first]]
      : [
          [name, first],
          [other, second],
        ];
  return checking.within(node, bound, () => {
    if (node.condition !== undefined) checking.expectBool(node.condition);
    switch (node.form) {
      case 'all':
      case 'exists':
      case 'existsOne':
        checking.expectBool(node.body);
        return boolType;
      case 'filter':
        checking.expectBool(node.body);
        return listType(bound[0]?.[1] ?? dynType);
      case 'list':
        return listType(checking.check(node.body));
      case 'map':
        return mapType(first, checking.check(node.body));
      case 'mapEntry':
        return checkEntry(checking, node.body);
      default:
        return node.form satisfies never;
    }
  });
}

/** The index or key and the value of the items; the items of a list are its values, those of a map its keys. */
function itemTypes(checking: Checking, node: ComprehensionNode, range: Type): readonly [Type, Type] {
  switch (range.kind) {
    case 'list':
      return [intType, range.element];
    case 'map':
      return [range.key, range.value];
    case 'parameter':
      checking.substitution.assignable(dynType, range);
      return [dynType, dynType];
    case 'dyn':
      return [dynType, dynType];
    case 'struct':
      if (range.alsoMap === true) return [stringType, valueTypeOf(range)];
      break;
    default:
  }
  if (!holdsError(range)) checking.report('overload', `${node.macro} needs a list or a map, found ${printType(range)}`, node.range.span);
  return [errorType, errorType];
}

function checkEntry(checking: Checking, body: Ast): Type {
  const type = checking.check(body);
  const wanted = mapType(checking.substitution.freshParameter(), checking.substitution.freshParameter());
  return checking.expect(body, type, wanted) ? wanted : errorType;
}
