import { printType, type Type } from '../../cel/type.ts';
import { defineDiagnostic } from '../../diagnostic/diagnostic.ts';
import { nameOf } from '../frame.ts';
import type { Rule } from './rule.ts';

const notBool = defineDiagnostic({
  code: 'condition/not-bool',
  severity: 'error',
  message: ({ role, id, found }: { role: string; id: string; found: string }) => `${role} of "${id}" must be bool, found ${found}`,
  hint: ({ found }) => (found === 'string' ? 'compare it: x == "value", or convert with bool(...)' : 'compare it with something'),
});

/** Conditions are bool, optional bool, or dyn (graph.md 5). */
export const conditionType: Rule = {
  after: 'check',
  diagnostics: [notBool],
  condition({ node, role, path, text, type }, report) {
    if (!isCondition(type.kind === 'optional' ? type.value : type)) {
      report(notBool({ role, id: nameOf(node), found: printType(type) }, { path, expression: text }));
    }
  },
};

function isCondition({ kind }: Type): boolean {
  return kind === 'bool' || kind === 'dyn' || kind === 'error';
}
