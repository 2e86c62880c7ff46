/** The sooner of two times to look again, in milliseconds; undefined: there is none. */
export function sooner(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);
}
