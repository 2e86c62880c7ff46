import { type Options, variableOf } from './option.ts';
import { PROCESSES } from './options.ts';

const PREFIX = 'KRO_GRAPH_';

/** What kubelet sets for a Service that is named `kro-graph-…`, where Service links are not turned off. */
const SERVICE_LINK = /_SERVICE_(HOST|PORT(_[A-Z0-9_]+)?)=|_PORT_[0-9]+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?=|_PORT=(tcp|udp|sctp):/;

/**
 * The environment variables that look like options of these processes and are none, so that they change nothing: one that is mistyped is told, as a
 * mistyped flag is (operations.md 5). Those of the other process are none of them, since both may share an environment.
 */
export function strayVariables(environment: Readonly<Record<string, string | undefined>>): readonly string[] {
  const known = new Set(Object.values(PROCESSES).flatMap(variablesOf));
  return Object.entries(environment)
    .filter(([name, value = '']) => name.startsWith(PREFIX) && !known.has(name) && !SERVICE_LINK.test(`${name}=${value}`))
    .map(([name]) => name)
    .sort();
}

/** The environment variables of options. */
export function variablesOf(options: Options): readonly string[] {
  return Object.keys(options).map(variableOf);
}
