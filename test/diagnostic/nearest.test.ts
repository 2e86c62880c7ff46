import t from 'tap';
import { didYouMean, nearest } from '../../src/diagnostic/nearest.ts';

const rows: [string, string, string[], string[]][] = [
  ['one letter too many', 'replicaz', ['replicas', 'selector'], ['replicas']],
  ['two letters swapped count one', 'Deploymnet', ['Deployment', 'DaemonSet'], ['Deployment']],
  ['a missing letter', 'Deploymnt', ['Deployment', 'Job'], ['Deployment']],
  ['letter case costs nothing', 'configmap', ['configMap'], ['configMap']],
  ['the name itself is no suggestion', 'web', ['web'], []],
  ['far names are not suggested', 'image', ['ports', 'command'], []],
  ['a short name allows one edit', 'ab', ['ac', 'xy'], ['ac']],
  ['best first, at most three', 'abcdef', ['abcdeg', 'abcdxx', 'abcdeh', 'abcdei', 'abcdef1'], ['abcdef1', 'abcdeg', 'abcdeh']],
  ['no candidates, no suggestion', 'a', [], []],
  ['a name twice is suggested once', 'replicaz', ['replicas', 'replicas'], ['replicas']],
  ['a third of the letters may differ', 'abcdefghi', ['abcdefxyz', 'abcdewxyz'], ['abcdefxyz']],
  ['five of twenty may', 'abcdefghijklmnopqrst', ['abcdefghijklmno12345'], ['abcdefghijklmno12345']],
  ['six may not, however long the name', 'abcdefghijklmnopqrst', ['abcdefghijklmn123456'], []],
  ['letters shifted by one', 'xabcdefghijkl', ['abcdefghijklx', 'abcdefghijkl'], ['abcdefghijkl', 'abcdefghijklx']],
  ['a swap at the end', 'abcdfe', ['abcdef'], ['abcdef']],
  ['a swap at the beginning', 'bacdef', ['abcdef'], ['abcdef']],
  ['of very many names as long the first count', 'webb', [...Array.from({ length: 400 }, (_, at) => `x${100 + at}`), 'web'], []],
  ['… but not those that are much longer', 'webb', [...Array.from({ length: 400 }, (_, at) => `other${at}`), 'web'], ['web']],
];

t.test('the nearest names', (t) => {
  for (const [title, name, candidates, expected] of rows) t.same(nearest(name, candidates), expected, title);
  t.end();
});

t.test('a question that names them', (t) => {
  t.equal(didYouMean('webb', ['web']), 'did you mean "web"?');
  t.equal(didYouMean('x', ['y', 'xy']), undefined, 'of a name of one letter nothing is near');
  t.equal(didYouMean('x', ['X']), 'did you mean "X"?');
  t.equal(didYouMean('aab', ['aaa', 'aac', 'aad']), 'did you mean "aaa", "aac" or "aad"?');
  t.equal(didYouMean('zzz', ['web']), undefined);
  t.end();
});
