import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import t from 'tap';
import { parse } from 'yaml';

const ROOT = resolve(import.meta.dirname, '..');

/** What each room may import, besides itself. An import points left (docs/architecture.md, Directions). */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  'src/diagnostic': [],
  'src/api': [],
  'src/cel': ['src/diagnostic', 'src/api'],
  'src/schema': ['src/diagnostic', 'src/api', 'src/cel'],
  'src/compiler': ['src/diagnostic', 'src/api', 'src/cel', 'src/schema'],
  'src/runtime': ['src/diagnostic', 'src/api', 'src/cel', 'src/schema', 'src/compiler'],
  'src/kube': ['src/diagnostic', 'src/api', 'src/schema'],
  'src/engine': ['src/diagnostic', 'src/api', 'src/cel', 'src/schema', 'src/compiler', 'src/runtime', 'src/kube'],
  'src/service': [],
  'src/manifest': ['src/diagnostic', 'src/api'],
  'src/cli': ['src'],
  webhook: ['src'],
  controller: ['src'],
};

const PURE = ['src/diagnostic', 'src/api', 'src/cel', 'src/schema', 'src/compiler', 'src/runtime'];

/** The packages of the pure rooms, each in the one file that may know it. */
const PURE_PACKAGES: Readonly<Record<string, readonly string[]>> = {
  '@marcbachmann/cel-js': ['src/cel/parse.ts'],
  re2js: ['src/cel/library/pattern.ts', 'src/schema/pattern.ts'],
};

/** What would give a pure room a clock, a network, chance or an order of events. */
const IMPURE =
  /\b(setTimeout|setInterval|setImmediate|queueMicrotask|process\.|Date\.now|new Date\(\)|Math\.random|fetch\(|Promise\b|async |await )/;

interface Source {
  readonly file: string;
  readonly room: string;
  readonly text: string;
  readonly code: string;
  readonly imports: readonly string[];
}

const sources = Object.keys(MAY_IMPORT).flatMap((room) => sourcesOf(room));

t.test('an import points left', (t) => {
  for (const { file, room, imports } of sources) {
    const allowed = [room, ...(MAY_IMPORT[room] ?? [])];
    const wrong = imports
      .filter((name) => name.startsWith('.'))
      .map((name) => relative(ROOT, resolve(ROOT, dirname(file), name)))
      .filter((target) => target !== 'package.json' && !allowed.some((prefix) => target.startsWith(`${prefix}/`)));
    t.same(wrong, [], file);
  }
  t.end();
});

t.test('a pure room knows no clock, no network and no packages but its own', (t) => {
  for (const { file, room, code, imports } of sources) {
    if (!PURE.includes(room)) continue;
    const foreign = imports.filter(
      (name) => !name.startsWith('.') && name !== 'node:crypto' && !(PURE_PACKAGES[name] ?? []).includes(file),
    );
    t.same(foreign, [], `packages of ${file}`);
    t.notMatch(code, IMPURE, file);
  }
  t.end();
});

t.test('the parser package is imported in one file', (t) => {
  const importers = sources.filter(({ imports }) => imports.some((name) => name.startsWith('@marcbachmann/'))).map(({ file }) => file);
  t.same(importers, ['src/cel/parse.ts']);
  t.end();
});

t.test('only a main.ts and the CLI read the environment, and no module has a variable of its own', (t) => {
  for (const { file, room, code } of sources) {
    if (!file.endsWith('/main.ts') && room !== 'src/cli') t.notMatch(code, /\bprocess\.(env|argv)\b/, file);
    t.notMatch(code, /^(export )?let /m, file);
  }
  t.end();
});

t.test("stretches of time are measured by a clock that never goes back, as the day's time may when it is set", (t) => {
  for (const { file, code } of sources) t.notMatch(code, /\bDate\.now\b/, file);
  t.end();
});

t.test('files are named in kebab-case', (t) => {
  for (const { file } of sources) t.match(file, /^[a-z0-9/-]+(\.d)?\.ts$/, file);
  t.end();
});

t.test('the CRD says what src/api/graph.ts says', (t) => {
  const crd = parse(readFileSync(join(ROOT, 'charts/kro-graph/files/crds/graphs.yaml'), 'utf8'));
  const schema = crd.spec.versions[0].schema.openAPIV3Schema.properties;
  const rows: [string, string, unknown][] = [
    ['spec', 'GraphSpec', schema.spec],
    ['a node', 'GraphNode', schema.spec.properties.nodes.items],
    ['status', 'GraphStatus', schema.status],
    ['a managed resource', 'ManagedResource', schema.status.properties.managedResources.items],
    ['a contribution', 'Contribution', schema.status.properties.contributions.items],
    ['a condition', 'Condition', schema.status.properties.conditions.items],
  ];
  for (const [title, type, found] of rows) t.same(fieldsOfSchema(found), fieldsOfInterface(type), title);
  t.end();
});

function fieldsOfSchema(schema: unknown): string[] {
  const properties = typeof schema === 'object' && schema !== null && 'properties' in schema ? schema.properties : undefined;
  return Object.keys(properties ?? {}).sort();
}

function fieldsOfInterface(name: string): string[] {
  const text = readFileSync(join(ROOT, 'src/api/graph.ts'), 'utf8');
  const body = new RegExp(`interface ${name} \\{([^}]*)\\}`).exec(text)?.[1] ?? '';
  return [...body.matchAll(/readonly (\w+)\??:/g)].map((match) => match[1] ?? '').sort();
}

function sourcesOf(room: string): Source[] {
  const folder = join(ROOT, room);
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => {
      const file = join(room, name);
      const text = readFileSync(join(ROOT, file), 'utf8');
      const code = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '');
      const imports = [...code.matchAll(/\bfrom '([^']+)'|\bimport\('([^']+)'\)|^import '([^']+)'/gm)].map(
        (match) => match[1] ?? match[2] ?? match[3] ?? '',
      );
      return { file, room, text, code: code.replace(/'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g, "''"), imports };
    });
}
