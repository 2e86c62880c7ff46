import type { ApiCause } from './error.ts';

/** Whose values do not fit: the manifest's that was sent, or those that the cluster has stored. */
export interface SchemaRefusal {
  readonly of: 'patch' | 'live';
  readonly causes: readonly ApiCause[];
}

/**
 * Server-side apply's refusal of an object that does not fit the schema: the API server words it as an internal error, with paths and faults in
 * its text alone. Undefined: the text is none, or names no field.
 */
export function readSchemaRefusal(text: string): SchemaRefusal | undefined {
  const [, of, faults = ''] = REFUSAL.exec(text) ?? [];
  if (of !== 'patch' && of !== 'live') return undefined;
  const [first = '', ...rest] = faults.split('\n');
  // Of several faults each has a line of its own; a line that is none goes on with a value.
  const lines = first === 'errors:' ? rest.filter((line) => line.startsWith('  ')).map((line) => line.slice(2)) : [faults];
  const causes = lines.flatMap((line) => readFault(line, of) ?? []);
  return causes.length === 0 ? undefined : { of, causes };
}

const REFUSAL = /^failed to create typed (patch|live) object \([^)]*\): (.*)$/s;

const FAULT = /^(\.[^\n]+?): ((?:field not declared in schema$|duplicate entries for key |expected |element \d+: ).*)$/s;

function readFault(line: string, of: SchemaRefusal['of']): ApiCause | undefined {
  const [, field, fault = ''] = FAULT.exec(line) ?? [];
  if (field === undefined) return undefined;
  // A literal manifest says nothing of what the live object holds: that text is never told.
  return { type: typeOf(fault), field, message: of === 'patch' || isValueFree(fault) ? fault : LIVE };
}

/** The API's own words for the cause of an invalid field. */
function typeOf(fault: string): string {
  if (fault.startsWith('duplicate entries ')) return 'FieldValueDuplicate';
  return fault.startsWith('expected ') ? 'FieldValueTypeInvalid' : 'FieldValueInvalid';
}

const LIVE = 'the live object does not fit the schema';

const VALUE_FREE =
  /^(?:field not declared in schema|element \d+: associative list with(?:out)? keys .*|the live object does not fit the schema)$/;

/** Whether a cause's text is one that never quotes a value, so that it may be told of a computed field too (graph.md 13). */
export function isValueFree(message: string): boolean {
  return VALUE_FREE.test(message);
}
