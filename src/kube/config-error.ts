/** The kubeconfig or the pod's credentials cannot be used; the message is one line for the person who started the process. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}
