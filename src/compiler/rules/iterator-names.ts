import { defineDiagnostic } from '../../diagnostic/diagnostic.ts';
import { ID_PATTERN } from './id-format.ts';
import { RESERVED_IDS } from './id-reserved.ts';
import type { Rule } from './rule.ts';

const format = defineDiagnostic({
  code: 'iterator/format',
  severity: 'error',
  message: ({ name }: { name: string }) => `iterator "${name}" of forEach must begin with a letter and hold only letters and digits`,
});
const reserved = defineDiagnostic({
  code: 'iterator/reserved',
  severity: 'error',
  message: ({ name }: { name: string }) => `iterator "${name}" of forEach is a reserved word`,
  hint: () => 'choose another name',
});
const duplicate = defineDiagnostic({
  code: 'iterator/duplicate',
  severity: 'error',
  message: ({ name }: { name: string }) => `duplicate iterator "${name}": each dimension of forEach needs its own name`,
});
const ownId = defineDiagnostic({
  code: 'iterator/own-id',
  severity: 'error',
  message: ({ name }: { name: string }) => `iterator "${name}" of forEach bears the id of its own node`,
  hint: () => 'choose another name',
});
const hides = defineDiagnostic({
  code: 'iterator/hides-node',
  severity: 'warning',
  message: ({ name, node }: { name: string; node: string }) => `iterator "${name}" hides node "${node}" in this node`,
  hint: () => 'expressions of the payload read the item, not the node',
});

/** Names of iterators follow the rules of ids, do not repeat, and differ from the node's id (graph.md 5). */
export const iteratorNames: Rule = {
  after: 'read',
  diagnostics: [format, reserved, duplicate, ownId, hides],
  node(node, report) {
    if (node.forEach.length === 0) return;
    const seen = new Set<string>();
    for (const { iterator: name, place } of node.forEach) {
      const at = { path: place };
      if (!ID_PATTERN.test(name)) report(format({ name }, at));
      else if (RESERVED_IDS.has(name)) report(reserved({ name }, at));
      if (seen.has(name)) report(duplicate({ name }, at));
      seen.add(name);
      if (name === node.id) report(ownId({ name }, at));
      else if (node.frame.find(name) !== undefined) report(hides({ name, node: name }, at));
    }
  },
};
