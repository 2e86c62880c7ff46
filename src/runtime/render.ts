import type { JsonObject } from '../api/object.ts';
import type { Value } from '../cel/value.ts';
import type { DefProgramNode, PatchProgramNode, RefProgramNode, TemplateProgramNode } from '../compiler/program.ts';
import type { Evaluation, EvaluationContext } from './evaluate.ts';
import type { Locals } from './scope.ts';

/** A node that is about an object of the cluster. */
export type ObjectProgramNode = TemplateProgramNode | RefProgramNode | PatchProgramNode;

/** The identity fields of one rendered item, as the payload gives them: no namespace is filled in. */
export interface RenderedIdentity {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string | undefined;
  /** Undefined for a ref by selector. */
  readonly name: string | undefined;
}

/** One item's whole payload as JSON; for a ref with its rendered selector. */
export type RenderManifest = (node: ObjectProgramNode, locals: Locals, context: EvaluationContext) => Evaluation<JsonObject>;

/** One item's identity fields alone, so that it may be known before the rest can be rendered (graph.md 8.5). */
export type RenderIdentity = (node: ObjectProgramNode, locals: Locals, context: EvaluationContext) => Evaluation<RenderedIdentity>;

/** One item of a def, as CEL values: what it publishes. */
export type RenderValue = (node: DefProgramNode, locals: Locals, context: EvaluationContext) => Evaluation<Value>;
