import type { RawSchema } from './openapi.ts';

/** A schema as text that is equal while the schema is equal. A bound, an enum or a default beyond 2^53 is a bigint, which JSON does not print. */
export function schemaText(raw: RawSchema | undefined): string {
  try {
    return JSON.stringify(raw) ?? '';
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return JSON.stringify(raw, (_key, member: unknown) => (typeof member === 'bigint' ? { integer: member.toString() } : member));
  }
}
