import t from 'tap';
import type { JsonObject, ManagedFieldsEntry } from '../../src/api/object.ts';
import { handedOver, takenBack, withSomebody } from '../../src/engine/hand-over.ts';
import type { FieldConflict } from '../../src/kube/error.ts';

const OWN = 'kro-graphengine.tmpl.aaaaaaaaaaaa';
const KEPT = 'kro-graph.retained';

const data = (...names: string[]): JsonObject => ({ 'f:data': Object.fromEntries(names.map((name) => [`f:${name}`, {}])) });
const applied = (manager: string, fieldsV1: JsonObject, more: Partial<ManagedFieldsEntry> = {}): ManagedFieldsEntry => ({
  manager,
  operation: 'Apply',
  apiVersion: 'v1',
  fieldsType: 'FieldsV1',
  fieldsV1,
  ...more,
});
const kept = (fieldsV1: JsonObject, apiVersion = 'v1'): ManagedFieldsEntry => applied(KEPT, fieldsV1, { operation: 'Update', apiVersion });

const patch = applied('kro-graphengine.patch.aaaaaaaaaaaa.bbbbbbbbbbbb', data('p'));
const elsewhere = applied(OWN, { 'f:status': {} }, { subresource: 'status' });

type Row = readonly [title: string, entries: readonly ManagedFieldsEntry[], expected: readonly ManagedFieldsEntry[] | undefined];

const handOvers: readonly Row[] = [
  ['what the template owned is kept by an entry that does not apply', [applied(OWN, data('k')), patch], [kept(data('k')), patch]],
  ['only that of the main resource', [elsewhere, applied(OWN, data('k'))], [elsewhere, kept(data('k'))]],
  ['what is kept already stays so, in one entry', [kept(data('a')), applied(OWN, data('k'))], [kept(data('a', 'k'))]],
  ['another version has an entry of its own', [kept(data('a'), 'v2'), applied(OWN, data('k'))], [kept(data('a'), 'v2'), kept(data('k'))]],
  ['who owns nothing hands nothing over', [patch, elsewhere], undefined],
];
for (const [title, entries, expected] of handOvers)
  t.test(`handed over: ${title}`, async (t) => t.same(handedOver(entries, OWN), expected));

const takings: readonly Row[] = [
  ['what the template owns is kept no longer', [kept(data('k')), applied(OWN, data('k'))], [applied(OWN, data('k'))]],
  ['the rest is', [kept(data('k', 'l')), patch, applied(OWN, data('k'))], [kept(data('l')), patch, applied(OWN, data('k'))]],
  ['in each version', [kept(data('k'), 'v2'), kept(data('k')), applied(OWN, data('k'))], [applied(OWN, data('k'))]],
  ['other fields stay as they are', [kept(data('l')), applied(OWN, data('k'))], undefined],
  ['what others own stays theirs', [applied('kubectl', data('k'), { operation: 'Update' }), applied(OWN, data('k'))], undefined],
  ['who owns nothing takes nothing', [kept(data('k')), patch], undefined],
];
for (const [title, entries, expected] of takings) t.test(`taken back: ${title}`, async (t) => t.same(takenBack(entries, OWN), expected));

t.test('what is kept for nobody is in conflict with nobody', async (t) => {
  const conflict = (manager: string): FieldConflict => ({ manager, field: '.data.k', operation: 'Update', subresource: '' });
  t.same(withSomebody([conflict(KEPT), conflict('kubectl')]), [conflict('kubectl')]);
});
