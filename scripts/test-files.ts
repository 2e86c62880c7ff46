import { globSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { ToolName } from '../test/cluster/tools.ts';

const root = join(import.meta.dirname, '..');

/** Folders under test/ whose files need a running cluster; the run starts one for them. All others are unit tests. */
const clusterFolders = ['integration', 'faults', 'gitops', 'runtime-scenarios'];

/** Folders whose files start clusters of their own. */
const ownClusterFolders = ['cluster', 'chart'];

/** Programs that take minutes to build, by the folder whose files run them: built before any test's time begins to count. */
const slowTools: Readonly<Record<string, readonly ToolName[]>> = { chart: ['helm', 'cert-manager'] };

/** Which part of the tests to run. */
export type Suite = 'all' | 'unit' | 'faults';

/** The test files of a suite, in a stable order. */
export function findTestFiles(suite: Suite): string[] {
  const all = globSync('test/**/*.test.ts', { cwd: root }).sort();
  if (suite === 'faults') return all.filter((file) => folderOf(file) === 'faults');
  if (suite === 'unit') return all.filter((file) => ![...clusterFolders, ...ownClusterFolders].includes(folderOf(file)));
  return all;
}

/** Whether a file (its path from the repository's root) expects the run's shared cluster. */
export function needsCluster(file: string): boolean {
  return clusterFolders.includes(folderOf(file));
}

/** The programs to build before these files are run. */
export function toolsToBuild(files: readonly string[]): ToolName[] {
  return [...new Set(files.flatMap((file) => slowTools[folderOf(file)] ?? []))];
}

// `test/FOLDER/...`; a file right under test/ is in no folder.
function folderOf(file: string): string {
  const [, folder = '', ...rest] = file.split(sep);
  return rest.length > 0 ? folder : '';
}
