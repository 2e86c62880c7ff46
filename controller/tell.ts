import type { Graph } from '../src/api/graph.ts';
import { API_GROUP, GRAPH_KIND } from '../src/api/names.ts';
import type { EventRecorder } from '../src/kube/events.ts';
import type { TellAbout } from './reconcile/report.ts';

/** Each kind of good news is told at most so often by the whole process: a thousand Graphs that start at once are not worth as many requests. */
const BURST = 10;
const PER_SECOND = 1.5;

/** Kubernetes Events about Graphs. What is wrong is always told; what went well as far as there is room. */
export function eventsAbout(recorder: EventRecorder, now: () => number): TellAbout {
  const rooms = new Map<string, { tokens: number; filledAt: number }>();
  const hasRoom = (reason: string): boolean => {
    const at = now();
    const room = rooms.get(reason) ?? { tokens: BURST, filledAt: at };
    rooms.set(reason, room);
    room.tokens = Math.min(BURST, room.tokens + ((at - room.filledAt) / 1000) * PER_SECOND);
    room.filledAt = at;
    if (room.tokens < 1) return false;
    room.tokens--;
    return true;
  };
  return ({ metadata }: Graph) => {
    const subject = {
      group: API_GROUP,
      version: 'v1alpha1',
      kind: GRAPH_KIND,
      namespace: metadata.namespace ?? '',
      name: metadata.name,
      uid: metadata.uid ?? '',
    };
    return (type, reason, note) => {
      if (type === 'Normal' && !ALWAYS.has(reason) && !hasRoom(reason)) return;
      recorder.record(subject, { type, reason, action: ACTIONS[reason] ?? 'Reconcile', note });
    };
  };
}

/** Rare, and what somebody will look for. */
const ALWAYS: ReadonlySet<string> = new Set(['Adopted', 'Pruned']);

const ACTIONS: Readonly<Record<string, string>> = {
  Accepted: 'Compile',
  InvalidGraph: 'Compile',
  Applied: 'Apply',
  Adopted: 'Apply',
  UpdateRefused: 'Apply',
  ApplyFailed: 'Apply',
  FieldManagerConflict: 'Apply',
  Pruned: 'Prune',
  PruneFailed: 'Prune',
  PruneHeld: 'Prune',
  ReleaseFailed: 'Release',
  DeleteFailed: 'Delete',
};
