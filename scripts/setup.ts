import { neededTools } from '../test/cluster/cluster.ts';
import { ensureTools } from '../test/cluster/ensure-tool.ts';
import { sharedClusterOptions } from '../test/support/cluster.ts';

// The packages are installed by bootstrap.mjs, which runs this. What only one test needs is built when that test first runs.
await ensureTools(neededTools(sharedClusterOptions));
