import { tests } from '@bufbuild/cel-spec/testdata/conformance.js';

/** One test of the official data, as far as it is read here. */
export interface SpecTest {
  /** `section/group/name`. */
  readonly id: string;
  readonly expr: string;
  readonly container: string;
  readonly bindings: Readonly<Record<string, { readonly value: SpecValue }>>;
  readonly typeEnv: readonly SpecDeclaration[];
  readonly checkOnly: boolean;
  readonly value: SpecValue | undefined;
  readonly type: SpecType | undefined;
  readonly expectsError: boolean;
}

/** A value in the JSON form of `cel.expr.Value`: one key. */
export type SpecValue = Readonly<Record<string, unknown>>;

/** A type in the JSON form of `cel.expr.Type`: one key. */
export type SpecType = Readonly<Record<string, unknown>>;

export interface SpecDeclaration {
  readonly name: string;
  readonly ident?: { readonly type: SpecType };
  readonly function?: { readonly overloads: readonly { readonly params: readonly SpecType[]; readonly resultType: SpecType }[] };
}

interface Suite {
  readonly name: string;
  readonly suites?: readonly Suite[];
  readonly tests?: readonly { readonly original: Readonly<Record<string, unknown>> }[];
}

/** Sections that are about protobuf alone. */
const PROTOBUF_SECTIONS = new Set(['dynamic', 'enums', 'proto2', 'proto2_ext', 'proto3', 'wrappers']);

/** What only a test about protobuf messages, wrappers or enums says. */
const PROTOBUF =
  /TestAllTypes|TestRequired|NestedMessage|GlobalEnum|NestedEnum|ImportedGlobalEnum|protobuf\.(?:Any|Value|Struct|ListValue|NullValue|FieldMask|Empty|(?:Bool|Bytes|Double|Float|Int32|Int64|String|UInt32|UInt64)Value)|enumValue|"unknown"|"wrapper"|"messageType"/;

/** `cel.block` is no syntax for people. */
const BLOCK_SECTION = 'block_ext';

/**
 * Tests that ask for no check and expect a value where a checker must refuse: they do not apply to an engine that always checks.
 */
const UNCHECKED =
  /^(?:parse\/receiver_function_names\/.*|logic\/\w+\/(?:mixed_type|short_circuit_type_\w+)|comparisons\/\w+\/(?:not_eq_list_length|eq_mixed_types|eq_list_elem_mixed_types|ne_mixed_types)|basic\/\w+\/unbound_is_runtime_error)$/;

/** The tests that apply to this engine, and how many of the others there are by reason. */
export function applicableTests(): {
  readonly tests: readonly SpecTest[];
  readonly protobuf: number;
  readonly block: number;
  readonly unchecked: number;
} {
  const applicable: SpecTest[] = [];
  const left = { protobuf: 0, block: 0, unchecked: 0 };
  const walk = (suite: Suite, path: readonly string[]): void => {
    for (const { original } of suite.tests ?? []) {
      const id = [...path, String(original['name'] ?? original['expr'])].join('/');
      if (PROTOBUF_SECTIONS.has(path[0] ?? '') || PROTOBUF.test(JSON.stringify({ ...original, description: '' }))) left.protobuf++;
      else if (path[0] === BLOCK_SECTION) left.block++;
      else if (original['disableCheck'] === true && UNCHECKED.test(id)) left.unchecked++;
      else applicable.push(readTest(id, original));
    }
    for (const inner of suite.suites ?? []) walk(inner, [...path, inner.name]);
  };
  walk(tests as unknown as Suite, []);
  return { tests: applicable, ...left };
}

function readTest(id: string, original: Readonly<Record<string, unknown>>): SpecTest {
  const typed = original['typedResult'] as { result?: SpecValue; deducedType?: SpecType } | undefined;
  const expectsError = original['evalError'] !== undefined;
  const value = (original['value'] as SpecValue | undefined) ?? typed?.result;
  return {
    id,
    expr: original['expr'] as string,
    container: (original['container'] as string | undefined) ?? '',
    bindings: (original['bindings'] as SpecTest['bindings'] | undefined) ?? {},
    typeEnv: (original['typeEnv'] as SpecDeclaration[] | undefined) ?? [],
    checkOnly: original['checkOnly'] === true,
    // Nothing expected means true.
    value: value ?? (expectsError || typed !== undefined ? undefined : { boolValue: true }),
    type: typed?.deducedType,
    expectsError,
  };
}
