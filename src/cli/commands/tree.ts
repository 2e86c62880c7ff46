import { Command } from 'commander';
import type { Graph } from '../../api/graph.ts';
import { API_GROUP, GRAPH_PLURAL } from '../../api/names.ts';
import type { ResourceKind } from '../../api/object.ts';
import { compile } from '../../compiler/compile.ts';
import { uses } from '../../compiler/uses.ts';
import { printLine } from '../../diagnostic/print.ts';
import { systemClock } from '../../kube/clock.ts';
import { ConfigError } from '../../kube/config-error.ts';
import { ApiError, ConnectionError, isObjectNotFound } from '../../kube/error.ts';
import { SchemaCatalog } from '../../kube/schemas.ts';
import { type ClusterConnection, withCluster } from '../cluster.ts';
import { observe } from '../tree/observe.ts';
import { printTree } from '../tree/print.ts';

interface TreeOptions {
  readonly kubeconfig?: string;
  readonly namespace?: string;
}

/** `kro-graph tree NAME`: the nodes of a live Graph, their states and their objects, read as the user of the kubeconfig. */
export const treeCommand = new Command('tree')
  .description('show the nodes of a Graph in the cluster, their states and their objects')
  .argument('<name>', 'name of the Graph')
  .option('--kubeconfig <file>', 'kubeconfig of the cluster (default: KUBECONFIG, else ~/.kube/config)')
  .option('-n, --namespace <name>', "the Graph's namespace (default: that of the kubeconfig's context)")
  .action(async (name: string, { kubeconfig, namespace }: TreeOptions) => {
    let where = namespace || 'default';
    try {
      process.exitCode = await withCluster(kubeconfig, (cluster) => {
        where = namespace || cluster.namespace;
        return tree(cluster, { name, namespace: where });
      });
    } catch (error) {
      if (!(error instanceof ConfigError || error instanceof ApiError || error instanceof ConnectionError)) throw error;
      process.stderr.write(`kro-graph tree: ${explain(error, { name, namespace: where })}\n`);
      process.exitCode = 2;
    }
  });

async function tree(
  { client }: ClusterConnection,
  { name, namespace }: { readonly name: string; readonly namespace: string },
): Promise<number> {
  const object = await client.get({ group: API_GROUP, version: 'v1alpha1', plural: GRAPH_PLURAL, namespace, name });
  // The CRD's schema has checked the shape.
  const graph = object as unknown as Graph;
  const catalog = new SchemaCatalog({ client, clock: systemClock });
  const { snapshot } = await catalog.load(uses(graph.spec));
  const { program, diagnostics } = compile({ graph, schemas: snapshot });
  if (program === undefined) {
    process.stderr.write(`Graph ${namespace}/${name} does not compile:\n`);
    for (const diagnostic of diagnostics) process.stderr.write(`  ${printLine(diagnostic)}\n`);
    return 1;
  }
  const resolveKind = async (kind: ResourceKind) => (await catalog.load([kind])).snapshot.get(kind);
  const seen = await observe({ program, client, namespace, resolveKind, signal: new AbortController().signal });
  process.stdout.write(printTree(graph, program, seen, { isColoured: isColoured() }));
  return 0;
}

/** The server's words, and where it looked: whoever forgets `--namespace` sees it. */
function explain(error: Error, { name, namespace }: { readonly name: string; readonly namespace: string }): string {
  const isAbsent = isObjectNotFound(error, { plural: GRAPH_PLURAL, name });
  return isAbsent ? `${error.message} in namespace "${namespace}"` : error.message;
}

function isColoured(): boolean {
  return (process.stdout.isTTY || process.env['FORCE_COLOR'] !== undefined) && process.env['NO_COLOR'] === undefined;
}
