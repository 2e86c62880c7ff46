import t from 'tap';
import { parse } from 'yaml';
import type { JsonValue } from '../../src/api/object.ts';
import { type Diagnostic, inPathOrder } from '../../src/diagnostic/diagnostic.ts';
import { FieldPath } from '../../src/diagnostic/path.ts';
import { type ComputedPart, checkManifest, type PartialManifest } from '../../src/schema/literal.ts';
import { inlineSchema, type OpenApiSchema } from '../../src/schema/openapi.ts';
import { testSchema } from '../support/schemas.ts';

/** Reads a manifest as the compiler does: a string that begins with `$` is computed. */
function manifestOf(value: JsonValue): PartialManifest<ComputedPart> {
  if (typeof value === 'string' && value.startsWith('$')) return { kind: 'standalone', text: value.slice(1) };
  if (typeof value !== 'object' || value === null || !JSON.stringify(value).includes('"$')) return { kind: 'literal', value };
  if (Array.isArray(value)) return { kind: 'list', items: value.map(manifestOf) };
  return { kind: 'object', entries: new Map(Object.entries(value).map(([name, member]) => [name, manifestOf(member)])) };
}

function findings(schema: OpenApiSchema, manifest: string): { diagnostics: Diagnostic[]; computed: string[] } {
  const diagnostics: Diagnostic[] = [];
  const computed: string[] = [];
  checkManifest(manifestOf(parse(manifest)), schema, FieldPath.root, {
    report: (diagnostic) => diagnostics.push(diagnostic),
    wantsRequired: true,
    computed: (_part, field, path) => computed.push(`${path} ${field.name}`),
  });
  return { diagnostics: inPathOrder(diagnostics), computed };
}

const custom = inlineSchema(
  parse(`
    type: object
    properties:
      text: {type: string}
      count: {type: integer}
      small: {type: integer, format: int32}
      ratio: {type: number}
      flag: {type: boolean}
      port: {x-kubernetes-int-or-string: true}
      level: {type: string, enum: [low, high]}
      pattern: {type: string, pattern: '^a+$'}
      short: {type: string, minLength: 2, maxLength: 3}
      percent: {type: integer, minimum: 0, maximum: 100}
      open: {type: integer, minimum: 0, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: true}
      fives: {type: integer, multipleOf: 5}
      few: {type: array, minItems: 1, maxItems: 2, items: {type: string}}
      bounded: {type: object, minProperties: 1, maxProperties: 1, additionalProperties: {type: string}}
      halves: {type: number, minimum: 1.5, multipleOf: 0.5}
      tenths: {type: number, multipleOf: 0.1}
      single: {type: number, format: float}
      steps: {type: number, enum: [1, 2.5]}
      huge: {type: integer, maximum: 9007199254740992}
      picky: {type: string, nullable: true, enum: [x, null]}
      written: {type: string, format: int-or-string}
      filling: {type: object, minProperties: 1, maxProperties: 2, additionalProperties: false, properties: {a: {type: string, default: x}, b: {type: string}, c: {type: string}}}
      maybe: {type: string, nullable: true}
      filled: {type: string, default: x}
      at: {type: string, format: date-time}
      blob: {type: string, format: byte}
      free: {type: object}
      kept: {type: object, x-kubernetes-preserve-unknown-fields: true, properties: {known: {type: object, properties: {n: {type: integer}}}}}
      any: {x-kubernetes-preserve-unknown-fields: true}
      embedded: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}
      set: {type: array, x-kubernetes-list-type: set, items: {type: string}}
      keyed: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [k, p], items: {type: object, properties: {k: {type: string}, p: {type: string, default: TCP}, v: {type: integer}}}}
      bare: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [k], items: {type: object, properties: {k: {type: string}}}}
      either: {anyOf: [{type: integer}, {type: string}], x-kubernetes-int-or-string: true}
      picked: {type: object, enum: [{a: 1}], anyOf: [{required: [a]}], properties: {a: {type: integer}}}
      strict: {type: object, required: [a, b], properties: {a: {type: string}, b: {type: string, default: x}}}
  `),
  'Custom',
);
const deployment = testSchema('apps/v1', 'Deployment');
const pod = testSchema('v1', 'Pod');

const right: [string, OpenApiSchema, string][] = [
  ['what every field takes', custom, '{text: a, count: 1, ratio: 1, flag: true, port: 80, level: low, pattern: aa, short: ab, few: [a]}'],
  ['a whole double is an int', custom, '{count: 1.0, few: [a]}'],
  ['int-or-string takes both', custom, '{port: http}'],
  ['bounds are inclusive', custom, '{percent: 100, short: abc}'],
  ['a length counts characters, not their halves', custom, '{short: "😀😀😀"}'],
  ['null where the schema allows it, or fills it', custom, '{maybe: null, filled: null, any: null}'],
  [
    'null in a standard kind',
    deployment,
    '{metadata: {labels: null}, spec: {replicas: null, selector: {}, template: {spec: {containers: [{name: c, args: null}]}}}}',
  ],
  [
    'null for a time that the server sets, in a custom kind',
    testSchema('example.com/v1', 'Widget'),
    '{metadata: {creationTimestamp: null}}',
  ],
  ['what an omit() may leave out does not count', custom, '{few: [$x, $omit(), a], bounded: {a: $omit(), b: x}}'],
  ['a default counts as a field', custom, '{filling: {}}'],
  ['an integer is held to the whole part of a bound', custom, '{halves: 1.5}'],
  ['a fraction is a multiple as far as doubles go', custom, '{tenths: 0.3}'],
  ['a fraction is compared with an integer of an enum as one', custom, '{steps: 1.25}'],
  ['the largest number of single precision', custom, '{single: 3.4028235e+38}'],
  ['anything in an object without declared fields', custom, '{free: {a: {b: [1]}}}'],
  ['anything where unknown fields are preserved', custom, '{kept: {other: [1], known: {n: 1, dropped: true}}, any: [1]}'],
  ['an embedded object', custom, '{embedded: {apiVersion: v1, kind: X, metadata: {labels: {a: b}}, data: 1}}'],
  ['keys that differ', custom, '{set: [a, b], keyed: [{k: a}, {k: a, p: UDP}, {k: b}]}'],
  ['keys that are computed', custom, '{set: [$x, $x], keyed: [{k: $x}, {k: $x}]}'],
  ['a number for a quantity', pod, '{spec: {containers: [{name: c, resources: {limits: {cpu: 1.5, memory: 1Gi}}}]}}'],
  ['every form of a quantity', pod, '{spec: {containers: [], overhead: {a: 1e3, b: "1E3", c: "+.5", d: "5.", e: 100m, f: " 1Gi "}}}'],
  [
    'a time with the six digits that a MicroTime has',
    testSchema('coordination.k8s.io/v1', 'Lease'),
    '{spec: {renewTime: "2026-01-02T03:04:05.000000Z"}}',
  ],
  [
    'a large integer of a standard kind wraps there and is not refused',
    deployment,
    '{spec: {replicas: 4294967297, selector: {}, template: {}}}',
  ],
  ['base64 with line breaks, in a standard kind', testSchema('v1', 'ConfigMap'), '{binaryData: {a: "aGVs\\nbG8="}}'],
  ['a Secret without base64 padding is not our business if it is computed', testSchema('v1', 'Secret'), '{data: {a: $x}}'],
];

t.test('right', async (t) => {
  for (const [title, schema, manifest] of right) t.same(findings(schema, manifest).diagnostics, [], title);
});

type Row = [title: string, schema: OpenApiSchema, manifest: string, expected: string[]];
const wrong: Row[] = [
  ['an unknown field names the nearest', custom, '{tex: a}', ['tex: unknown field "tex" in Custom (did you mean "text"?)']],
  [
    'or all that there are, if they are few',
    custom,
    '{strict: {a: x, zzz: 1}}',
    ['strict.zzz: unknown field "zzz" in Custom.strict (there is "a", "b")'],
  ],
  ['not if they are many', pod, '{spec: {containers: [], zzz: 1}}', ['spec.zzz: unknown field "zzz" in core.v1.PodSpec']],
  ['a field is told from another by case', custom, '{Text: a}', ['Text: unknown field "Text" in Custom (did you mean "text"?)']],
  ['a number is no string', custom, '{text: 3}', ['text: expected string, found int (put it in quotes)']],
  ['a string is no int', custom, '{count: "3"}', ['count: expected int, found string (remove the quotes)']],
  ['a fraction is no int', custom, '{count: 1.5}', ['count: expected int, found double']],
  ['a string is no bool', custom, '{flag: "true"}', ['flag: expected bool, found string (remove the quotes)']],
  ['a bool is no int-or-string', custom, '{port: true}', ['port: expected int or string, found bool (put it in quotes)']],
  ['a fraction is no int-or-string', custom, '{port: 1.5}', ['port: expected int or string, found double (put it in quotes)']],
  ['an object is no string', custom, '{text: {a: b}}', ['text: expected string, found object']],
  ['a scalar is no list', custom, '{few: a}', ['few: expected list, found string (write it as a list: [...])']],
  ['a list is no object', custom, '{strict: []}', ['strict: expected object, found list']],
  ['enum', custom, '{level: hihg}', ['level: "hihg" is not one of "low", "high" (did you mean "high"?)']],
  ['pattern', custom, '{pattern: b}', ['pattern: the text does not match the pattern ^a+$']],
  ['length', custom, '{short: a}', ['short: the length must be at least 2, found 1']],
  ['length, at most', custom, '{short: abcd}', ['short: the length must be at most 3, found 4']],
  ['minimum', custom, '{percent: -1}', ['percent: the number must be at least 0, found -1']],
  ['maximum', custom, '{percent: 101}', ['percent: the number must be at most 100, found 101']],
  ['exclusive minimum', custom, '{open: 0}', ['open: the number must be more than 0, found 0']],
  ['exclusive maximum', custom, '{open: 9}', ['open: the number must be less than 9, found 9']],
  ['multiple', custom, '{fives: 7}', ['fives: the number must be a multiple of 5, found 7']],
  ['32 bits', custom, '{small: 2147483648}', ['small: the number must be a 32-bit integer, found 2147483648']],
  ['64 bits', custom, '{count: 1e19}', ['count: the number must be a 64-bit integer, found 10000000000000000000']],
  ['too few items', custom, '{few: []}', ['few: the number of items must be at least 1, found 0']],
  ['too many items, computed ones too', custom, '{few: [$a, $b, $c]}', ['few: the number of items must be at most 2, found 3']],
  ['too many fields', custom, '{bounded: {a: x, b: x}}', ['bounded: the number of fields must be at most 1, found 2']],
  ['null in a custom kind', custom, '{text: null}', ['text: expected string, found null']],
  ['null in a list', custom, '{few: [null]}', ['few[0]: expected string, found null']],
  ['date-time', custom, '{at: yesterday}', ['at: the text is not of the format date-time (write it as 2006-01-02T15:04:05Z)']],
  ['a default counts as a field, too', custom, '{filling: {b: x, c: y}}', ['filling: the number of fields must be at most 2, found 3']],
  [
    'too many beside what an omit() may leave out',
    custom,
    '{few: [$omit(), a, b, c]}',
    ['few: the number of items must be at most 2, found 3'],
  ],
  ['no integer is a multiple of a fraction', custom, '{tenths: 1}', ['tenths: the number must be a multiple of 0.1, found 1']],
  ['a fraction that is no multiple', custom, '{halves: 1.7}', ['halves: the number must be a multiple of 0.5, found 1.7']],
  [
    'too large for single precision',
    custom,
    '{single: 3.5e+38}',
    ['single: the number must be a number of single precision, found 3.5e+38'],
  ],
  ['null is in no enum', custom, '{picky: null}', ['picky: null is not one of "x"']],
  ['a number in text of the format int-or-string', custom, '{written: 1}', ['written: expected string, found int (put it in quotes)']],
  ['base64', custom, '{blob: "***"}', ['blob: the text is not of the format byte (write it in base64)']],
  [
    'base64 in a Secret',
    testSchema('v1', 'Secret'),
    '{data: {password: hunter2}}',
    ['data.password: the text is not of the format byte (write it in base64)'],
  ],
  ['a declared field under preserved ones', custom, '{kept: {known: {n: x}}}', ['kept.known.n: expected int, found string']],
  [
    'text that is no quantity',
    pod,
    '{spec: {containers: [], overhead: {memory: 1GB, cpu: "", a: 1.2.3}}}',
    ['a', 'cpu', 'memory'].map((name) => `spec.overhead.${name}: the text is not of the format quantity (write it as 500m, 1.5 or 2Gi)`),
  ],
  [
    'a time with other than six digits, where Go reads six',
    testSchema('coordination.k8s.io/v1', 'Lease'),
    '{spec: {acquireTime: "2026-01-02T03:04:05Z", renewTime: "2026-01-02T03:04:05.1234567Z"}}',
    ['acquireTime', 'renewTime'].map(
      (name) => `spec.${name}: the text is not of the format micro-time (write it as 2006-01-02T15:04:05.000000Z)`,
    ),
  ],
  [
    'a number where a standard kind takes an int or text',
    deployment,
    '{spec: {selector: {}, template: {}, strategy: {rollingUpdate: {maxSurge: 3000000000}}}}',
    ['spec.strategy.rollingUpdate.maxSurge: the number must be a 32-bit integer, found 3000000000'],
  ],
  [
    'metadata of an embedded object',
    custom,
    '{embedded: {apiVersion: v1, kind: X, metadata: {nam: a}}}',
    ['embedded.metadata.nam: unknown field "nam" in meta.v1.ObjectMeta (did you mean "name"?)'],
  ],
  ['a set', custom, '{set: [a, b, a]}', ['set[2]: a second element with "a"']],
  ['a list by keys, defaults counted', custom, '{keyed: [{k: a}, {k: a, p: TCP}]}', ['keyed[1]: a second element with k="a", p="TCP"']],
  ['an element without its key', custom, '{bare: [{}]}', ['bare[0]: the element has no "k", which tells it from the others']],
  [
    'null in a set of a standard kind',
    pod,
    '{metadata: {finalizers: [null]}, spec: {containers: []}}',
    ['metadata.finalizers[0]: expected string, found null'],
  ],
  [
    'a required field of a standard kind, whose default is a mere zero',
    pod,
    '{spec: {containers: [{image: a}]}}',
    ['spec.containers[0]: required field "name" of core.v1.Container is missing'],
  ],
  ['of another type no more is said', custom, '{either: true}', ['either: expected int or string, found bool (put it in quotes)']],
  ['nor of a list for an object', custom, '{picked: [1]}', ['picked: expected object, found list']],
  [
    'a required field that is misspelt is told once',
    custom,
    '{keyed: [{k: a}], strict: {A: x}}',
    ['strict.A: unknown field "A" in Custom.strict (did you mean "a"?)'],
  ],
  ['a required field that nothing fills, as a warning', custom, '{strict: {}}', ['strict: required field "a" of Custom.strict is missing']],
  [
    'two ports of a container',
    pod,
    '{spec: {containers: [{name: c, ports: [{containerPort: 80}, {containerPort: 80, protocol: TCP}]}]}}',
    ['spec.containers[0].ports[1]: a second element with containerPort=80, protocol="TCP"'],
  ],
  [
    'deep in a standard kind',
    deployment,
    '{spec: {selector: {}, template: {spec: {containers: [{name: c, imag: a, image: $x}]}}}}',
    ['spec.template.spec.containers[0].imag: unknown field "imag" in core.v1.Container (did you mean "image"?)'],
  ],
  [
    'nothing more is said below a mismatch',
    custom,
    '{text: {a: {b: 1}}, few: {x: 1}}',
    ['few: expected list, found object (write it as a list: [...])', 'text: expected string, found object'],
  ],
];

t.test('wrong', async (t) => {
  for (const [title, schema, manifest, expected] of wrong) {
    const said = findings(schema, manifest).diagnostics.map(
      ({ path, message, hint }) => `${path}: ${message}${hint === undefined ? '' : ` (${hint})`}`,
    );
    t.same(said, expected, title);
  }
});

t.test('computed parts are handed on with the schema of their field', async (t) => {
  const { computed, diagnostics } = findings(
    custom,
    '{text: $a, few: [$b], kept: {other: $c, known: {n: $d}}, zzz: {deep: $e}, bounded: {x: $f}, strict: $g}',
  );
  t.same(computed, [
    'text Custom.text',
    'few[0] Custom.few[]',
    'kept.other any',
    'kept.known.n Custom.kept.known.n',
    'zzz.deep any',
    'bounded.x Custom.bounded[*]',
    'strict Custom.strict',
  ]);
  t.same(
    diagnostics.map(({ code }) => code),
    ['field/unknown'],
  );
});
