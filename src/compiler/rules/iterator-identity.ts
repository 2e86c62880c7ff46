import { defineDiagnostic } from '../../diagnostic/diagnostic.ts';
import { nearest } from '../../diagnostic/nearest.ts';
import type { SourceNode } from '../frame.ts';
import type { SourceExpression, SourcePayload } from '../payload.ts';
import { MOST_DIMENSIONS } from './for-each-dimensions.ts';
import { ID_PATTERN } from './id-format.ts';
import { identityPart } from './identity-parts.ts';
import type { Rule } from './rule.ts';

type CountedFields = 'metadata.name' | 'metadata.name or metadata.namespace';

const notInIdentity = defineDiagnostic({
  code: 'iterator/not-in-identity',
  severity: 'error',
  message: ({ name, where }: { name: string; where: CountedFields }) =>
    `iterator "${name}" does not appear in ${where}: the items would be one object`,
  hint: ({ name }) => `write for example name: x-\${${name}}`,
});

/** Every iterator tells the items of a template or patch apart by name (graph.md 5). */
export const iteratorIdentity: Rule = {
  after: 'check',
  diagnostics: [notInIdentity],
  node(node, report) {
    // Of more dimensions than there may be, which is reported, no more is said.
    if (node.kind?.makesObjects !== true || node.forEach.length === 0 || node.forEach.length > MOST_DIMENSIONS) return;
    const target = node.checked?.target;
    const name = identityPart(node, 'name');
    // What is wrong with the name or the kind itself has been reported.
    if (target === undefined || name === undefined || name.kind === 'broken') return;
    const isNamespaced = target.kind === 'static' && target.served?.namespaced === true;
    const expressions = [...expressionsOf(name), ...(isNamespaced ? expressionsOf(identityPart(node, 'namespace')) : [])];
    const where: CountedFields = isNamespaced ? 'metadata.name or metadata.namespace' : 'metadata.name';
    const read = namesIn(expressions);
    for (const iterator of iteratorsOf(node)) {
      if (!read.known.has(iterator) && !read.unknown.some((name) => nearest(name, [iterator]).length > 0))
        report(notInIdentity({ name: iterator, where }, { path: pathOfName(node) }));
    }
  },
};

/** Those whose names no expression can write have been reported. */
function iteratorsOf(node: SourceNode): ReadonlySet<string> {
  const sound = node.forEach.filter(({ iterator, isSound }) => isSound && ID_PATTERN.test(iterator));
  return new Set(sound.map(({ iterator }) => iterator));
}

function pathOfName(node: SourceNode): SourceNode['place'] {
  return node.place
    .field(node.kind?.name ?? '')
    .field('metadata')
    .field('name');
}

function expressionsOf(payload: SourcePayload | undefined): readonly SourceExpression[] {
  if (payload?.kind === 'standalone') return [payload];
  return payload?.kind === 'text' ? payload.parts.filter((part) => typeof part !== 'string') : [];
}

/** The names that expressions read. What does not parse is read by its words; a name that means nothing may be an iterator's, misspelt. */
function namesIn(expressions: readonly SourceExpression[]): { readonly known: ReadonlySet<string>; readonly unknown: readonly string[] } {
  const known = new Set<string>();
  const unknown = new Set<string>();
  for (const { references, plan, text } of expressions) {
    for (const { node, isLocal, name } of references) {
      if (isLocal) known.add(name);
      else if (node === undefined) unknown.add(name);
    }
    if (plan === undefined) for (const word of text.split(/[^A-Za-z0-9_]+/)) known.add(word);
  }
  return { known, unknown: [...unknown] };
}
