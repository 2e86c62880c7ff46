import t from 'tap';
import type { JsonObject } from '../../src/api/object.ts';
import { isWholeList } from '../../src/engine/whole-list.ts';

const list = ['ours'];
const manifest: JsonObject = {
  status: {
    phase: 'Up',
    l: list,
    m: { 'a.b': list, 'a.c': 'x', 'd[0]': list },
    both: { a: { b: 'x' }, 'a.b': list },
    items: [
      { k: 'x', v: '1', a: list },
      { k: 'a],b="c"', a: list, v: '2' },
    ],
    many: [
      { port: 80, protocol: 'UDP', on: true, a: list, v: 1 },
      { port: 80, on: false, a: 'no list' },
      { port: 9007199254740993n, a: list },
    ],
    set: ['s.t', 'u'],
    rows: [[1], 2],
  },
};

const ROWS: readonly [field: string, expected: boolean, title?: string][] = [
  ['.status.l', true],
  ['.status.phase', false],
  ['.status.m', false, 'a map, even of lists'],
  ['.status.m.a.b', true, 'below a name with a dot'],
  ['.status.m.a.c', false],
  ['.status.m.d[0]', true, 'below a name with a bracket'],
  ['.status.both.a.b', true, 'one of two readings'],
  ['.status.items[k="x"].a', true, 'of a keyed item'],
  ['.status.items[k="x"].v', false],
  ['.status.items[k="a],b=\\"c\\""].a', true, 'whatever its key'],
  ['.status.items[k="a],b=\\"c\\""].v', false],
  ['.status.items[k="x"]', false, 'the item itself'],
  ['.status.many[on=true,port=80,protocol="UDP"].a', true, 'of several keys'],
  ['.status.many[on=true,port=80,protocol="UDP"].v', false],
  ['.status.many[on=false,port=80,protocol="TCP"].a', false, 'a key that the server defaulted'],
  ['.status.many[port=9007199254740993].a', true, 'an integer that a double cannot hold'],
  ['.status.set[="s.t"]', false, 'a member of a set'],
  ['.status.rows[0]', true, 'by its place'],
  ['.status.rows[1]', false],
  ['.status.gone', true, 'what is not there is not known'],
  ['.status.items[k="y"].v', true, 'nor an item that is not there'],
  ['.status.set[="v"]', true, 'nor a member'],
  ['.status.rows[7]', true, 'nor a place'],
  ['.status.items[k="\\x00"].v', true, 'nor what cannot be read'],
  ['.status.items[k=', true, 'nor what is cut'],
];
for (const [field, expected, title] of ROWS) {
  t.test(`${field}${title === undefined ? '' : `: ${title}`}`, async (t) => t.equal(isWholeList(manifest, field), expected));
}
