const KEYWORDS = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(' '),
);
const PLAIN = /^[A-Za-z_][A-Za-z0-9_]*$/;
const ESCAPES = new Map([
  ['__underscores__', '__'],
  ['__dot__', '.'],
  ['__dash__', '-'],
  ['__slash__', '/'],
]);

/** The CEL name of a property, escaped as Kubernetes does; undefined if the property cannot be reached. */
export function escapeName(property: string): string | undefined {
  if (KEYWORDS.has(property)) return `__${property}__`;
  if (!/^[A-Za-z_][A-Za-z0-9_.\-/]*$/.test(property)) return undefined;
  return property.replace(/__|[.\-/]/g, (found) => [...ESCAPES].find(([, plain]) => plain === found)?.[0] ?? found);
}

/** The property that a CEL name may mean: keywords also as they are, everything else by its escaped form only. */
export function unescapeName(name: string): string | undefined {
  if (PLAIN.test(name) && !name.includes('__')) return name;
  if (KEYWORDS.has(name)) return name;
  const keyword = /^__([a-z]+)__$/.exec(name)?.[1];
  if (keyword !== undefined && KEYWORDS.has(keyword)) return keyword;
  const property = name.replace(/__(?:underscores|dot|dash|slash)__/g, (found) => ESCAPES.get(found) ?? found);
  return escapeName(property) === name ? property : undefined;
}
