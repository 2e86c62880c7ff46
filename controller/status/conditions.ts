import type { Condition, ConditionType } from '../../src/api/graph.ts';

/** What a condition should say; the rest follows from what it said before. */
export interface Verdict {
  readonly type: ConditionType;
  readonly status: Condition['status'];
  readonly reason: string;
  readonly message: string;
}

/** The longest message of a condition, as the CRD allows (graph.md 12.8). */
export const LONGEST_MESSAGE = 32 * 1024;

/**
 * Conditions after these verdicts: each with the generation that it was judged for, and a transition time that moves only when its status
 * does (graph.md 13). Conditions without a verdict stay as they were; the order is that of the first time.
 */
export function setConditions(
  before: readonly Condition[] | undefined,
  verdicts: readonly Verdict[],
  { generation, now }: { readonly generation: number; readonly now: string },
): Condition[] {
  const conditions = [...(before ?? [])];
  for (const { type, status, reason, message } of verdicts) {
    const at = conditions.findIndex((condition) => condition.type === type);
    const former = conditions[at];
    const condition: Condition = {
      type,
      status,
      reason,
      message,
      observedGeneration: generation,
      lastTransitionTime: former?.status === status ? former.lastTransitionTime : now,
    };
    if (former === undefined) conditions.push(condition);
    else conditions[at] = condition;
  }
  return conditions;
}

/** What is said of many, as one message, as far as a condition may hold it: no more are printed than fit. */
export function joinPrinted<T>(all: readonly T[], print: (each: T) => string): string {
  const lines: string[] = [];
  let characters = 0;
  for (const each of all) {
    if (characters > LONGEST_MESSAGE) break;
    const line = print(each);
    characters += line.length + 1;
    lines.push(line);
  }
  return joinLines(lines, LONGEST_MESSAGE, all.length - lines.length);
}

/** Lines as one message, cut at what a condition may hold, saying how many more there are, and `more` besides (graph.md 12.8). */
export function joinLines(all: readonly string[], longest = LONGEST_MESSAGE, more = 0): string {
  const lines = [...new Set(all)];
  const whole = lines.join('\n');
  if (more === 0 && Buffer.byteLength(whole) <= longest) return whole;
  const room = longest - 64;
  const kept: string[] = [];
  let size = 0;
  for (const line of lines) {
    const cost = Buffer.byteLength(line) + 1;
    if (size + cost > room) break;
    kept.push(line);
    size += cost;
  }
  if (kept.length === 0) return `${cutText(lines[0] ?? '', room)}…\n… and ${lines.length - 1 + more} more`;
  return `${kept.join('\n')}\n… and ${lines.length - kept.length + more} more`;
}

function cutText(text: string, bytes: number): string {
  return Buffer.from(text)
    .subarray(0, bytes)
    .toString('utf8')
    .replace(/\uFFFD+$/, '');
}
