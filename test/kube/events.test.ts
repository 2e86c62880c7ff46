import t from 'tap';
import type { KubeObject } from '../../src/api/object.ts';
import { EventRecorder } from '../../src/kube/events.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { stubClient } from '../support/stub-client.ts';

const graph = { group: 'kro.run', version: 'v1alpha1', kind: 'Graph', namespace: 'team', name: 'shop', uid: 'u1' };
const facts = { type: 'Normal', reason: 'Applied', action: 'Apply', note: 'applied' } as const;

const recording = () => {
  const sent: string[] = [];
  const dropped: string[] = [];
  const clock = fakeClock();
  const done = (manifest: unknown) => ({ object: manifest as KubeObject, isCreated: true, warnings: [] });
  const client = stubClient({
    create: async (_resource, manifest) => {
      const { note, series } = manifest as { note: string; series?: { count: number } };
      sent.push(`create ${note} ${series?.count ?? 1}`);
      return done(manifest);
    },
    patch: async (_object, { body }) => {
      sent.push(`patch ${(body as { series: { count: number } }).series.count}`);
      return done({});
    },
  });
  const onDropped = (reason: string): number => dropped.push(reason);
  const recorder = new EventRecorder({ client, controller: 'kro.run/test', instance: 'i', clock, random: () => 0, onDropped });
  return { recorder, clock, sent, dropped };
};

t.test('the second of a kind makes a series; later ones are told every half minute, the rest at the end', async (t) => {
  const { recorder, clock, sent } = recording();
  recorder.record(graph, facts);
  await clock.advance(1000);
  recorder.record(graph, facts);
  await clock.advance(1000);
  for (let times = 0; times < 10; times += 1) recorder.record(graph, facts);
  await clock.advance(1000);
  t.same(sent, ['create applied 1', 'patch 2']);
  await clock.advance(30_000);
  recorder.record(graph, facts);
  await clock.advance(1000);
  recorder.record(graph, facts);
  t.same(sent.slice(2), ['patch 13']);
  await recorder.stop(AbortSignal.timeout(1000));
  t.same(sent.slice(3), ['patch 14']);
});

t.test('after six quiet minutes it begins anew', async (t) => {
  const { recorder, clock, sent } = recording();
  recorder.record(graph, facts);
  await clock.advance(361_000);
  recorder.record(graph, facts);
  await clock.advance(0);
  t.same(sent, ['create applied 1', 'create applied 1']);
});

t.test('an object with too much to tell is cut short, and another is not', async (t) => {
  const { recorder, clock, sent, dropped } = recording();
  for (let index = 0; index < 50; index += 1) recorder.record(graph, { ...facts, note: `note ${index}` });
  recorder.record({ ...graph, uid: 'u2' }, facts);
  await clock.advance(0);
  t.equal(sent.length, 21);
  t.same(
    dropped,
    Array.from({ length: 30 }, () => 'rate'),
  );
  await clock.advance(15_000);
  recorder.record(graph, { ...facts, note: 'later' });
  await clock.advance(0);
  t.equal(sent.length, 22);
});

t.test('after its end it records nothing', async (t) => {
  const { recorder, clock, sent } = recording();
  await recorder.stop(AbortSignal.timeout(1000));
  recorder.record(graph, facts);
  await clock.advance(0);
  t.same(sent, []);
});

t.test('the Event of a very long name has a name that the API server takes', async (t) => {
  const names: string[] = [];
  const client = stubClient({
    create: async (_resource, manifest) => {
      const object = manifest as KubeObject;
      names.push(object.metadata.name);
      return { object, isCreated: true, warnings: [] };
    },
  });
  const clock = fakeClock();
  const recorder = new EventRecorder({ client, controller: 'kro.run/test', instance: 'i', clock, random: () => 0 });
  // Wherever it is cut.
  for (let length = 200; length <= 253; length += 1) {
    const name = `${'a'.repeat(length - 40)}${'.b-c'.repeat(10)}`;
    recorder.record({ ...graph, name, uid: name }, facts);
  }
  await clock.advance(0);
  t.equal(names.length, 54);
  const part = '[a-z0-9](?:[-a-z0-9]*[a-z0-9])?';
  t.same(
    names.filter((name) => name.length > 253 || !new RegExp(`^${part}(?:\\.${part})*$`).test(name)),
    [],
  );
});
