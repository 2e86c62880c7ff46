import { fitsDiagnostics } from '../schema/fits.ts';
import { literalDiagnostics } from '../schema/literal.ts';
import { analysisDiagnostics } from './analyse.ts';
import { checkDiagnostics } from './check.ts';
import { headerDiagnostics } from './header.ts';
import { nodeKinds } from './kinds/index.ts';
import { objectShapeDiagnostics } from './kinds/object-shape.ts';
import { orderDiagnostics } from './order.ts';
import { payloadDiagnostics } from './payload.ts';
import { readDiagnostics } from './read.ts';
import { resolveDiagnostics } from './resolve.ts';
import { rules } from './rules/index.ts';
import type { DiagnosticCode } from './rules/rule.ts';

/** Every diagnostic that a compilation may give, by code in alphabetical order: what the manual lists. */
export function compilerDiagnostics(): readonly DiagnosticCode[] {
  const all: readonly DiagnosticCode[] = [
    ...headerDiagnostics,
    ...readDiagnostics,
    ...payloadDiagnostics,
    ...objectShapeDiagnostics,
    ...resolveDiagnostics,
    ...orderDiagnostics,
    ...checkDiagnostics,
    ...fitsDiagnostics,
    ...literalDiagnostics,
    ...analysisDiagnostics,
    ...Object.values(nodeKinds).flatMap((kind) => kind.diagnostics),
    ...rules.flatMap((rule) => rule.diagnostics),
  ];
  return [...new Map(all.map((diagnostic) => [diagnostic.code, diagnostic])).values()].sort((a, b) => (a.code < b.code ? -1 : 1));
}
