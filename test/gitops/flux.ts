import type { AnyObject } from '../cluster/admin.ts';
import { runTool } from './judges.ts';

/** What Flux's kustomize-controller is asked to do with objects. */
export interface FluxRequest {
  readonly objects: readonly AnyObject[];
  /** `spec.force` of a Kustomization. */
  readonly force?: boolean;
  /** Seconds, as `spec.wait` with `spec.timeout`; none: it does not wait. */
  readonly wait?: number;
  /** Prunes the objects. */
  readonly delete?: boolean;
}

/** What it did, and the error that the Kustomization would show. */
export interface FluxAnswer {
  readonly changes: readonly { readonly subject: string; readonly action: string }[];
  readonly error?: string;
}

/** Applies as Flux does, with Flux's own library. */
export async function flux(kubeconfig: string, request: FluxRequest): Promise<FluxAnswer> {
  return JSON.parse(await runTool('flux-ssa', ['--kubeconfig', kubeconfig], JSON.stringify(request)));
}

/** Throws where one of these objects of Flux has a field that Flux does not know. */
export async function decodeAsFlux(objects: readonly AnyObject[]): Promise<void> {
  await runTool('flux-ssa', ['--decode'], objects.map((object) => JSON.stringify(object)).join('\n'));
}
