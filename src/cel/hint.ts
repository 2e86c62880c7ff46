import { didYouMean } from '../diagnostic/nearest.ts';
import type { Type } from './type.ts';

/** "did you mean …?", or the names there are if they are few. */
export function suggest(name: string, candidates: readonly string[]): string | undefined {
  const near = didYouMean(name, candidates);
  if (near !== undefined) return near;
  if (candidates.length === 0 || candidates.length > 12) return undefined;
  return `there is ${candidates.map((candidate) => `"${candidate}"`).join(', ')}`;
}

/** How a value of one type becomes one of another. */
export function conversionHint(found: Type, wanted: Type): string | undefined {
  if (found.kind === 'optional' && wanted.kind !== 'optional') return 'take its value with .orValue(...) or .value()';
  if (wanted.kind === 'optional' && found.kind !== 'optional') return 'wrap it in optional.of(...)';
  if (found.kind === 'null' || wanted.kind === 'null') return 'only objects, times, optionals and dyn can be null: test with has(...)';
  switch (wanted.kind) {
    case 'int':
    case 'uint':
    case 'double':
      return ['int', 'uint', 'double', 'string'].includes(found.kind) ? `convert with ${wanted.kind}(...)` : undefined;
    case 'string':
      return ['list', 'map', 'struct', 'null'].includes(found.kind) ? undefined : 'convert with string(...)';
    case 'timestamp':
    case 'duration':
    case 'bytes':
      return found.kind === 'string' ? `convert with ${wanted.kind}(...)` : undefined;
    case 'bool':
      return found.kind === 'string' ? 'convert with bool(...), or compare it' : 'compare it with something';
    case 'list':
      return found.kind === 'list' || found.kind === 'map' ? undefined : 'put it in a list: [x]';
    default:
      return undefined;
  }
}
