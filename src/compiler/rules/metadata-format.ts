import { isNamespaceName, isUrlSegment, LONGEST_NAME } from '../../api/object.ts';
import { defineDiagnostic } from '../../diagnostic/diagnostic.ts';
import type { FieldPath } from '../../diagnostic/path.ts';
import { isObject } from '../describe.ts';
import type { SourceNode } from '../frame.ts';
import { isComputed } from '../kinds/object-shape.ts';
import { isLabelKey, isLabelValue, LABEL_LOOK, PREFIXED_LOOK } from '../label.ts';
import { isSubdomain } from '../subdomain.ts';
import { literalPart } from './identity-parts.ts';
import type { Rule, RuleReport } from './rule.ts';
import { isNamedAsSubdomain } from './subdomain-names.ts';

/** What a name must be like: a namespace's, that of a kind whose names are subdomains of DNS, or that of any object. */
type NameForm = 'namespace' | 'subdomain' | 'segment';
const NAMED: Readonly<Record<NameForm, string>> = { namespace: 'a namespace', subdomain: 'an object of this kind', segment: 'an object' };
const NAME_LOOKS: Readonly<Record<NameForm, string>> = {
  namespace: 'lower case letters, digits and "-", at most 63, beginning and ending with a letter or digit',
  subdomain: `lower case letters, digits, "-" and ".", at most ${LONGEST_NAME}, beginning and ending with a letter or digit`,
  segment: `it is part of a URL: at most ${LONGEST_NAME} characters, without "/" and "%", and not "." or ".."`,
};

const name = defineDiagnostic({
  code: 'object/name',
  severity: 'error',
  message: ({ what, text }: { what: NameForm; text: string }) => `"${text}" cannot be the name of ${NAMED[what]}`,
  hint: ({ what }) => NAME_LOOKS[what],
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

/**
 * What the API server refuses in the metadata of every kind, though no schema says so: literal names, namespaces, keys and labels
 * (`ValidateObjectMeta`); and in the names of standard kinds. Custom kinds may ask more of their names; that is theirs to say.
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
  const target = node.checked?.target;
  const object = literalPart(node, 'name');
  if (object !== undefined) {
    // What a ref names is not there, and may be said to be so.
    const isSubdomainWanted = node.kind?.makesObjects === true && target?.kind === 'static' && isNamedAsSubdomain(target.resource);
    const what = isSubdomainWanted && isUrlSegment(object) ? 'subdomain' : 'segment';
    const isFit = object.length <= LONGEST_NAME && (what === 'subdomain' ? isSubdomain(object) : isUrlSegment(object));
    if (!isFit) report(name({ what, text: object }, { path: path.field('name') }));
  }
  const namespace = literalPart(node, 'namespace');
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
