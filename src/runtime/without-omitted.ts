import { isList, isMap, MapValue, mapEntries, OMIT, Optional, type Value } from '../cel/value.ts';

/** A value without the fields and elements that `omit()` left out, at any depth (graph.md 7). */
export function withoutOmitted(value: Value): Value {
  if (isList(value)) return value.filter((item) => item !== OMIT).map(withoutOmitted);
  if (value instanceof Optional) return value.value === undefined ? value : Optional.of(withoutOmitted(value.value));
  if (!isMap(value)) return value;
  const kept = new MapValue();
  for (const [key, entry] of mapEntries(value)) if (entry !== OMIT) kept.set(key, withoutOmitted(entry));
  return kept;
}
