import type { NodeKindName } from '../../api/graph.ts';
import { def } from './def.ts';
import { graph } from './graph.ts';
import type { NodeKind } from './kind.ts';
import { patch } from './patch.ts';
import { ref } from './ref.ts';
import { template } from './template.ts';

/** The node kinds by the field that makes a node one of them (graph.md 4). */
export const nodeKinds = { template, ref, def, patch, graph } satisfies Record<NodeKindName, NodeKind>;
