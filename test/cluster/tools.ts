/** How one Go program is built: a folder under `tools/` with its own go.mod, and the package to build there. */
export interface GoTool {
  /** Folder under `test/cluster/tools/`; its go.mod names the exact version. */
  readonly folder: string;
  /** Import path of the main package; `.` for a main.go in the folder itself. */
  readonly package: string;
  /** How long a first build takes on 2 cores, for the progress line. */
  readonly takes: string;
  /** Linker variables (`-X name=value`), for programs that must know their version. */
  readonly stamps?: Readonly<Record<string, string>>;
  /** A folder of a module that the program needs at run time; it is copied beside the binary under its own name. */
  readonly share?: { readonly module: string; readonly folder: string };
  /** Extra environment of the build, GOTOOLCHAIN for example. */
  readonly environment?: Readonly<Record<string, string>>;
  /** True for the control plane's programs: KUBEBUILDER_ASSETS and the PATH are looked at before anything is built. */
  readonly installedCounts?: boolean;
}

const kubernetes = {
  folder: 'kubernetes',
  stamps: {
    'k8s.io/component-base/version.gitVersion': 'v1.36.3',
    'k8s.io/component-base/version.gitMajor': '1',
    'k8s.io/component-base/version.gitMinor': '36',
  },
  installedCounts: true,
} as const;

/** Every Go program that tests and the demo can ask for by name: a folder with a go.mod, and one line here. */
export const tools = {
  etcd: { folder: 'etcd', package: 'go.etcd.io/etcd/server/v3', takes: '1 min', installedCounts: true },
  'kube-apiserver': { ...kubernetes, package: 'k8s.io/kubernetes/cmd/kube-apiserver', takes: '3 min' },
  kubectl: { ...kubernetes, package: 'k8s.io/kubernetes/cmd/kubectl', takes: '30 s' },
  'kube-controller-manager': { ...kubernetes, package: 'k8s.io/kubernetes/cmd/kube-controller-manager', takes: '1 min' },
  'kube-scheduler': { ...kubernetes, package: 'k8s.io/kubernetes/cmd/kube-scheduler', takes: '30 s' },
  kwok: {
    folder: 'kwok',
    package: 'sigs.k8s.io/kwok/cmd/kwok',
    takes: '1 min',
    share: { module: 'sigs.k8s.io/kwok', folder: 'kustomize/stage' },
  },
  helm: { folder: 'helm', package: 'helm.sh/helm/v4/cmd/helm', takes: '3 min' },
  'cert-manager': {
    folder: 'cert-manager',
    package: '.',
    takes: '5 min',
    share: { module: 'github.com/cert-manager/cert-manager', folder: 'deploy/crds' },
  },
  kstatus: { folder: 'kstatus', package: '.', takes: '15 s' },
  'argo-health': {
    folder: 'argo-health',
    package: '.',
    takes: '30 s',
    // Argo CD's module asks for it; the programs of the control plane do not.
    environment: { GOTOOLCHAIN: 'go1.27.3+auto' },
    share: { module: 'github.com/argoproj/argo-cd/v3', folder: 'manifests/crds' },
  },
  'flux-ssa': { folder: 'flux-ssa', package: '.', takes: '2 min' },
} satisfies Record<string, GoTool>;

/** The name of a program of the table above. */
export type ToolName = keyof typeof tools;
