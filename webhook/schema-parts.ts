import type { ResourceKind } from '../src/api/object.ts';
import { parseJson, printJson } from '../src/kube/json.ts';
import { hashOf, resourceSchema, type SchemaBundle, snapshotOf } from '../src/schema/bundle.ts';
import { SchemaDocument } from '../src/schema/document.ts';
import type { ResourceSchema, SchemaSnapshot } from '../src/schema/snapshot.ts';
import type { SchemaPart } from './compile-message.ts';

/** What one part says: the kinds of one API group and version with their schemas, or all kinds that the cluster serves. */
type PartContent =
  | { readonly word: 'bundle'; readonly bundle: SchemaBundle }
  | { readonly word: 'served'; readonly kinds: readonly ResourceKind[] };

/** Writes parts, and remembers what it wrote: what a cluster says of its kinds is turned into bytes once, not once a request. */
export class PartWriter {
  readonly #written = new WeakMap<object, SchemaPart>();

  bundle(bundle: SchemaBundle): SchemaPart {
    return this.#write(bundle, { word: 'bundle', bundle });
  }

  served(kinds: readonly ResourceKind[]): SchemaPart {
    return this.#write(kinds, { word: 'served', kinds });
  }

  #write(key: object, content: PartContent): SchemaPart {
    const known = this.#written.get(key);
    if (known !== undefined) return known;
    const text = printJson(content);
    const encoded = Buffer.from(text);
    const bytes = new SharedArrayBuffer(encoded.byteLength);
    new Uint8Array(bytes).set(encoded);
    const part = { hash: hashOf([text]), bytes };
    this.#written.set(key, part);
    return part;
  }
}

interface ReadPart {
  readonly resources: readonly ResourceSchema[];
  readonly served: readonly ResourceKind[] | undefined;
}

const MOST_SNAPSHOTS = 50;

/** The thread's side: parts become schemas once, and equal lists of parts are the same snapshot, so that what is derived from it stays. */
export class PartReader {
  readonly #parts = new Map<string, ReadPart>();
  readonly #snapshots = new Map<string, SchemaSnapshot>();

  add({ hash, bytes }: SchemaPart): void {
    // A copy: text is not decoded from memory that is shared.
    this.#parts.set(hash, read(parseJson(Buffer.from(new Uint8Array(bytes).slice().buffer).toString('utf8')) as PartContent));
  }

  /** The snapshot that parts added before make together. */
  snapshot(hashes: readonly string[]): SchemaSnapshot {
    const key = hashes.join(' ');
    const known = this.#snapshots.get(key);
    if (known !== undefined) return known;
    const parts = hashes.map((hash) => this.#part(hash));
    const served = parts.find((part) => part.served !== undefined)?.served;
    const snapshot = snapshotOf(
      parts.flatMap(({ resources }) => resources),
      served,
    );
    if (this.#snapshots.size >= MOST_SNAPSHOTS) this.#snapshots.clear();
    this.#snapshots.set(key, snapshot);
    return snapshot;
  }

  #part(hash: string): ReadPart {
    const part = this.#parts.get(hash);
    if (part === undefined) throw new Error(`schema part ${hash} was never sent to this thread`);
    return part;
  }
}

function read(content: PartContent): ReadPart {
  if (content.word === 'served') return { resources: [], served: content.kinds };
  const document = new SchemaDocument(new Map(Object.entries(content.bundle.schemas)));
  return { resources: content.bundle.resources.map((resource) => resourceSchema(resource, document)), served: undefined };
}
