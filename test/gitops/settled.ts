import type { AnyObject } from '../cluster/admin.ts';

/** Whether the controller has nothing more to write on this Graph: everything is ready, and its watches are open. */
export function isSettled(graph: AnyObject | undefined): boolean {
  return ['Ready', 'WatchesHealthy'].every((type) => {
    const condition = graph?.['status']?.conditions?.find((one: AnyObject) => one['type'] === type);
    return condition?.status === 'True' && condition.observedGeneration === graph?.['metadata'].generation;
  });
}
