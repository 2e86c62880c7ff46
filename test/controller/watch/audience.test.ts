import t from 'tap';
import { Audience } from '../../../controller/watch/audience.ts';

t.test('a change is told to those who name the object and to those who select among all', (t) => {
  const audience = new Audience();
  audience.hearOf('n/a', 'one');
  audience.hearOf('n/a', 'two');
  audience.hearOf('n/b', 'two');
  t.same([...audience.of('n/a')], ['one', 'two']);
  t.same([...audience.of('n/b')], ['two']);
  t.same([...audience.of('n/c')], []);
  audience.hearOfAll('three');
  audience.hearOfAll('two');
  t.same([...audience.of('n/a')], ['one', 'two', 'three'], 'each once');
  t.same([...audience.of('n/c')], ['three', 'two']);
  t.end();
});

t.test('who wants to hear no more is not told', (t) => {
  const audience = new Audience();
  for (const graph of ['one', 'two']) audience.hearOf('n/a', graph);
  audience.hearOfAll('one');
  audience.hearNoMoreOf('n/a', 'one');
  audience.hearNoMoreOf('n/unknown', 'one');
  t.same([...audience.of('n/a')], ['two', 'one'], 'one still selects');
  audience.hearNoMoreOfAll('one');
  t.same([...audience.of('n/a')], ['two']);
  audience.hearNoMoreOf('n/a', 'two');
  t.same([...audience.of('n/a')], []);
  t.end();
});
