const MOST = 3;

/** More edits than that, and names are not alike, however long they are. */
const MOST_EDITS = 5;
/** So many candidates are compared: a document that is full of names and of mistakes must not cost their product. */
const MOST_COMPARED = 400;

/**
 * The candidates closest to `name` by edit distance (a swap of neighbours counts one), best first, at most three.
 * Only near ones: at most a third of the name's length away, and five edits; one edit is allowed always, but not of a name's only letter. Case
 * differences cost nothing but order after exact letters. Of the candidates about as long as the name the first 400 count.
 */
export function nearest(name: string, candidates: Iterable<string>): string[] {
  const wanted = name.toLowerCase();
  const limit = Math.min(MOST_EDITS, Math.max(1, Math.floor(name.length / 3)));
  const scored = new Map<string, number>();
  let compared = 0;
  for (const candidate of candidates) {
    if (candidate === name || Math.abs(candidate.length - name.length) > limit) continue;
    compared += 1;
    if (compared > MOST_COMPARED) break;
    const distance = editDistance(wanted, candidate.toLowerCase(), limit);
    // Of a name of one letter nothing would be left that is alike.
    if (distance <= limit && distance < name.length) scored.set(candidate, distance);
  }
  const sorted = [...scored].sort(([a, distanceOfA], [b, distanceOfB]) => distanceOfA - distanceOfB || (a < b ? -1 : 1));
  return sorted.slice(0, MOST).map(([candidate]) => candidate);
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

/** The distance, or more than `limit` if it is more than that: only cells so near to the diagonal can be less, and rows end when none is. */
function editDistance(a: string, b: string, limit: number): number {
  const width = b.length + 1;
  const far = limit + 1;
  let beforePrevious = new Uint16Array(width).fill(far);
  let previous = new Uint16Array(width).fill(far);
  let current = new Uint16Array(width).fill(far);
  for (let column = 0; column <= Math.min(b.length, limit); column++) previous[column] = column;
  let leastBefore = 0;
  for (let row = 1; row <= a.length; row++) {
    const first = Math.max(1, row - limit);
    const last = Math.min(b.length, row + limit);
    current[first - 1] = first === 1 ? Math.min(row, far) : far;
    let least = far;
    for (let column = first; column <= last; column++) {
      const isSame = a.charCodeAt(row - 1) === b.charCodeAt(column - 1);
      let best = Math.min(at(previous, column) + 1, at(current, column - 1) + 1, at(previous, column - 1) + (isSame ? 0 : 1), far);
      const isSwap =
        row > 1 && column > 1 && a.charCodeAt(row - 1) === b.charCodeAt(column - 2) && a.charCodeAt(row - 2) === b.charCodeAt(column - 1);
      if (isSwap) best = Math.min(best, at(beforePrevious, column - 2) + 1);
      current[column] = best;
      if (best < least) least = best;
    }
    if (last < b.length) current[last + 1] = far;
    // A swap looks two rows back.
    if (least > limit && leastBefore > limit) return far;
    leastBefore = least;
    [beforePrevious, previous, current] = [previous, current, beforePrevious];
  }
  return at(previous, b.length);
}

function at(row: Uint16Array, column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
