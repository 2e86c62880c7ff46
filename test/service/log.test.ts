import t from 'tap';
import { ApiError } from '../../src/kube/error.ts';
import { createLog, type LogOptions } from '../../src/service/log.ts';

const logging = (options: Partial<LogOptions> = {}) => {
  const lines: string[] = [];
  const destination = { write: (line: string) => lines.push(line) };
  return { log: createLog({ name: 'controller', level: 'info', format: 'json', destination, ...options }), lines };
};
const first = (lines: readonly string[]): unknown => JSON.parse(lines[0] ?? '');

t.test('one JSON object a line, with level names and the keys of the manual', async (t) => {
  const { log, lines } = logging();
  log.child({ controller: 'graph', namespace: 'team', name: 'shop', reconcileID: 'r' }).warn({ node: 'a/b' }, 'waiting');
  log.debug('not at this level');
  t.equal(lines.length, 1);
  t.match(first(lines), {
    level: 'warn',
    logger: 'controller',
    controller: 'graph',
    namespace: 'team',
    name: 'shop',
    reconcileID: 'r',
    node: 'a/b',
    msg: 'waiting',
    time: /^\d{4}-.*Z$/,
  });
});

const secret = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 's', annotations: { 'kubectl.kubernetes.io/last-applied-configuration': 'hunter2' } },
  data: { password: 'hunter2' },
  stringData: { a: 'hunter2' },
};
const hidden: [title: string, fields: object][] = [
  ['a Secret', { object: secret }],
  ['a Secret in a list', { objects: [{ kind: 'ConfigMap' }, secret] }],
  ['a Secret deep within a Graph', { graph: { spec: { nodes: [{ template: secret }] } } }],
  ['a Secret whose data is an expression', { object: { kind: 'Secret', data: 'hunter2' } }],
  ['a token', { request: { headers: { authorization: 'Bearer hunter2' } }, token: 'hunter2' }],
  [
    'a Secret so deep that nobody looks',
    { a: { b: { c: { d: { e: { f: { g: { h: { i: { j: { k: { l: { m: { n: secret } } } } } } } } } } } } } },
  ],
  [
    'what an API server quotes of an invalid object',
    {
      error: new ApiError({
        code: 422,
        reason: 'Invalid',
        message: 'bad: "hunter2"',
        causes: [{ type: 'FieldValueInvalid', field: 'data.a', message: '"hunter2"' }],
        name: 's',
        about: '',
        retryAfter: undefined,
      }),
    },
  ],
];
const quoting = () =>
  new ApiError({
    code: 422,
    reason: 'Invalid',
    message: 'bad: "hunter2"',
    causes: [{ type: 'T', field: 'f', message: 'hunter2' }],
    name: '',
    about: '',
    retryAfter: undefined,
  });
hidden.push(
  ['an error that quotes, under another key', { failure: quoting() }],
  ['an error that quotes, as a cause', { error: new Error('a', { cause: quoting() }) }],
);
for (const format of ['json', 'pretty'] as const) {
  for (const [title, fields] of hidden) {
    t.test(`${title} never reaches the log as ${format}`, async (t) => {
      const { log, lines } = logging({ format });
      log.info(fields, 'a message');
      t.equal(lines.length, 1);
      t.match(lines[0], /a message/);
      t.notMatch(lines[0], /hunter2/);
    });
  }
}

t.test('what is masked keeps its keys', async (t) => {
  const { log, lines } = logging();
  log.info({ object: secret }, 'x');
  t.match(first(lines), { object: { metadata: { name: 's' }, data: { password: '[masked]' } } });
});

t.test('errors: a bug with its stack and cause, a refusal with reason and fields', async (t) => {
  const { log, lines } = logging();
  log.error({ error: new TypeError('bug', { cause: new Error('deeper') }) }, 'a bug');
  log.error(
    {
      error: new ApiError({
        code: 403,
        reason: 'Forbidden',
        message: 'not allowed',
        causes: [{ type: 'T', field: 'f', message: 'm' }],
        name: '',
        about: '',
        retryAfter: undefined,
      }),
    },
    'refused',
  );
  t.match(JSON.parse(lines[0] ?? ''), { error: { name: 'TypeError', message: 'bug', stack: /log.test/, cause: { message: 'deeper' } } });
  t.same((JSON.parse(lines[1] ?? '') as { error: unknown }).error, {
    name: 'ApiError',
    message: 'not allowed',
    code: 403,
    reason: 'Forbidden',
    causes: [{ type: 'T', field: 'f' }],
  });
});

t.test('integers beyond 2^53 can be logged', async (t) => {
  const { log, lines } = logging();
  log.info({ object: { spec: { big: 9007199254740993n } } }, 'x');
  t.match(first(lines), { object: { spec: { big: '9007199254740993' } } });
});

t.test('lines for people', async (t) => {
  const { log, lines } = logging({ format: 'pretty' });
  log.info({ namespace: 'team', why: 'two words' }, 'ready');
  t.match(lines[0], /^\d\d:\d\d:\d\d\.\d{3} INFO {2}controller: ready namespace=team why="two words"\n$/);
  const coloured = logging({ format: 'pretty', isColoured: true });
  coloured.log.error({ error: new Error('bug') }, 'failed');
  t.ok(coloured.lines[0]?.includes('\u001b[31mERROR'));
  t.match(coloured.lines[0], /Error: bug\n\s+at /);
});
