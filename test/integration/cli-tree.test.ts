import { execFile } from 'node:child_process';
import { join } from 'node:path';
import t from 'tap';
import { useCluster } from '../support/cluster.ts';

const MAIN = join(import.meta.dirname, '../../src/cli/main.ts');

t.test('tree says where it has looked for a Graph that is not there', async (t) => {
  const cluster = await useCluster(t);
  const said = await new Promise<{ readonly code: unknown; readonly err: string }>((resolve) => {
    const args = [MAIN, 'tree', 'nope', '--namespace', 'team-x', '--kubeconfig', cluster.kubeconfig];
    execFile(process.execPath, args, (error, _out, err) => resolve({ code: error?.code ?? 0, err }));
  });
  t.same(said, { code: 2, err: 'kro-graph tree: graphs.kro.run "nope" not found in namespace "team-x"\n' });
});
