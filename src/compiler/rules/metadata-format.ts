import { isNamespaceName, isUrlSegment, LONGEST_NAME } from '../../api/object.ts';
import { defineDiagnostic } from '../../diagnostic/diagnostic.ts';
import type { FieldPath } from '../../diagnostic/path.ts';
import { isObject } from '../describe.ts';
import type { SourceNode } from '../frame.ts';
import { isComputed } from '../kinds/object-shape.ts';
import { isLabelKey, isLabelValue, LABEL_LOOK, PREFIXED_LOOK } from '../label.ts';
import { literalPart } from './identity-parts.ts';
import type { Rule, RuleReport } from './rule.ts';

const name = defineDiagnostic({
  code: 'object/name',
  severity: 'error',
  message: ({ what, text }: { what: 'object' | 'namespace'; text: string }) => `"${text}" cannot be the name of ${ARTICLES[what]} ${what}`,
  hint: ({ what }) =>
    what === 'namespace'
      ? 'lower case letters, digits and "-", at most 63, beginning and ending with a letter or digit'
      : `it is part of a URL: at most ${LONGEST_NAME} characters, without "/" and "%", and not "." or ".."`,
});
const label = defineDiagnostic({
  code: 'object/label',
  severity: 'error',
  message: ({ what, text }: { what: 'label key' | 'label value' | 'annotation key'; text: string }) =>
    `"${text}" is not ${what === 'annotation key' ? 'an' : 'a'} ${what}`,
  hint: ({ what, text }) => {
    if (text.includes('${')) return 'the key of a map holds no expression: make the whole map one, ${{key: value}}';
    return what !== 'label value' && text.includes('/') ? PREFIXED_LOOK : LABEL_LOOK;
  },
});

const ARTICLES = { object: 'an', namespace: 'a' } as const;

/**
 * What the API server refuses in the metadata of every kind, though no schema says so: literal names, namespaces, keys and labels
 * (`ValidateObjectMeta`). Kinds ask more of their names; that is theirs to say.
 */
export const metadataFormat: Rule = {
  after: 'check',
  diagnostics: [name, label],
  node(node, report) {
    const { kind, checked, payload } = node;
    if (kind === undefined || checked === undefined || !isObject(payload)) return;
    const metadata = payload['metadata'];
    if (kind.isValue || kind.holdsFrame || !isObject(metadata)) return;
    const path = node.place.field(kind.name).field('metadata');
    judgeNames(node, path, report);
    // A ref has no such fields, which has been said.
    if (!kind.makesObjects) return;
    judgeLabels(metadata['labels'], path.field('labels'), report);
    judgeAnnotations(metadata['annotations'], path.field('annotations'), report);
  },
};

function judgeNames(node: SourceNode, path: FieldPath, report: RuleReport): void {
  const object = literalPart(node, 'name');
  if (object !== undefined && !(isUrlSegment(object) && object.length <= LONGEST_NAME)) {
    report(name({ what: 'object', text: object }, { path: path.field('name') }));
  }
  const namespace = literalPart(node, 'namespace');
  const target = node.checked?.target;
  // Where none may stand, it is wrong whatever it is.
  const isOut = target?.kind === 'static' && target.served?.namespaced === false;
  if (namespace !== undefined && !isOut && !isNamespaceName(namespace)) {
    report(name({ what: 'namespace', text: namespace }, { path: path.field('namespace') }));
  }
}

function judgeLabels(labels: unknown, path: FieldPath, report: RuleReport): void {
  if (!isObject(labels)) return;
  for (const key of Object.keys(labels)) {
    const value = labels[key];
    if (!isLabelKey(key)) report(label({ what: 'label key', text: key }, { path: path.field(key) }));
    if (typeof value === 'string' && !isComputed(value) && !isLabelValue(value)) {
      report(label({ what: 'label value', text: value }, { path: path.field(key) }));
    }
  }
}

/** Their keys are judged in lower case, as the API server does. */
function judgeAnnotations(annotations: unknown, path: FieldPath, report: RuleReport): void {
  if (!isObject(annotations)) return;
  for (const key of Object.keys(annotations)) {
    if (!isLabelKey(key.toLowerCase())) report(label({ what: 'annotation key', text: key }, { path: path.field(key) }));
  }
}
