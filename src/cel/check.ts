import type { Ast } from './ast.ts';
import { checkHas, checkIndex, checkSelect } from './check-access.ts';
import { checkCall } from './check-call.ts';
import { checkComprehension } from './check-loop.ts';
import type { Checked } from './checked.ts';
import { Checking, typesTooLarge } from './checking.ts';
import type { Environment } from './environment.ts';
import { suggest } from './hint.ts';
import { byPlace, type CelIssue, IssueError } from './issue.ts';
import { TypesTooLarge } from './relate.ts';
import { spanOf } from './stretch.ts';
import { boolType, dynType, errorType, holdsError, listType, mapType, optionalType, printType, type Type } from './type.ts';

export type { Checked } from './checked.ts';

/** The type of an expression and all its mistakes. `checked` is there if there are none. */
export type CheckResult = {
  readonly type: Type;
  /** How many types were compared: what it cost beyond the length of the text. */
  readonly work: number;
} & ({ readonly issues: readonly []; readonly checked: Checked } | { readonly issues: readonly CelIssue[]; readonly checked: undefined });

/** Checks an expression in an environment. Goes on after a mistake; what is wrong has the type *error*, which causes no further ones. */
export function check(ast: Ast, environment: Environment): CheckResult {
  const checking = new Checking(environment, checkNode);
  const type = checkWhole(ast, checking);
  const { work } = checking.substitution;
  if (checking.issues.length > 0) return { type, work, issues: checking.issues, checked: undefined };
  return { type, work, issues: [], checked: checking.result(ast, type) };
}

/** What the calls say of constant arguments stands behind the mistakes of types. */
function checkWhole(ast: Ast, checking: Checking): Type {
  const { issues } = checking;
  try {
    const type = checking.resolved(checking.check(ast));
    checking.settle();
    const mistakes = issues.sort(byPlace).length;
    checking.validateCalls();
    issues.push(...issues.splice(mistakes).sort(byPlace));
    return type;
  } catch (error) {
    const issue = limitOf(error, ast);
    if (issue === undefined) throw error;
    issues.push(issue);
    return errorType;
  }
}

/** What stopped the checking of an expression whose types grow without end; undefined for a bug. */
function limitOf(error: unknown, ast: Ast): CelIssue | undefined {
  if (error instanceof IssueError) return error.issue;
  return error instanceof TypesTooLarge || error instanceof RangeError ? typesTooLarge(spanOf(ast.span)) : undefined;
}

function checkNode(node: Ast, checking: Checking): Type {
  switch (node.kind) {
    case 'literal':
      return node.type;
    case 'identifier':
      return checkIdentifier(checking, node);
    case 'select':
      return checkSelect(checking, node);
    case 'has':
      return checkHas(checking, node);
    case 'index':
      return checkIndex(checking, node);
    case 'call':
      return checkCall(checking, node);
    case 'list':
      return listType(joinAll(checking, node.items));
    case 'map': {
      let key: Type | undefined;
      for (const entry of node.entries) key = checking.substitution.join(key, checking.check(entry.key));
      return mapType(key ?? checking.substitution.freshParameter(), joinAll(checking, node.entries));
    }
    case 'logic':
      for (const term of node.terms) checking.expectBool(term);
      return boolType;
    case 'conditional':
      return checkConditional(checking, node);
    case 'bind': {
      const value = checking.check(node.value);
      return checking.within(node, [[node.name, value]], () => checking.check(node.body));
    }
    case 'optionalMap':
      return checkOptionalMap(checking, node);
    case 'comprehension':
      return checkComprehension(checking, node);
    default:
      return node satisfies never;
  }
}

function checkIdentifier(checking: Checking, node: Ast & { kind: 'identifier' }): Type {
  const found = checking.lookUp(node, node.name, node.absolute);
  if (found !== undefined) return found;
  const candidates = [...checking.scopeNames(), ...checking.environment.variableNames()];
  checking.report('undeclared', `"${node.name}" is not declared`, node.span, suggest(node.name, candidates));
  return errorType;
}

function checkConditional(checking: Checking, node: Ast & { kind: 'conditional' }): Type {
  checking.expectBool(node.condition);
  const then = checking.check(node.whenTrue);
  const otherwise = checking.check(node.whenFalse);
  const result = checking.substitution.freshParameter();
  const agree = checking.substitution.attempt(
    () => checking.substitution.assignable(then, result) && checking.substitution.assignable(otherwise, result),
  );
  if (agree) return checking.substitution.resolve(result, false);
  const [left, right] = [checking.resolved(then), checking.resolved(otherwise)];
  if (holdsError(left) || holdsError(right)) return errorType;
  const hint =
    left.kind === 'null' || right.kind === 'null' ? 'use omit() to leave the field out' : 'wrap one in dyn(...) if both are meant';
  checking.report(
    'overload',
    `both branches must have one type: found ${printType(left)} and ${printType(right)}`,
    node.whenFalse.span,
    hint,
  );
  return errorType;
}

function checkOptionalMap(checking: Checking, node: Ast & { kind: 'optionalMap' }): Type {
  const target = checking.checkNow(node.target);
  const value = target.kind === 'optional' ? target.value : target.kind === 'error' ? errorType : dynType;
  if (target.kind !== 'optional') checking.expect(node.target, target, optionalType(dynType));
  const body = checking.within(node, [[node.name, value]], () => checking.check(node.body));
  if (!node.flat) return optionalType(body);
  const result = checking.substitution.freshParameter();
  const none = optionalType(checking.substitution.freshParameter());
  const fits = checking.substitution.attempt(
    () => checking.substitution.assignable(body, result) && checking.substitution.assignable(none, result),
  );
  if (fits) return checking.substitution.resolve(result, false);
  checking.expect(node.body, body, optionalType(dynType));
  return errorType;
}

function joinAll(checking: Checking, items: readonly { readonly value: Ast; readonly optional: boolean }[]): Type {
  let joined: Type | undefined;
  for (const item of items) {
    let type = checking.check(item.value);
    if (item.optional) {
      const known = checking.substitution.resolve(type, false);
      if (known.kind === 'optional') type = known.value;
      else if (known.kind === 'null') {
        checking.report(
          'overload',
          'expected an optional value, found null',
          item.value.span,
          'leave the entry out, or use optional.none()',
        );
        type = errorType;
      } else checking.expect(item.value, known, optionalType(known));
    }
    joined = checking.substitution.join(joined, type);
  }
  return joined ?? checking.substitution.freshParameter();
}
