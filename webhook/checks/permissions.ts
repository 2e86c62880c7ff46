import { type Diagnostic, defineDiagnostic } from '../../src/diagnostic/diagnostic.ts';
import { FieldPath } from '../../src/diagnostic/path.ts';
import { accountUser, mayImpersonate } from './account.ts';
import type { Action, Check, ClusterView, Subject } from './check.ts';
import { eachWithin } from './concurrently.ts';
import type { Target } from './targets.ts';

const lacking = defineDiagnostic({
  code: 'permissions/missing',
  severity: 'warning',
  message: ({ account, verbs, resource, namespace }: { account: string; verbs: string; resource: string; namespace: string }) =>
    `"${account}" may not ${verbs} ${resource}${namespace === '' ? '' : ` in "${namespace}"`}`,
  hint: ({ account }) => `give the ServiceAccount "${account}" a role that allows it`,
});

/** The same for who may not act as that account: it must not be a way to find out what others are allowed. */
const lackingSomething = defineDiagnostic({
  code: 'permissions/missing',
  severity: 'warning',
  message: ({ account }: { account: string }) => `"${account}" lacks permissions that this Graph needs`,
  hint: () => 'which ones is told to who may impersonate the ServiceAccount',
});

/** What the controller does, as the applier, with the target of a node (graph.md 9-12). */
function verbsOf({ nodeKind, isSelector }: Target): readonly string[] {
  switch (nodeKind) {
    case 'template':
      return ['get', 'list', 'watch', 'create', 'patch', 'delete'];
    case 'patch':
      return ['get', 'list', 'watch', 'patch'];
    case 'ref':
      return isSelector ? ['list', 'watch'] : ['get', 'list', 'watch'];
    default:
      return nodeKind satisfies never;
  }
}

interface Need {
  readonly place: FieldPath;
  readonly action: Action;
}

/** May the applier do what the Graph's nodes ask for, on the kinds that they use (graph.md 14.2)? */
export const permissions: Check = {
  topic: 'the permissions of the ServiceAccount',
  isOfAccount: false,
  async run(subject, cluster, signal) {
    const denied = await deniedNeeds(subject, cluster, signal);
    if (denied.length === 0) return [];
    const { account } = subject;
    if (!(await mayImpersonate(subject, cluster, signal))) return [lackingSomething({ account }, { path: FieldPath.root })];
    return describe(account, denied);
  },
};

const MOST_AT_ONCE = 20;

async function deniedNeeds(subject: Subject, cluster: ClusterView, signal: AbortSignal): Promise<Need[]> {
  const applier = accountUser(subject.namespace, subject.account);
  const needs = needsOf(subject);
  const allowed = await eachWithin(MOST_AT_ONCE, needs, ({ action }) => cluster.isAllowed(applier, action, signal));
  return needs.filter((_, index) => allowed[index] === false);
}

/** Each verb on each resource once; what is computed, or not served, is left to the controller. */
function needsOf({ targets, namespace: own, served }: Subject): Need[] {
  const needs = new Map<string, Need>();
  for (const target of targets) {
    const resource = served(target.kind);
    if (resource === undefined || (resource.namespaced && target.namespace === undefined)) continue;
    const isEverywhere = !resource.namespaced || (target.isSelector && target.namespace === '');
    const namespace = isEverywhere ? '' : target.namespace || own;
    for (const verb of verbsOf(target)) {
      const subresource = target.isOfStatus && verb === 'patch' ? 'status' : '';
      const action = { verb, group: resource.kind.group, resource: resource.plural, subresource, namespace, name: '' };
      const key = JSON.stringify(action);
      if (!needs.has(key)) needs.set(key, { place: target.place, action });
    }
  }
  return [...needs.values()];
}

/** One diagnostic for each resource and namespace, with all verbs. */
function describe(account: string, denied: readonly Need[]): Diagnostic[] {
  const groups = Map.groupBy(denied, ({ action }) => JSON.stringify([action.group, action.resource, action.subresource, action.namespace]));
  return [...groups.values()].flatMap((needs) => {
    const [first] = needs;
    if (first === undefined) return [];
    const { namespace } = first.action;
    const verbs = needs.map(({ action }) => action.verb).join(', ');
    return [lacking({ account, verbs, resource: printResource(first.action), namespace }, { path: first.place })];
  });
}

/** `deployments.apps`, `deployments.apps/status`. */
function printResource({ group, resource, subresource }: Action): string {
  return `${resource}${group === '' ? '' : `.${group}`}${subresource === '' ? '' : `/${subresource}`}`;
}
