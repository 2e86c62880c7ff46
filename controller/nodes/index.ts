import type { LeafNode } from '../../src/engine/walk.ts';
import type { Outcome } from '../../src/runtime/outcome.ts';
import type { ReconcileContext } from '../reconcile/context.ts';
import { actDef } from './def.ts';
import { actPatch } from './patch.ts';
import { actRef } from './ref.ts';
import { actTemplate } from './template.ts';

/** What a node kind does in a walk. Throws only for what the Graph cannot have caused. */
export type Actuator<Kind extends LeafNode['kind']> = (
  node: Extract<LeafNode, { readonly kind: Kind }>,
  context: ReconcileContext,
) => Promise<Outcome>;

/** The actuators, one for each node kind; a graph node is its frame, which the walk itself goes through. */
export const ACTUATORS = {
  template: actTemplate,
  ref: actRef,
  def: actDef,
  patch: actPatch,
} satisfies { [Kind in LeafNode['kind']]: Actuator<Kind> };

/** Acts on a node by its kind. */
export function act(node: LeafNode, context: ReconcileContext): Promise<Outcome> {
  const actuator: Actuator<LeafNode['kind']> = ACTUATORS[node.kind] as Actuator<LeafNode['kind']>;
  return actuator(node, context);
}
