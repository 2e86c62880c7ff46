import t from 'tap';
import { quoteRefusal } from '../../src/engine/quote.ts';
import { type ApiCause, ApiError } from '../../src/kube/error.ts';
import { programOf } from '../support/compile.ts';

/** The payload of a template with one computed and one literal value. */
function payload() {
  const [, node] = programOf(
    '[{id: d, def: {k: v}}, {id: a, template: {apiVersion: v1, kind: Service, metadata: {name: x}, spec: {type: ClusterIP, ports: [{port: 80, name: "${d.k}"}], externalIPs: ["9.9.9.9", "${d.k}"]}}}]',
  ).nodes;
  if (node?.kind !== 'template') throw new Error('no template');
  return node.payload;
}

function refusal(causes: readonly ApiCause[]): ApiError {
  return new ApiError({
    code: 422,
    reason: 'Invalid',
    message: 'SECRET text',
    causes,
    name: 'x',
    about: 'services',
    retryAfter: undefined,
  });
}

const invalid = { type: 'FieldValueInvalid', message: 'text of the server' };
const ROWS: readonly [title: string, causes: readonly ApiCause[], expected: string][] = [
  [
    'the text about a literal field is quoted',
    [{ ...invalid, field: 'spec.type' }],
    'Invalid: spec.type FieldValueInvalid: text of the server',
  ],
  ['not the text about a computed field', [{ ...invalid, field: 'spec.ports[0].name' }], 'Invalid: spec.ports[0].name FieldValueInvalid'],
  ['nor about what holds one', [{ ...invalid, field: 'spec' }], 'Invalid: spec FieldValueInvalid'],
  [
    'nor about a field that the manifest does not have',
    [{ ...invalid, field: 'spec.clusterIP' }],
    'Invalid: spec.clusterIP FieldValueInvalid',
  ],
  [
    'every cause is told',
    [
      { ...invalid, field: 'spec.ports[0].port' },
      { ...invalid, field: 'spec.ports[0].name' },
    ],
    'Invalid: spec.ports[0].port FieldValueInvalid: text of the server; spec.ports[0].name FieldValueInvalid',
  ],
  [
    'the same twice is told once',
    [
      { ...invalid, field: 'spec' },
      { ...invalid, field: 'spec' },
    ],
    'Invalid: spec FieldValueInvalid',
  ],
  [
    'a text that never holds a value is told of every field',
    [{ ...invalid, field: '.spec.nope', message: 'field not declared in schema' }],
    'Invalid: .spec.nope FieldValueInvalid: field not declared in schema',
  ],
  [
    'a list item is found by its key',
    [{ ...invalid, field: '.spec.ports[port=80].port' }],
    'Invalid: .spec.ports[port=80].port FieldValueInvalid: text of the server',
  ],
  [
    'a key that is literal is told with the field',
    [{ ...invalid, field: '.spec.ports[port=80].name' }],
    'Invalid: .spec.ports[port=80].name FieldValueInvalid',
  ],
  [
    'a key that is computed is not',
    [{ ...invalid, field: '.spec.ports[name="SECRET],",port=80].port' }],
    'Invalid: .spec.ports[name=…,port=…].port FieldValueInvalid',
  ],
  [
    'nor a member of a list that is',
    [
      { ...invalid, field: '.spec.externalIPs[="SECRET"]' },
      { ...invalid, field: '.spec.externalIPs[="9.9.9.9"]' },
    ],
    'Invalid: .spec.externalIPs[=…] FieldValueInvalid; .spec.externalIPs[="9.9.9.9"] FieldValueInvalid: text of the server',
  ],
  ['without causes nothing of the text is sure to be literal', [], "Invalid (the server's text may hold computed values)"],
];

for (const [title, causes, expected] of ROWS) {
  t.test(title, (t) => {
    t.equal(quoteRefusal(refusal(causes), payload()), expected);
    t.end();
  });
}
