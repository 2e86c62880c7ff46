import t from 'tap';
import { strayVariables, variablesOf } from '../../src/service/stray-variables.ts';

const rows: readonly [title: string, environment: Record<string, string>, expected: readonly string[]][] = [
  ['a mistyped variable', { KRO_GRAPH_APPLY_CONCURENCY: '3', KRO_GRAPH_LOG_LEVEL: 'info' }, ['KRO_GRAPH_APPLY_CONCURENCY']],
  ['one that could be of a Service by its name alone', { KRO_GRAPH_METRIC_PORT: '0' }, ['KRO_GRAPH_METRIC_PORT']],
  ['one of the other process may be shared', { KRO_GRAPH_DEADLINE: '5s', KRO_GRAPH_WATCH_NAMESPACES: 'a' }, []],
  ['what has another prefix is not looked at', { NODE_OPTIONS: '', KRO: '' }, []],
  [
    'what kubelet sets for Services is no mistake',
    {
      KRO_GRAPH_WEBHOOK_SERVICE_HOST: '10.0.0.1',
      KRO_GRAPH_WEBHOOK_SERVICE_PORT: '443',
      KRO_GRAPH_WEBHOOK_SERVICE_PORT_HTTPS: '443',
      KRO_GRAPH_WEBHOOK_PORT: 'tcp://10.0.0.1:443',
      KRO_GRAPH_WEBHOOK_PORT_443_TCP: 'tcp://10.0.0.1:443',
      KRO_GRAPH_WEBHOOK_PORT_443_TCP_ADDR: '10.0.0.1',
      KRO_GRAPH_WEBHOOK_PORT_443_TCP_PORT: '443',
      KRO_GRAPH_WEBHOOK_PORT_443_TCP_PROTO: 'tcp',
    },
    [],
  ],
];
for (const [title, environment, expected] of rows) t.test(title, async (t) => t.same(strayVariables(environment), expected));

t.test('the variables of options', async (t) => t.same(variablesOf({}), []));
