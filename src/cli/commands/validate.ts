import { readFileSync } from 'node:fs';
import { Command, Option } from 'commander';
import { API_GROUP, GRAPH_KIND } from '../../api/names.ts';
import type { JsonObject, JsonValue } from '../../api/object.ts';
import { compile } from '../../compiler/compile.ts';
import { uses } from '../../compiler/uses.ts';
import { inPathOrder } from '../../diagnostic/diagnostic.ts';
import { nearest } from '../../diagnostic/nearest.ts';
import { decodeManifest } from '../../manifest/decode.ts';
import { type Manifest, readManifests } from '../../manifest/read.ts';
import type { SchemaSnapshot } from '../../schema/snapshot.ts';
import { againWithDeepStack, formerStdin, hasDeepStack } from '../deep-stack.ts';
import { type Finding, findingToJson, printFinding } from '../findings.ts';
import { checkOwnMetadata } from '../own-metadata.ts';
import { loadSchemas, NoSchemas, type SchemaOptions } from '../schema-source.ts';
import { readStdin } from '../stdin.ts';

interface ValidateOptions extends SchemaOptions {
  readonly output: 'text' | 'json';
  readonly namespace: string;
}

/** A Graph of a file. */
interface FileGraph {
  readonly file: string;
  readonly manifest: Manifest;
  readonly graph: JsonObject;
}

/** What is in the files. */
interface Contents {
  readonly graphs: readonly FileGraph[];
  readonly findings: readonly Finding[];
  /** Objects that are no Graphs. */
  readonly others: number;
  /** Whether it nests too deep for the stack of this thread. */
  readonly isTooDeep: boolean;
}

/** As the name of a file. */
const STDIN = '-';

/** A file that cannot be read at all: exit code 2. */
class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile';
}

/** `kro-graph validate FILE...`: what the webhook would say of the Graphs in files, and what the API server says before it asks. */
export const validateCommand = new Command('validate')
  .description('validate the Graphs in files; exit code 0: all are valid, 1: one is invalid, 2: that could not be determined')
  .argument('<files...>', 'YAML or JSON files; - reads stdin')
  .option(
    '--kubeconfig <file>',
    'read schemas from the cluster of this kubeconfig (default: KUBECONFIG; without it, use those of the standard kinds)',
  )
  .option('--cluster', 'read schemas from the cluster that kubectl would use (KUBECONFIG, else ~/.kube/config)')
  .option('--schemas <dir>', 'read schemas from the bundles in this directory, not from a cluster')
  .option('--crds <dir>', 'treat the CustomResourceDefinitions in this directory as installed')
  .option('-n, --namespace <name>', 'namespace of Graphs that do not specify one', 'default')
  .addOption(new Option('-o, --output <format>', 'output format').choices(['text', 'json']).default('text'))
  .action(async (files: string[], options: ValidateOptions) => {
    try {
      process.exitCode = await validate(files, options);
    } catch (error) {
      if (!(error instanceof NoSchemas || error instanceof UnreadableFile)) throw error;
      process.stderr.write(`kro-graph validate: ${error.message}\n`);
      process.exitCode = 2;
    }
  });

async function validate(files: readonly string[], options: ValidateOptions): Promise<number> {
  const stdin = files.includes(STDIN) ? (formerStdin() ?? decodeManifest(await readStdin())) : undefined;
  const contents = files.map((file) => readFile(file, file === STDIN ? (stdin ?? '') : textOf(file)));
  if (!hasDeepStack && contents.some(({ isTooDeep }) => isTooDeep)) return againWithDeepStack(stdin);
  const graphs = contents.flatMap((content) => content.graphs);
  const kinds = graphs.flatMap(({ graph }) => uses(graph['spec']));
  const source = graphs.length === 0 ? undefined : await loadSchemas(kinds, options);
  const compiled = source === undefined ? [] : graphs.flatMap((each) => compileGraph(each, source.schemas, options.namespace));
  const findings = [...contents.flatMap((content) => content.findings), ...compiled];
  if (options.output === 'json') process.stdout.write(`${JSON.stringify({ findings: findings.map(findingToJson) }, undefined, 2)}\n`);
  else for (const finding of findings) process.stdout.write(`${printFinding(finding)}\n`);
  const others = contents.reduce((sum, content) => sum + content.others, 0);
  process.stderr.write(summary(graphs.length, others, findings));
  if (source?.note !== undefined) process.stderr.write(`${source.note}\n`);
  return findings.some(({ severity }) => severity === 'error') ? 1 : 0;
}

function readFile(file: string, text: string): Contents {
  const name = file === STDIN ? '<stdin>' : file;
  const { manifests, faults, doubts, isTooDeep } = readManifests(text);
  const findings: Finding[] = [
    ...faults.map(({ message, position }): Finding => ({ file: name, ...position, severity: 'error', code: 'file/syntax', message })),
    ...doubts.map(
      ({ message, position }): Finding => ({ file: name, ...position, severity: 'warning', code: 'file/boolean-key', message }),
    ),
  ];
  const graphs = manifests.flatMap((manifest): FileGraph[] => {
    const { value } = manifest;
    return isObject(value) && isGraph(value) ? [{ file: name, manifest, graph: value }] : [];
  });
  if (graphs.length === 0 && faults.length === 0) {
    findings.push({
      file: name,
      line: 1,
      column: 1,
      severity: 'error',
      code: 'file/no-graph',
      message: `there is no ${GRAPH_KIND} of ${API_GROUP} in this file`,
    });
  }
  return { graphs, findings, others: manifests.length - graphs.length, isTooDeep };
}

function textOf(file: string): string {
  try {
    return decodeManifest(readFileSync(file));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EISDIR')
      throw new UnreadableFile(`${file} is a folder: name the files in it`, { cause: error });
    throw new UnreadableFile(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

function compileGraph({ file, manifest, graph }: FileGraph, schemas: SchemaSnapshot, namespace: string): Finding[] {
  const { diagnostics } = compile({ graph: inNamespace(graph, namespace), schemas });
  return inPathOrder([...diagnostics, ...checkOwnMetadata(graph)]).map((diagnostic) => {
    const { severity, code, message, path } = diagnostic;
    return { file, ...manifest.locate(path), severity, code, message, diagnostic };
  });
}

/** kubectl would put a Graph that names no namespace into that of its context. */
function inNamespace(graph: JsonObject, namespace: string): JsonObject {
  const { metadata } = graph;
  return isObject(metadata) && metadata['namespace'] === undefined ? { ...graph, metadata: { ...metadata, namespace } } : graph;
}

/** Also one whose kind is misspelt: passed over as an object of another kind, it would count as checked. */
function isGraph({ apiVersion, kind }: JsonObject): boolean {
  if (typeof apiVersion !== 'string' || typeof kind !== 'string' || !apiVersion.startsWith(`${API_GROUP}/`)) return false;
  return kind === GRAPH_KIND || nearest(kind, [GRAPH_KIND]).length > 0;
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function summary(graphs: number, others: number, findings: readonly Finding[]): string {
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const parts = [count(graphs, 'Graph'), count(errors, 'error'), count(findings.length - errors, 'warning')];
  if (others > 0) parts.push(`${count(others, 'other object')} not checked`);
  return `${parts.join(', ')}\n`;
}

function count(amount: number, what: string): string {
  return `${amount} ${what}${amount === 1 ? '' : 's'}`;
}
