import {
  dynType,
  holdsParameter,
  listType,
  mapType,
  type OpaqueType,
  optionalType,
  parameterType,
  type StructType,
  stringType,
  type Type,
  typeType,
  weightOf,
} from './type.ts';

/** So much may be compared to find the types of one expression: it may make a large type of small ones, again and again (graph.md 15). */
const MOST_WORK = 1_000_000;

/** Ends the checking of an expression whose types are too large to be compared; caught by `check`. */
export class TypesTooLarge extends Error {
  override readonly name = 'TypesTooLarge';
}

/**
 * What the type parameters of one expression have been found to stand for, and how types relate under that: the rules of cel-go's
 * checker. `assignable` learns; a failed attempt leaves nothing behind when it is made through `attempt`.
 */
export class Substitution {
  #bound: Map<string, Type> | undefined;
  /** What was known before each thing learnt in the attempts that run. */
  readonly #journal: { readonly name: string; readonly type: Type | undefined }[] = [];
  #attempts = 0;
  #fresh = 0;
  #work = 0;

  /** What has been compared so far, in types. */
  get work(): number {
    return this.#work;
  }

  /** So many types are about to be looked at. */
  spend(types: number): void {
    this.#work += types;
    if (this.#work > MOST_WORK) throw new TypesTooLarge();
  }

  /** A type parameter that nothing is known of yet: the element of `[]`. */
  freshParameter(): Type {
    return parameterType(`_${this.#fresh++}`);
  }

  /** Runs a step that may learn; forgets what it learnt if it fails. */
  attempt(step: () => boolean): boolean {
    const before = this.#journal.length;
    this.#attempts++;
    const holds = step();
    this.#attempts--;
    if (!holds) {
      for (const { name, type } of this.#journal.splice(before).reverse()) {
        if (type === undefined) this.#bound?.delete(name);
        else this.#bound?.set(name, type);
      }
    } else if (this.#attempts === 0) this.#journal.length = 0;
    return holds;
  }

  #learn(name: string, type: Type): void {
    if (this.#attempts > 0) this.#journal.push({ name, type: this.#bound?.get(name) });
    this.#bound ??= new Map();
    this.#bound.set(name, type);
  }

  /** A signature's types with its parameters replaced by fresh ones. */
  instantiate(types: readonly Type[]): readonly Type[] {
    const names = new Map<string, Type>();
    const replace = (name: string): Type => {
      const known = names.get(name) ?? this.freshParameter();
      names.set(name, known);
      return known;
    };
    return types.map((type) => mapParameters(type, (parameter) => replace(parameter)));
  }

  /** The type with all that is known filled in; what is still free becomes dyn if `final`. */
  resolve(type: Type, final: boolean): Type {
    if (!holdsParameter(type)) return type;
    this.spend(weightOf(type));
    return mapParameters(type, (name) => {
      const bound = this.#bound?.get(name);
      if (bound !== undefined) return this.resolve(bound, final);
      return final ? dynType : parameterType(name);
    });
  }

  /** Whether a value of type `from` may stand where `to` is asked for. */
  assignable(from: Type, to: Type): boolean {
    if (from === to && from.kind !== 'parameter') return true;
    this.spend(1);
    if (to.kind === 'parameter') {
      const outcome = this.#bind(from, to.name);
      if (outcome !== 'unknown') return outcome;
    }
    if (from.kind === 'parameter') return this.#bind(to, from.name) === true;
    if (isOpen(from) || isOpen(to)) return true;
    if (from.kind === 'null') return isNullable(to);
    if (to.kind === 'null') return isNullable(from);
    if (from.kind === 'struct' || to.kind === 'struct') return this.#relateStructs(from, to);
    switch (from.kind) {
      case 'list':
        return to.kind === 'list' && this.assignable(from.element, to.element);
      case 'map':
        return to.kind === 'map' && this.assignable(from.key, to.key) && this.assignable(from.value, to.value);
      case 'optional':
        return to.kind === 'optional' && this.assignable(from.value, to.value);
      case 'opaque':
        return to.kind === 'opaque' && to.name === from.name && pairwise(from, to, (a, b) => this.assignable(a, b));
      default:
        return from.kind === to.kind;
    }
  }

  /** The type of a list or map literal's elements when one more is added: dyn where they do not agree. */
  join(previous: Type | undefined, next: Type): Type {
    if (previous === undefined || previous === next) return next;
    this.spend(weightOf(previous));
    return this.attempt(() => this.assignable(previous, next)) ? mostGeneral(previous, next) : dynType;
  }

  /** true: bound; false: bound to something else already; 'unknown': it could not be bound this way round. */
  #bind(type: Type, name: string): boolean | 'unknown' {
    if (type.kind === 'parameter' && type.name === name) return true;
    const bound = this.#bound?.get(name);
    if (bound === undefined) {
      if (this.#mentions(type, name)) return 'unknown';
      this.#learn(name, type);
      return true;
    }
    if (type === bound) return true;
    this.spend(weightOf(bound));
    if (sameType(type, bound)) return true;
    if (!this.assignable(type, bound)) return false;
    const general = mostGeneral(type, bound);
    if (!this.#mentions(general, name)) this.#learn(name, general);
    return true;
  }

  #mentions(type: Type, name: string): boolean {
    if (!holdsParameter(type)) return false;
    this.spend(1);
    switch (type.kind) {
      case 'parameter': {
        if (type.name === name) return true;
        const bound = this.#bound?.get(type.name);
        return bound !== undefined && this.#mentions(bound, name);
      }
      case 'list':
        return this.#mentions(type.element, name);
      case 'map':
        return this.#mentions(type.key, name) || this.#mentions(type.value, name);
      case 'optional':
        return this.#mentions(type.value, name);
      case 'type':
        return type.of !== undefined && this.#mentions(type.of, name);
      case 'opaque':
        return type.parameters?.some((parameter) => this.#mentions(parameter, name)) ?? false;
      default:
        return false;
    }
  }

  #relateStructs(from: Type, to: Type): boolean {
    if (from.kind === 'struct' && to.kind === 'struct') return sameStruct(from, to);
    const struct = from.kind === 'struct' ? from : (to as StructType);
    const other = from.kind === 'struct' ? to : from;
    if (struct.alsoMap !== true || other.kind !== 'map') return false;
    return this.assignable(stringType, other.key) && this.assignable(valueTypeOf(struct), other.value);
  }
}

/** The type of the values of a struct that is also a map: the one type of its fields, dyn if they differ. */
export function valueTypeOf(struct: StructType): Type {
  let common: Type | undefined;
  for (const name of struct.fieldNames()) {
    const field = struct.field(name);
    if (field === undefined) continue;
    if (common !== undefined && !sameType(common, field)) return dynType;
    common = field;
  }
  return struct.open === true ? dynType : (common ?? dynType);
}

/** Whether two types are one. */
export function sameType(a: Type, b: Type): boolean {
  if (a === b) return true;
  switch (a.kind) {
    case 'list':
      return b.kind === 'list' && sameType(a.element, b.element);
    case 'map':
      return b.kind === 'map' && sameType(a.key, b.key) && sameType(a.value, b.value);
    case 'optional':
      return b.kind === 'optional' && sameType(a.value, b.value);
    case 'struct':
      return b.kind === 'struct' && sameStruct(a, b);
    case 'opaque':
      return b.kind === 'opaque' && a.name === b.name && pairwise(a, b, sameType);
    case 'parameter':
      return b.kind === 'parameter' && a.name === b.name;
    case 'type':
      return b.kind === 'type';
    default:
      return a.kind === b.kind;
  }
}

function sameStruct(a: StructType, b: StructType): boolean {
  return a === b || (a.name !== '' && a.name === b.name);
}

/** Of two types that agree, the one that says less. */
function mostGeneral(a: Type, b: Type): Type {
  return isEqualOrLessSpecific(a, b) ? a : b;
}

function isEqualOrLessSpecific(a: Type, b: Type): boolean {
  if (a.kind === 'dyn' || a.kind === 'error' || a.kind === 'parameter') return true;
  if (b.kind === 'dyn' || b.kind === 'error' || b.kind === 'parameter') return false;
  switch (a.kind) {
    case 'list':
      return b.kind === 'list' && isEqualOrLessSpecific(a.element, b.element);
    case 'map':
      return b.kind === 'map' && isEqualOrLessSpecific(a.key, b.key) && isEqualOrLessSpecific(a.value, b.value);
    case 'optional':
      return b.kind === 'optional' && isEqualOrLessSpecific(a.value, b.value);
    case 'opaque':
      return b.kind === 'opaque' && a.name === b.name && pairwise(a, b, isEqualOrLessSpecific);
    default:
      return sameType(a, b);
  }
}

function pairwise(a: OpaqueType, b: OpaqueType, holds: (a: Type, b: Type) => boolean): boolean {
  const [left, right] = [a.parameters ?? [], b.parameters ?? []];
  return left.length === right.length && left.every((type, at) => holds(type, right[at] ?? dynType));
}

/** Whether null may stand for a value of this type. */
function isNullable(type: Type): boolean {
  return ['null', 'struct', 'timestamp', 'duration', 'optional', 'opaque'].includes(type.kind);
}

function isOpen(type: Type): boolean {
  return type.kind === 'dyn' || type.kind === 'error';
}

/** A type with each of its parameters replaced. */
export function mapParameters(type: Type, replace: (name: string) => Type): Type {
  if (!holdsParameter(type)) return type;
  switch (type.kind) {
    case 'parameter':
      return replace(type.name);
    case 'list': {
      const element = mapParameters(type.element, replace);
      return element === type.element ? type : listType(element);
    }
    case 'map': {
      const key = mapParameters(type.key, replace);
      const value = mapParameters(type.value, replace);
      return key === type.key && value === type.value ? type : mapType(key, value);
    }
    case 'optional': {
      const value = mapParameters(type.value, replace);
      return value === type.value ? type : optionalType(value);
    }
    case 'type': {
      if (type.of === undefined) return type;
      const of = mapParameters(type.of, replace);
      return of === type.of ? type : typeType(of);
    }
    case 'opaque':
      if (type.parameters === undefined) return type;
      return { ...type, parameters: type.parameters.map((parameter) => mapParameters(parameter, replace)) };
    default:
      return type;
  }
}
