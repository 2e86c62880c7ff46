const MOST = 3;

/**
 * The candidates closest to `name` by edit distance (a swap of neighbours counts one), best first, at most three.
 * Only near ones: at most a third of the name's length away; one edit is allowed always, but not of a name's only letter. Case differences cost nothing
 * but order after exact letters.
 */
export function nearest(name: string, candidates: Iterable<string>): string[] {
  const wanted = name.toLowerCase();
  const limit = Math.max(1, Math.floor(name.length / 3));
  const scored: { candidate: string; distance: number }[] = [];
  for (const candidate of new Set(candidates)) {
    if (candidate === name || Math.abs(candidate.length - name.length) > limit) continue;
    const distance = editDistance(wanted, candidate.toLowerCase());
    // Of a name of one letter nothing would be left that is alike.
    if (distance <= limit && distance < name.length) scored.push({ candidate, distance });
  }
  scored.sort((a, b) => a.distance - b.distance || (a.candidate < b.candidate ? -1 : 1));
  return scored.slice(0, MOST).map(({ candidate }) => candidate);
}

/** `did you mean "a" or "b"?`, or nothing when no candidate is near. */
export function didYouMean(name: string, candidates: Iterable<string>): string | undefined {
  return askWhether(nearest(name, candidates));
}

/** `did you mean "a", "b" or "c"?`; nothing if there are no names to ask for. */
export function askWhether(names: readonly string[]): string | undefined {
  const quoted = names.map((name) => `"${name}"`);
  const last = quoted.pop();
  if (last === undefined) return undefined;
  return `did you mean ${quoted.length === 0 ? last : `${quoted.join(', ')} or ${last}`}?`;
}

function editDistance(a: string, b: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1] ? 0 : 1;
      let best = Math.min(at(previous, column) + 1, at(current, column - 1) + 1, at(previous, column - 1) + same);
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        best = Math.min(best, at(beforePrevious, column - 2) + 1);
      }
      current.push(best);
    }
    beforePrevious = previous;
    previous = current;
  }
  return at(previous, b.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
