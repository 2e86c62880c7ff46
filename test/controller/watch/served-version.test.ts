import t from 'tap';
import { servedVersion } from '../../../controller/watch/served-version.ts';
import { discovered, valvesScope } from './valves.ts';

const TABLE: readonly [title: string, served: readonly string[] | undefined, expected: string][] = [
  ['its own version while that is served', ['v2', 'v1'], 'v1'],
  ['the preferred one of those that are, where its own is not', ['v3', 'v2'], 'v3'],
  ['its own where none is', [], 'v1'],
  ['its own while it is not known what is served', undefined, 'v1'],
];

for (const [title, served, expected] of TABLE) {
  t.test(`a resource is watched in ${title}`, (t) => {
    t.equal(servedVersion(valvesScope('v1'), served && discovered(served)), expected);
    t.end();
  });
}

t.test('another resource, or another group, says nothing', (t) => {
  const served = discovered(['v2']);
  t.equal(servedVersion({ ...valvesScope('v1'), plural: 'pipes' }, served), 'v1');
  t.equal(servedVersion({ ...valvesScope('v1'), group: 'other.example.com' }, served), 'v1');
  t.end();
});
