/** Codes of findings that are not the compiler's: what the webhook adds, and what `kro-graph validate` says of a file. */
export const otherCodes: Readonly<Record<string, string>> = {
  'check/late': 'A check against the cluster was not answered within the deadline. The message says which.',
  'check/unanswered': 'A check against the cluster could not be made. The message says which, and why.',
  'file/boolean-key': '`kro-graph validate`: kubectl reads an unquoted key such as `y`, `no` or `on` as a bool.',
  'file/name': '`kro-graph validate`: the Graph has no name, or one that Kubernetes does not allow.',
  'file/no-graph': '`kro-graph validate`: the file contains no Graph.',
  'file/syntax': '`kro-graph validate`: the file is not valid YAML or JSON for kubectl.',
  'kind/unavailable': 'It is not known whether the cluster serves the kind, since the server of its API group does not answer.',
  'limit/deadline': 'The Graph was not compiled within the deadline of the admission.',
  'permissions/missing': 'The ServiceAccount of the Graph lacks permissions on the kinds that the Graph uses.',
  'schema/unreadable': 'The schemas of the cluster could not be read, so the Graph was not compiled.',
  'service-account/missing': 'The ServiceAccount of the Graph does not exist (yet).',
  'service-account/not-yours': 'The requester may not impersonate the ServiceAccount of the Graph.',
  'service-account/of-release': 'A Graph cannot use the ServiceAccount of the webhook or the controller.',
  'target/cross-namespace': 'The object of a node is in another namespace than the Graph.',
};
