type Segment = string | number;

const PLAIN_NAME = /^[A-Za-z_$][A-Za-z0-9_$-]*$/;

/**
 * Where a value stands in an object, as a list of field names and list indexes.
 * Immutable and shared: appending makes one small object, whatever the depth.
 */
export class FieldPath {
  static readonly root = new FieldPath(undefined, '');

  readonly parent: FieldPath | undefined;
  readonly segment: Segment;

  private constructor(parent: FieldPath | undefined, segment: Segment) {
    this.parent = parent;
    this.segment = segment;
  }

  /** The path that these segments lead to from the root. */
  static of(...segments: readonly Segment[]): FieldPath {
    let path = FieldPath.root;
    for (const segment of segments) path = new FieldPath(path, segment);
    return path;
  }

  /** The path of a field of the object that stands here. */
  field(name: string): FieldPath {
    return new FieldPath(this, name);
  }

  /** The path of an element of the list that stands here. */
  index(position: number): FieldPath {
    return new FieldPath(this, position);
  }

  /** The segments from the root to here. */
  segments(): Segment[] {
    const segments: Segment[] = [];
    for (let path: FieldPath = this; path.parent !== undefined; path = path.parent) segments.push(path.segment);
    return segments.reverse();
  }

  /** As kubectl prints it: `spec.nodes[3].template.metadata.labels["a/b"]`. */
  toString(): string {
    let text = '';
    for (const segment of this.segments()) {
      if (typeof segment === 'number') text += `[${segment}]`;
      else if (!PLAIN_NAME.test(segment)) text += `[${JSON.stringify(segment)}]`;
      else text += text === '' ? segment : `.${segment}`;
    }
    return text;
  }
}

/** Orders paths as they stand in the object: list indexes by number, field names by text, a parent before its children. */
export function comparePaths(a: FieldPath, b: FieldPath): number {
  const left = a.segments();
  const right = b.segments();
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const order = compareSegments(left[i], right[i]);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

function compareSegments(a: Segment | undefined, b: Segment | undefined): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  const [left, right] = [String(a), String(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}
