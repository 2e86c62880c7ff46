import type { FunctionDeclaration } from './library/declare.ts';
import { libraries } from './library/index.ts';
import { macroNames } from './macro.ts';
import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  intType,
  listType,
  mapType,
  nullType,
  opaqueType,
  optionalType,
  stringType,
  type Type,
  timestampType,
  typeName,
  typeType,
  uintType,
} from './type.ts';

const namedTypes: ReadonlyMap<string, Type> = new Map(
  [
    boolType,
    intType,
    uintType,
    doubleType,
    stringType,
    bytesType,
    nullType,
    timestampType,
    durationType,
    listType(dynType),
    mapType(dynType, dynType),
    optionalType(dynType),
    typeType(undefined),
    // Kubernetes declares only these of its types as names; `kubernetes.Quantity` and its like are none.
    ...['net.IP', 'net.CIDR'].map(opaqueType),
  ].map((type) => [typeName(type), type]),
);

const namespaces: ReadonlySet<string> = new Set([
  'cel',
  ...libraries
    .flatMap((library) => library.functions)
    .flatMap(({ name }) => (name.includes('.') ? [name.slice(0, name.lastIndexOf('.'))] : [])),
]);

const qualifiedTypes: readonly string[] = ['google', 'net'];

/** What is in scope of an expression: variables with their types, the names of types, and functions. Immutable. */
export class Environment {
  static readonly #standard: Environment = new Environment(new Map(), undefined, indexFunctions(), '');

  /** All libraries and no variables. */
  static standard(): Environment {
    return Environment.#standard;
  }

  /** The namespace in which names are looked up first; empty in a Graph, set by conformance tests. */
  readonly container: string;
  readonly #variables: ReadonlyMap<string, Type>;
  readonly #parent: Environment | undefined;
  readonly #functions: ReadonlyMap<string, FunctionDeclaration>;
  readonly #qualified: ReadonlySet<string>;

  private constructor(
    variables: ReadonlyMap<string, Type>,
    parent: Environment | undefined,
    functions: ReadonlyMap<string, FunctionDeclaration>,
    container: string,
  ) {
    this.container = container;
    this.#variables = variables;
    this.#parent = parent;
    this.#functions = functions;
    this.#qualified = withDotted(parent === undefined ? new Set(qualifiedTypes) : parent.#qualified, variables);
  }

  /** A child with more variables, which hide those of the same name. Cheap: nothing is copied. */
  with(variables: ReadonlyMap<string, Type>): Environment {
    return new Environment(variables, this, this.#functions, this.container);
  }

  /** A child with more functions, which replace those of the same name. */
  withFunctions(declarations: readonly FunctionDeclaration[]): Environment {
    const functions = new Map([...this.#functions, ...declarations.map((declared) => [declared.name, declared] as const)]);
    return new Environment(new Map(), this, functions, this.container);
  }

  /** The same scope, where names are looked up in a namespace first. */
  inContainer(container: string): Environment {
    return new Environment(new Map(), this, this.#functions, container);
  }

  /** The type of a variable. */
  variable(name: string): Type | undefined {
    return this.#variables.get(name) ?? this.#parent?.variable(name);
  }

  /** The type that a name stands for as a value: `int`, `google.protobuf.Timestamp`. */
  namedType(name: string): Type | undefined {
    return namedTypes.get(name);
  }

  /** A function with all its overloads, by its name with the namespace. */
  functionNamed(name: string): FunctionDeclaration | undefined {
    return this.#functions.get(name);
  }

  /** Whether functions live in a namespace of this name: `math`, `base64`. `cel` is the one of `cel.bind`. */
  hasNamespace(name: string): boolean {
    return namespaces.has(name) && this.variable(name) === undefined;
  }

  /** Whether a dotted name may begin with this one. */
  startsQualified(name: string): boolean {
    return this.container !== '' || this.#qualified.has(name);
  }

  /** All variables in scope, for suggestions. */
  variableNames(): readonly string[] {
    return [...this.#variables.keys(), ...(this.#parent?.variableNames() ?? [])];
  }

  /** All functions and macros that a person may write, for suggestions. */
  functionNames(): readonly string[] {
    const written = [...this.#functions.keys()].filter((name) => /^[A-Za-z]/.test(name) && !name.includes('@'));
    return [...written, ...macroNames];
  }
}

/** The beginnings of dotted names, with those of variables; a Graph has none. */
function withDotted(known: ReadonlySet<string>, variables: ReadonlyMap<string, Type>): ReadonlySet<string> {
  let all = known;
  for (const name of variables.keys()) if (name.includes('.')) all = new Set([...all, name.slice(0, name.indexOf('.'))]);
  return all;
}

function indexFunctions(): ReadonlyMap<string, FunctionDeclaration> {
  const functions = new Map<string, FunctionDeclaration>();
  for (const declared of libraries.flatMap((library) => library.functions)) {
    const known = functions.get(declared.name);
    // Several libraries may add overloads to one name: `string`, `indexOf`, `ip`.
    const [before, after] = declared.first === true ? [declared, known] : [known, declared];
    const overloads = [...(before?.overloads ?? []), ...(after?.overloads ?? [])];
    functions.set(declared.name, known === undefined ? declared : { ...known, overloads });
  }
  return functions;
}
