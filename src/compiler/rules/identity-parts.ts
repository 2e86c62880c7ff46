import type { SourceNode } from '../frame.ts';
import type { SourcePayload } from '../payload.ts';

/** The fields that tell one object from another. */
export type IdentityField = 'apiVersion' | 'kind' | 'name' | 'namespace';

const FIELDS: readonly IdentityField[] = ['apiVersion', 'kind', 'name', 'namespace'];

/** One identity field of an object payload; undefined if the payload does not have it. */
export function identityPart({ content }: SourceNode, field: IdentityField): SourcePayload | undefined {
  const holder = field === 'name' || field === 'namespace' ? fieldOf(content, 'metadata') : content;
  return fieldOf(holder, field);
}

/** All identity fields that an object payload has. */
export function identityParts(node: SourceNode): readonly SourcePayload[] {
  return FIELDS.flatMap((field) => identityPart(node, field) ?? []);
}

/** The text of an identity field that is literal and not empty. */
export function literalPart(node: SourceNode, field: IdentityField): string | undefined {
  const part = identityPart(node, field);
  return part?.kind === 'literal' && typeof part.value === 'string' && part.value !== '' ? part.value : undefined;
}

function fieldOf(payload: SourcePayload | undefined, field: string): SourcePayload | undefined {
  if (payload?.kind === 'object') return payload.entries.get(field);
  if (payload?.kind !== 'literal') return undefined;
  const { value } = payload;
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, field)) return undefined;
  const member = Reflect.get(value, field);
  return member === undefined ? undefined : { kind: 'literal', value: member };
}
