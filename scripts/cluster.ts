import { startSharedCluster } from '../test/support/cluster.ts';

// A cluster for a developer, until Ctrl-C. The KUBECONFIG line is all that goes to stdout.
const ended = new Promise<void>((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => resolve());
});
const cluster = await startSharedCluster();
console.log(`export KUBECONFIG=${cluster.kubeconfig}`);
console.error(`${cluster.server} runs until Ctrl-C; logs are in ${cluster.folder}`);
const alive = setInterval(() => {}, 1 << 30);
await ended;
await cluster.stop();
clearInterval(alive);
