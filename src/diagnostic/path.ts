/** A field name or a list index. */
export type Segment = string | number;

const MOST_SEGMENTS_TOLD = 100;
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

  /** The segments from a path around this one to here; undefined if it is none of those that this was made from. */
  below(around: FieldPath): Segment[] | undefined {
    const segments: Segment[] = [];
    for (let path: FieldPath | undefined = this; path !== around; path = path.parent) {
      if (path === undefined) return undefined;
      segments.push(path.segment);
    }
    return segments.reverse();
  }

  /** As kubectl prints it: `spec.nodes[3].template.metadata.labels["a/b"]`. */
  toString(): string {
    return print(this.segments());
  }

  /** As `toString`, for the text of a message: of a path of hundreds of levels only the end. */
  toShortString(): string {
    const segments: Segment[] = [];
    let path: FieldPath = this;
    for (; path.parent !== undefined && segments.length < MOST_SEGMENTS_TOLD; path = path.parent) segments.push(path.segment);
    return `${path.parent === undefined ? '' : '…'}${print(segments.reverse())}`;
  }
}

function print(segments: readonly Segment[]): string {
  let text = '';
  for (const segment of segments) {
    if (typeof segment === 'number') text += `[${segment}]`;
    else if (!PLAIN_NAME.test(segment)) text += `[${JSON.stringify(segment)}]`;
    else text += text === '' ? segment : `.${segment}`;
  }
  return text;
}

/** Orders what stands in one object or list: indexes by number, field names by text. */
export function compareSegments(a: Segment, b: Segment): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  const [left, right] = [String(a), String(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}
