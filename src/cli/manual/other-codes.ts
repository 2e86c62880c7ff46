/** Codes of findings that are not the compiler's: what the webhook adds, and what `kro-graph validate` says of a file. */
export const otherCodes: Readonly<Record<string, string>> = {
  'check/late': 'A check against the cluster was not answered within the deadline; it says which.',
  'check/unanswered': 'A check against the cluster could not be made; it says which, and why.',
  'file/boolean-key': '`kro-graph validate`: a key that is not in quotes is a bool to kubectl: `y`, `no`, `on`.',
  'file/no-graph': '`kro-graph validate`: the file holds no Graph.',
  'file/syntax': '`kro-graph validate`: the file is not YAML or JSON as kubectl reads it.',
  'kind/unavailable': 'Whether the cluster serves a kind cannot be told while the server of its API group does not answer.',
  'limit/deadline': 'The Graph was not compiled within the deadline of the admission; the controller will report what is wrong.',
  'permissions/missing': 'The ServiceAccount that the Graph acts as lacks rights on the kinds that it uses.',
  'schema/unreadable': 'The schemas of the cluster could not be read, so that the Graph was not compiled.',
  'service-account/missing': 'The ServiceAccount that the Graph acts as does not exist (yet).',
  'service-account/not-yours': 'Who writes the Graph may not act as the ServiceAccount that it acts as.',
  'service-account/of-release': 'No Graph acts as a ServiceAccount of this release.',
  'target/cross-namespace': 'A node is about an object in another namespace than the Graph.',
};
