import type { Test } from 'tap';
import type { KubeClient } from '../../src/kube/client.ts';
import { systemClock } from '../../src/kube/clock.ts';
import { loadConfig } from '../../src/kube/config.ts';
import { Http, type HttpOptions } from '../../src/kube/http.ts';
import { createClient } from '../../src/kube/json-client.ts';

/** A real client for a kubeconfig; its connections end with the test. */
export function useClient(t: Pick<Test, 'teardown'>, kubeconfig: string, options: Partial<HttpOptions> = {}): KubeClient {
  const access = loadConfig({ kubeconfig, environment: {} });
  const http = new Http({ access, clock: systemClock, random: Math.random, userAgent: 'kro-graph-test', ...options });
  t.teardown(() => http.close());
  return createClient(http);
}
