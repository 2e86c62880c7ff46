import { styleText } from 'node:util';
import type { JsonObject } from '../../src/api/object.ts';
import { type KubectlResult, runKubectl } from '../../test/cluster/kubectl.ts';

/** What was expected of a step and did not come; ends the demo with exit code 1. */
export class DemoFailed extends Error {}

/** Shows the demo's steps, and the very commands that they run. */
export interface Stage {
  /** Begins a step. */
  readonly step: (title: string) => void;
  /** A line of explanation. */
  readonly say: (text: string) => void;
  /** Output of a program, indented. */
  readonly show: (text: string) => void;
  /** Runs kubectl in the demo's namespace and shows the command and what it prints; it must succeed. */
  readonly kubectl: (...args: readonly string[]) => Promise<string>;
  /** The same for a command that may fail: its result is returned. */
  readonly tryKubectl: (...args: readonly string[]) => Promise<KubectlResult>;
  /** Runs kubectl without showing it; it must succeed. */
  readonly quietly: (...args: readonly string[]) => Promise<string>;
  /** Applies an object, or a List of them, without showing it; it must succeed. */
  readonly apply: (object: JsonObject) => Promise<string>;
}

/** A stage that prints to standard output; kubectl acts in `namespace`. */
export function setStage(kubeconfig: string, namespace: string): Stage {
  let steps = 0;
  const print = (line: string): void => {
    process.stdout.write(`${line}\n`);
  };
  const show = (text: string): void => {
    for (const line of text.trimEnd().split('\n')) if (text.trim() !== '') print(`    ${line}`);
  };
  const run = (args: readonly string[]): Promise<KubectlResult> => runKubectl([`--namespace=${namespace}`, ...args], { kubeconfig });
  const tryKubectl = async (...args: readonly string[]): Promise<KubectlResult> => {
    print(styleText('cyan', `  $ kubectl ${args.map(quoted).join(' ')}`));
    const result = await run(args);
    show(result.stdout);
    show(styleText('yellow', result.stderr.trimEnd()));
    return result;
  };
  const mustSucceed = (args: readonly string[], { code, stdout, stderr }: KubectlResult): string => {
    if (code !== 0) throw new DemoFailed(`kubectl ${args.join(' ')} ended with exit code ${code}: ${stderr.trim()}`);
    return stdout;
  };
  return {
    step: (title) => print(`\n${styleText('bold', `${++steps}. ${title}`)}`),
    say: (text) => print(`  ${text}`),
    show,
    tryKubectl,
    kubectl: async (...args) => mustSucceed(args, await tryKubectl(...args)),
    quietly: async (...args) => mustSucceed(args, await run(args)),
    apply: async (object) => {
      const args = ['apply', '--server-side', '-f', '-'];
      return mustSucceed(args, await runKubectl(args, { kubeconfig, input: JSON.stringify(object) }));
    },
  };
}

function quoted(argument: string): string {
  return /^[\w@%+=:,./-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", `'\\''`)}'`;
}
