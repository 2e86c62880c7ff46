import type { Budget } from '../budget.ts';
import { fail } from '../error.ts';
import type { Integer } from '../int64.ts';
import { type Argument, type ArgumentFault, define, type Library, type Overload, overload } from './declare.ts';
import { Pattern } from './pattern.ts';

/** Regular expressions of RE2's syntax: the standard `matches` and Kubernetes' `find` and `findAll`. */
export const regex: Library = {
  name: 'regex',
  doc: 'Regular expressions in RE2 syntax. A match can be anywhere in the string.',
  functions: [
    define('matches', {
      doc: 'Whether the string contains a match of the pattern.',
      examples: [
        ["'web-0'.matches('^[a-z]+-[0-9]+$')", 'true'],
        ["matches('abc', 'b')", 'true'],
      ],
      overloads: [
        withPattern('matches(string, string) -> bool', (pattern, text, budget) => pattern.matches(text, budget)),
        withPattern('string.matches(string) -> bool', (pattern, text, budget) => pattern.matches(text, budget)),
      ],
    }),
    define('find', {
      doc: 'The first match of the pattern; empty if there is none.',
      examples: [["'abc 123'.find('[0-9]+')", "'123'"]],
      overloads: [withPattern('string.find(string) -> string', (pattern, text, budget) => pattern.find(text, budget) ?? '')],
    }),
    define('findAll', {
      doc: 'The matches of the pattern that do not overlap, at most as many as a limit if one is given.',
      examples: [
        ["'123 abc 456'.findAll('[0-9]+')", "['123', '456']"],
        ["'123 abc 456'.findAll('[0-9]+', 1)", "['123']"],
      ],
      overloads: [
        withPattern('string.findAll(string) -> list(string)', (pattern, text, budget) =>
          pattern.findAll(text, Number.POSITIVE_INFINITY, budget),
        ),
        overload(
          'string.findAll(string, int) -> list(string)',
          (text: string, source: string, limit: Integer, budget: Budget) => findAll(compiled(source, budget), text, limit, budget),
          {
            validate,
            prepare: (args) => {
              const pattern = constantPattern(args);
              return pattern && ((text: string, _source: string, limit: Integer, budget: Budget) => findAll(pattern, text, limit, budget));
            },
          },
        ),
      ],
    }),
  ],
};

/** An overload of a text and a pattern, which is compiled once if it is constant. */
function withPattern(signature: string, apply: (pattern: Pattern, text: string, budget: Budget) => unknown): Overload {
  return overload(signature, (text: string, source: string, budget: Budget) => apply(compiled(source, budget), text, budget), {
    validate,
    prepare: (args) => {
      const pattern = constantPattern(args);
      return pattern && ((text: string, _source: string, budget: Budget) => apply(pattern, text, budget));
    },
  });
}

function findAll(pattern: Pattern, text: string, limit: Integer, budget: Budget): string[] {
  return pattern.findAll(text, limit < 0 ? Number.POSITIVE_INFINITY : Number(limit), budget);
}

/** The patterns that an evaluation has compiled, so that one in a loop is compiled once. */
const compiledBy = new WeakMap<Budget, Map<string, Pattern>>();

function compiled(source: string, budget: Budget): Pattern {
  const known = compiledBy.get(budget) ?? new Map<string, Pattern>();
  compiledBy.set(budget, known);
  const found = known.get(source);
  if (found !== undefined) return found;
  const pattern = Pattern.compile(source, budget);
  if (typeof pattern === 'string') throw fail('argument', 'not a regular expression that RE2 knows');
  known.set(source, pattern);
  return pattern;
}

function constantPattern([, source]: readonly Argument[]): Pattern | undefined {
  if (typeof source?.literal !== 'string') return undefined;
  const pattern = Pattern.compile(source.literal);
  return typeof pattern === 'string' ? undefined : pattern;
}

function validate([, source]: readonly Argument[]): ArgumentFault[] {
  if (typeof source?.literal !== 'string') return [];
  const pattern = Pattern.compile(source.literal);
  if (typeof pattern !== 'string') return [];
  return [
    {
      message: `wrong regular expression: ${pattern}`,
      hint: 'patterns have the syntax of RE2: no look-around, no back references',
      span: source.span,
    },
  ];
}
