import type { Ast, CallNode, ComprehensionNode, IndexNode, SelectNode } from './ast.ts';
import type { Checked } from './checked.ts';
import { isOperator, type Signature } from './library/signature.ts';
import { mapParameters, sameType, valueTypeOf } from './relate.ts';
import { dynType, holdsParameter, intType, listType, mapType, optionalType, stringType, type Type } from './type.ts';

/**
 * Whether a call may find a narrower type than its values have: a dyn argument says nothing of a type parameter, and another one decides it
 * (as in cel-go). `dynamicList + [1.5]` is list(double), also if the list holds ints.
 */
export function mayNarrow({ parameters, result }: Signature, types: readonly Type[]): boolean {
  if (!holdsParameter(result)) return false;
  return parameters.some((parameter, at) => {
    const kind = types[at]?.kind;
    return (kind === 'dyn' || kind === 'parameter') && parameter.kind !== 'parameter' && holdsParameter(parameter);
  });
}

/**
 * The types that the values of an expression have, where the checker may have found narrower ones. JSON must be read through these: through
 * a narrower type an int would become a double, and text a time.
 */
export class ValueTypes {
  readonly #checked: Checked;
  /** Only where they are not the checker's. */
  readonly #types = new Map<Ast, Type>();
  readonly #parameters = new Map<Ast, readonly Type[]>();
  readonly #locals = new Map<number, Type>();

  constructor(checked: Checked) {
    this.#checked = checked;
    this.#visit(checked.ast);
  }

  /** The type of a node's values. */
  typeOf(node: Ast): Type {
    return this.#types.get(node) ?? this.#checked.typeOf(node);
  }

  /** What the arguments of a call become, where its values have a wider type than the checker found. */
  parametersOf(node: CallNode): readonly Type[] | undefined {
    return this.#parameters.get(node);
  }

  #visit(node: Ast): Type {
    const own = this.#checked.typeOf(node);
    const type = this.#find(node, own);
    if (sameType(type, own)) return own;
    this.#types.set(node, type);
    return type;
  }

  #find(node: Ast, own: Type): Type {
    switch (node.kind) {
      case 'literal':
        return own;
      case 'identifier':
        return this.#ofName(node, own);
      case 'select':
        return this.#checked.nameOf(node) === undefined ? this.#ofPart(node, own) : this.#ofName(node, own);
      case 'index':
        this.#visit(node.index);
        return this.#ofPart(node, own);
      case 'has':
        this.#visit(node.operand);
        return own;
      case 'call':
        return this.#ofCall(node, own);
      case 'list':
        return own.kind === 'list' ? listType(this.#join(own.element, node.items)) : own;
      case 'map':
        for (const { key } of node.entries) this.#visit(key);
        return own.kind === 'map' ? mapType(own.key, this.#join(own.value, node.entries)) : own;
      case 'logic':
        for (const term of node.terms) this.#visit(term);
        return own;
      case 'conditional':
        this.#visit(node.condition);
        return this.#join(own, [
          { value: node.whenTrue, optional: false },
          { value: node.whenFalse, optional: false },
        ]);
      case 'bind':
        this.#bind(node, [this.#visit(node.value)]);
        return this.#visit(node.body);
      case 'optionalMap': {
        this.#bind(node, [presentType(this.#visit(node.target))]);
        const body = this.#visit(node.body);
        return node.flat ? body : optionalType(body);
      }
      case 'comprehension':
        return this.#ofLoop(node, own);
      default:
        return node satisfies never;
    }
  }

  #ofName(node: Ast, own: Type): Type {
    const name = this.#checked.nameOf(node);
    return name?.kind === 'local' ? (this.#locals.get(name.slot) ?? own) : own;
  }

  #bind(node: Ast, types: readonly Type[]): void {
    for (const [at, slot] of this.#checked.slotsOf(node).entries()) this.#locals.set(slot, types[at] ?? dynType);
  }

  /** A field or an element is read as what holds it says. */
  #ofPart(node: SelectNode | IndexNode, own: Type): Type {
    const holder = presentType(this.#visit(node.operand));
    if (holder.kind !== 'dyn' && sameType(holder, presentType(this.#checked.typeOf(node.operand)))) return own;
    const part = holder.kind === 'list' ? holder.element : holder.kind === 'map' ? holder.value : dynType;
    return own.kind === 'optional' ? optionalType(part) : part;
  }

  /** Of several values in one place, where any of them is wider than the checker found. */
  #join(own: Type, items: readonly { readonly value: Ast; readonly optional: boolean }[]): Type {
    const found = items.map(({ value, optional }) => {
      const type = this.#visit(value);
      return { type: optional ? presentType(type) : type, isSame: sameType(type, this.#checked.typeOf(value)) };
    });
    return found.every(({ isSame }) => isSame) ? own : found.reduce((joined, { type }) => wider(joined, type), own);
  }

  #ofCall(node: CallNode, own: Type): Type {
    const call = this.#checked.callOf(node);
    if (call === undefined) return own;
    const types = call.args.map((argument) => this.#visit(argument));
    const [overload] = call.overloads;
    if (overload === undefined || call.overloads.length > 1) return own;
    const { parameters, result } = overload.signature;
    // An operator takes what comes, a function only what is declared.
    if (!holdsParameter(result))
      return own.kind !== 'bool' && isOperator(node.name) && !types.every((type, at) => sameType(type, parameters[at] ?? dynType))
        ? dynType
        : own;
    const bound = new Map<string, Type>();
    for (const [at, parameter] of parameters.entries()) bindParameters(parameter, types[at] ?? dynType, bound);
    const fill = (type: Type): Type => mapParameters(type, (name) => bound.get(name) ?? dynType);
    const type = fill(result);
    if (sameType(type, own)) return own;
    this.#parameters.set(node, parameters.map(fill));
    return type;
  }

  #ofLoop(node: ComprehensionNode, own: Type): Type {
    const [first, second] = itemTypes(this.#visit(node.range));
    const isList = this.typeOf(node.range).kind === 'list';
    const names = node.names.length > 1 ? [first, second] : [isList ? second : first];
    this.#bind(node, names);
    if (node.condition !== undefined) this.#visit(node.condition);
    const body = this.#visit(node.body);
    switch (node.form) {
      case 'filter':
        return listType(names[0] ?? dynType);
      case 'list':
        return listType(body);
      case 'map':
        return mapType(first, body);
      case 'mapEntry':
        return body;
      default:
        return own;
    }
  }
}

function presentType(type: Type): Type {
  return type.kind === 'optional' ? type.value : type;
}

/** As the checker finds them, of a range that it has found right. */
function itemTypes(range: Type): readonly [Type, Type] {
  switch (range.kind) {
    case 'list':
      return [intType, range.element];
    case 'map':
      return [range.key, range.value];
    case 'struct':
      return [stringType, valueTypeOf(range)];
    default:
      return [dynType, dynType];
  }
}

/** What a type says of the parameters of a signature's type; where it is dyn, so are they. */
function bindParameters(parameter: Type, type: Type, bound: Map<string, Type>): void {
  if (parameter.kind === 'parameter') {
    const known = bound.get(parameter.name);
    bound.set(parameter.name, known === undefined ? type : wider(known, type));
  } else if (parameter.kind === 'list') {
    bindParameters(parameter.element, type.kind === 'list' ? type.element : dynType, bound);
  } else if (parameter.kind === 'optional') {
    bindParameters(parameter.value, type.kind === 'optional' ? type.value : dynType, bound);
  } else if (parameter.kind === 'map') {
    const [key, value] = type.kind === 'map' || type.kind === 'struct' ? itemTypes(type) : [dynType, dynType];
    bindParameters(parameter.key, key, bound);
    bindParameters(parameter.value, value, bound);
  }
}

/** The type of values of either type: dyn where they differ. */
function wider(a: Type, b: Type): Type {
  if (sameType(a, b)) return a;
  if (a.kind === 'list' && b.kind === 'list') return listType(wider(a.element, b.element));
  if (a.kind === 'map' && b.kind === 'map') return mapType(wider(a.key, b.key), wider(a.value, b.value));
  if (a.kind === 'optional' && b.kind === 'optional') return optionalType(wider(a.value, b.value));
  return dynType;
}
