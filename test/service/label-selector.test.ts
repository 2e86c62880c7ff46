import t from 'tap';
import { isLabelSelector } from '../../src/service/label-selector.ts';

// Each was sent to a real API server, which took those above and refused those below.
const right = [
  ...['shard=a', 'a==b', 'a=', 'a!=', 'a', '!a', '! a', ' a ', 'a = b , c', 'x.y/a=b', 'a=b,a=c'],
  ...['shard in (a, b), !old', 'shard in(a)', 'shard notin (a),b', 'a in ()', 'a in (,)', 'a in\t(b)', 'in in (in)', 'a=notin'],
  ...['a>5', 'a > 5', 'a>05', 'x'.repeat(63)],
];
const wrong = [
  ...['!', '=', '!!', 'a&b', 'a,', 'a,,b', 'a!b', 'a=b c', '!a=b', 'a=!', 'a in', 'a in (b', '!a in (b)', 'a b'],
  ...['a>b', 'a>5.0', 'a<-1', 'a>99999999999999999999', 'X.y/a=b', '"a"', 'a-=b', `a=${'x'.repeat(64)}`, 'x'.repeat(64)],
];
for (const text of right) t.equal(isLabelSelector(text), true, JSON.stringify(text));
for (const text of wrong) t.equal(isLabelSelector(text), false, JSON.stringify(text));
