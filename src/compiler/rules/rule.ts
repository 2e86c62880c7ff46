import type { DiagnosticDefinition, Report } from '../../diagnostic/diagnostic.ts';
import type { SchemaSnapshot } from '../../schema/snapshot.ts';
import type { SourceFrame, SourceNode } from '../frame.ts';
import type { CompileLimits } from '../limits.ts';
import type { SourceExpression } from '../payload.ts';
import type { Steps } from '../steps.ts';

/** The Graph's own name, as far as it has one. */
export interface GraphName {
  readonly name: string | undefined;
  readonly namespace: string | undefined;
}

/** What rules may ask beside their subject. */
export interface RuleContext {
  readonly graph: GraphName;
  readonly schemas: SchemaSnapshot;
  readonly limits: CompileLimits;
  readonly steps: Steps;
}

/** What the manual reads of a diagnostic's definition. */
export type DiagnosticCode = Pick<DiagnosticDefinition<never>, 'code' | 'severity'>;

/** Takes a rule's diagnostics. */
export type RuleReport = Report;

/**
 * One validation rule. `after` names the stage whose results it needs: `read` (entries and their fields as written), `resolve` (expressions
 * and what their names mean), `check` (types). It is asked about every frame, node or condition, whatever other rules have found.
 */
export interface Rule {
  readonly after: 'read' | 'resolve' | 'check';
  readonly diagnostics: readonly DiagnosticCode[];
  /** All frames, the root first. */
  graph?(frames: readonly SourceFrame[], report: RuleReport, context: RuleContext): void;
  frame?(frame: SourceFrame, report: RuleReport, context: RuleContext): void;
  node?(node: SourceNode, report: RuleReport, context: RuleContext): void;
  /** Each expression of includeWhen and readyWhen. */
  condition?(expression: SourceExpression, report: RuleReport, context: RuleContext): void;
}
