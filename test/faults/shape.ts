import type { AnyObject } from '../cluster/admin.ts';

/** An object of a Graph as it must be in the end. */
export interface ExpectedObject {
  readonly kind: string;
  /** A pattern where the name holds a value that only the API server knows. */
  readonly name: string | RegExp;
  readonly nodeID: string;
  /** Members that the object's `data` must have. */
  readonly data?: Readonly<Record<string, string>>;
}

/** Fields that a Graph has given to another's object. */
export interface ExpectedContribution {
  readonly kind: string;
  readonly name: string;
  readonly nodeID: string;
  readonly subresource?: 'status';
  /** Members that the object's `data` must have because of it. */
  readonly data?: Readonly<Record<string, string>>;
}

/** How the cluster must be when a Graph has settled. */
export interface Expectation {
  /** In apply order. */
  readonly objects: readonly ExpectedObject[];
  readonly contributions: readonly ExpectedContribution[];
}

/** A Graph that is another from the ground up. */
export type Anew =
  /** Deleted, and made again with these nodes as soon as its name is free. */
  | { readonly again: readonly AnyObject[] }
  /** Of these nodes, and acting as another account. */
  | { readonly nodes: readonly AnyObject[]; readonly account: string };

/** What a Graph is to be: its nodes; nothing; what it is, after others have deleted all of its objects; or another. */
export type Wanted = readonly AnyObject[] | 'deleted' | 'robbed' | Anew;

/** A run's Graph and everything around it; every name in it begins with the run's id. */
export interface Scenario {
  /** Objects of others, there before the Graph and after it: what patches and refs aim at. */
  readonly others: readonly AnyObject[];
  /** Applied and settled before anything goes wrong; undefined: there is no Graph yet. */
  readonly before: readonly AnyObject[] | undefined;
  /** The change during which something goes wrong. */
  readonly change: Wanted;
  /** A second change, made while nobody reconciles. */
  readonly afterwards?: Wanted;
  /** By the Graph's name; empty if there must be none in the end. */
  readonly expected: ReadonlyMap<string, Expectation>;
}

/** One way to use Graphs whose crash safety is tested: at least ten writes (graph.md 12.7). */
export interface Shape {
  readonly name: string;
  readonly scenario: (id: string) => Scenario;
  /** Whether it never writes two things at once, so that no write overtakes another. */
  readonly isSequential?: boolean;
  /** Whether it may settle only when writes of unknown fate are certainly over, after 70 s (graph.md 12.1, 12.3). */
  readonly isPatient?: boolean;
}
