import t from 'tap';
import { compileNodes } from '../support/compile.ts';

const cm = (fields: string, more = '') => `{id: c, ${more} template: {apiVersion: v1, kind: ConfigMap, metadata: {name: c}, ${fields}}}`;
const service = (port: string) =>
  `[{id: s, template: {apiVersion: v1, kind: Service, metadata: {name: s}, spec: {ports: [{port: 80, targetPort: ${port}}]}}}]`;

const stamped = (nodes: string, metadata = '') =>
  `[{id: c, template: {apiVersion: kro.run/v1alpha1, kind: Graph, metadata: {name: c, ${metadata}}, spec: {nodes: [${nodes}]}}}]`;
const QUOTE = 'it has a meaning in the stamped Graph: to leave the expression to that one, quote it:';

/** What everything that is found says, and what it advises. */
const ROWS: readonly [title: string, nodes: string, ...told: readonly string[]][] = [
  [
    'a readyWhen within the payload is to be indented less',
    `[${cm("data: {k: v}, readyWhen: ['${c.data.k == string(1)}']")}]`,
    'unknown field "readyWhen" in core.v1.ConfigMap, in node "c" | it belongs to the node: indent it less, so that it stands beside the id',
    'cycle: node "c" depends on itself | readyWhen belongs to the node: indent it less, so that it stands beside the id',
  ],
  [
    'what stands in metadata of a ref is not put beside it',
    '[{id: r, ref: {apiVersion: v1, kind: Pod, selector: {}, metadata: {name: x}}}]',
    'a ref has no field "selector", in node "r" | "selector" stands in metadata',
  ],
  [
    'a name of the Graph that is stamped is to be left to it',
    `[{id: s, template: {apiVersion: kro.run/v1alpha1, kind: Graph, metadata: {name: s}, spec: {nodes: [{id: a, def: {x: 1}},
      {id: g, graph: {nodes: [{id: b, forEach: [{i: "\${'\${[1]}'}"}], def: {x: "\${a.x}", y: "\${i}", z: "\${c.x}"}}]}}]}}}]`,
    'unknown name "a": no node in scope has this id, in node "s" | it has a meaning in the stamped Graph: to leave the expression to that one, quote it: ${"${a...}"}',
    'unknown name "i": no node in scope has this id, in node "s" | it has a meaning in the stamped Graph: to leave the expression to that one, quote it: ${"${i...}"}',
    'unknown name "c": no node in scope has this id, in node "s"',
  ],
  [
    'a name that a macro binds is asked for',
    '[{id: d, def: {x: "${[1].map(word, wrod + 1)}", y: "${cel.bind(total, 1, totl)}", z: "${optional.of(1).optMap(value, valu)}"}}]',
    'unknown name "wrod": no node in scope has this id, in node "d" | did you mean "word"?',
    'unknown name "totl": no node in scope has this id, in node "d" | did you mean "total"?',
    'unknown name "valu": no node in scope has this id, in node "d" | did you mean "value"?',
  ],
  [
    'what may not be read in its place is not',
    `[{id: stamp, patch: {apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {a: b}}}, {id: setting, def: {x: "\${stmp.x + settin.x}"}},
      {id: w, forEach: [{zone: "\${zoen}"}], readyWhen: ["\${zoe == 'a'}", "\${settin.x}", "\${eahc.x}"], includeWhen: ["\${zne == 'a'}"], def: {x: "\${zon}"}}]`,
    'unknown name "stmp": no node in scope has this id, in node "setting"',
    'unknown name "settin": no node in scope has this id, in node "setting"',
    'unknown name "zon": no node in scope has this id, in node "w" | did you mean "zone"?',
    'unknown name "zoen": no node in scope has this id, in node "w"',
    'unknown name "zne": no node in scope has this id, in node "w"',
    'unknown name "zoe": no node in scope has this id, in node "w"',
    'unknown name "settin": no node in scope has this id, in node "w"',
    'unknown name "eahc": no node in scope has this id, in node "w" | did you mean "each"?',
  ],
  [
    'the way to a node inside graphs is told, unless it publishes nothing',
    `[{id: a, graph: {nodes: [{id: b, graph: {nodes: [{id: kid, def: {x: 1}}, {id: p, patch: {apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {a: b}}}]}}]}},
      {id: d, def: {x: "\${kid.x}", y: "\${p.x}"}}]`,
    'unknown name "kid": no node in scope has this id, in node "d" | "kid" stands inside graph "a": write a.b.kid',
    'unknown name "p": no node in scope has this id, in node "d"',
  ],
  [
    'of more dimensions than there may be, none is asked to stand in the name',
    `[{id: w, forEach: [${Array.from({ length: 11 }, (_, at) => `{i${at}: "\${['a']}"}`).join(', ')}], template: {apiVersion: v1, kind: ConfigMap, metadata: {name: x}}}]`,
    'forEach has 11 dimensions, at most 10 are allowed, in node "w"',
  ],
  [
    'an iterator that is misspelt in the name is one mistake',
    `[{id: w, forEach: [{zone: "\${['a']}"}], template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "x-\${zome}"}}}]`,
    'unknown name "zome": no node in scope has this id, in node "w" | did you mean "zone"?',
  ],
  [
    'of what is put into a field that does not exist no more is said',
    `[{id: s, template: {apiVersion: v1, kind: Secret, metadata: {name: s}, dta: {a: "\${bytes('x')}"}}}]`,
    'unknown field "dta" in core.v1.Secret, in node "s" | did you mean "data"?',
  ],
  [
    'the names of a macro that is misspelt are no further mistakes',
    '[{id: d, def: {x: "${[1].mpa(i, i + 1)}", y: "${[1].trasformList(k, v, k + v)}", z: "${[1].some(i, i > 1)}"}}]',
    'no function "mpa", in node "d" | did you mean "map"?',
    'no function "trasformList", in node "d" | did you mean "transformList"?',
    'no function "some", in node "d" | it is x.exists(item, condition)',
  ],
  [
    'nor are those of a macro that other languages call as a function here is, or write as one',
    '[{id: d, def: {l: [1]}}, {id: e, def: {x: "${d.l.find(i, i > 1)}", y: "${d.l.sort(d, d)}", z: "${map(d.l, i, i + 1)}"}}]',
    '"find" takes 1 argument, found 2, in node "e" | it is x.filter(item, condition)',
    '"sort" takes 0 arguments, found 2, in node "e" | it is x.sortBy(item, key)',
    'no function "map", in node "e" | it stands behind what it is about: x.map(item, expression)',
  ],
  [
    'a key that is not quoted is told to be',
    '[{id: d, def: {x: "${{name: 1}}", y: "${[1].map(k, {k: other})}"}}]',
    'unknown name "name": no node in scope has this id, in node "d" | the key of a map stands in quotes: {"name": value}',
    'unknown name "other": no node in scope has this id, in node "d"',
  ],
  [
    'names of other languages are told as CEL writes them, unless a node bears one like it',
    `[{id: values, def: {x: "\${JSON.stringify([1])}", y: "\${None}", z: "\${True}"}}, {id: e, def: {x: "\${Values.x}", y: "\${Math.max(1, 2)}"}}]`,
    'unknown name "JSON": no node in scope has this id, in node "values" | it is json.marshal(x), and json.unmarshal(text)',
    'unknown name "None": no node in scope has this id, in node "values" | where there is no value stands null',
    'unknown name "True": no node in scope has this id, in node "values" | it is true, in lower case',
    'unknown name "Values": no node in scope has this id, in node "e" | did you mean "values"?',
    'unknown name "Math": no node in scope has this id, in node "e" | the functions of numbers begin with "math.": math.greatest(x, y)',
  ],
  [
    'a call with too many arguments is shown how it is written, once',
    '[{id: d, def: {x: "${omit(1)}"}}]',
    '"omit" takes 0 arguments, found 1, in node "d" | it is omit() -> dyn',
  ],
  [
    'a node that reads itself elsewhere may do so in readyWhen alone',
    `[${cm('data: {k: "${c.data.j}"}')}]`,
    'cycle: node "c" depends on itself | only readyWhen may read the node itself',
  ],
  [
    'text is made of a list by join or as JSON',
    `[{id: d, def: {l: [a, b]}}, ${cm('data: {k: "x=${d.l}"}')}]`,
    'an expression with text around it must be a string, found list(string), in node "c" | join(...) makes a string of a list of strings, json.marshal(...) of any value',
  ],
  [
    'an expression that only the stamped Graph understands is to be quoted',
    stamped('{id: quota, def: {a: b}}, {id: copy, def: {c: "${quota.a}"}}'),
    `unknown name "quota": no node in scope has this id, in node "c" | ${QUOTE} \${"\${quota...}"}`,
  ],
  [
    'so is one of its iterators, of its subgraphs and of what it stamps itself',
    stamped(`{id: copy, forEach: [{x: "\${'\${[1]}'}"}], def: {c: "\${x}"}}, {id: g, graph: {nodes: [{id: in, def: {a: "\${kid.a}"}},
      {id: s, template: {apiVersion: kro.run/v1alpha1, kind: Graph, metadata: {name: s}, spec: {nodes: [{id: kid, def: {a: b}}]}}}]}}`),
    `unknown name "x": no node in scope has this id, in node "c" | ${QUOTE} \${"\${x...}"}`,
    `unknown name "kid": no node in scope has this id, in node "c" | ${QUOTE} \${"\${kid...}"}`,
  ],
  [
    'so is "each"',
    stamped(`{id: copy, forEach: [{x: "\${'\${[1]}'}"}], readyWhen: ["\${each.c == 'd'}"], def: {c: d}}`),
    `"each" exists only in readyWhen of a node with forEach, in node "c" | ${QUOTE} \${"\${each...}"}`,
  ],
  [
    'what nobody understands, or stands beside the spec of the stamped Graph, is not',
    stamped('{id: quota, def: {a: "${nobody.a}"}}', 'labels: {q: "${quota.a}"}'),
    'unknown name "quota": no node in scope has this id, in node "c"',
    'unknown name "nobody": no node in scope has this id, in node "c"',
  ],
  [
    'of a number by string(...)',
    `[${cm('data: {k: "x=${1}"}')}]`,
    'an expression with text around it must be a string, found int, in node "c" | convert with string(...)',
  ],
  [
    'white space around an expression is told where text would fit, too',
    service('" ${1}"'),
    'an expression with text around it must be a string, found int, in node "s" | remove the white space, so that the value is exactly one expression',
  ],
  [
    'so is a line break',
    service('"${1}\\n"'),
    'an expression with text around it must be a string, found int, in node "s" | use the block scalar "|-" or ">-", which keeps no line break at the end',
  ],
  [
    'a list that does not fit is not put into a list',
    `[{id: d, def: {x: "\${[1] == ['a']}"}}]`,
    'expected list(int), found list(string), in node "d"',
  ],
  [
    'a syntax error quotes the text as it is written',
    `[{id: d, def: {x: "\${'hello' 'a literal that is longer than anybody wants to read'}"}}]`,
    `unexpected "'a literal that is longer than anybody w…", in node "d" | strings are put together with "+"; between the elements of a list stands ","`,
  ],
  [
    'an id that is borne twice has no type to be wrong about',
    '[{id: a, def: {x: 1}}, {id: a, def: {y: 1}}, {id: b, def: {z: "${a.y + 1}"}}]',
    'duplicate id "a": spec.nodes[0] bears it already',
  ],
  [
    'what is built of a broken value is not wrong again',
    `[{id: a, def: {x: "\${nope}"}}, {id: d, template: {apiVersion: apps/v1, kind: Deployment, metadata: {name: d}, spec: {replicas: "\${[a.x]}",
      selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: i}]}}}}},
      {id: e, def: {y: "\${true ? optional.of(a.x) : 1}"}}]`,
    'unknown name "nope": no node in scope has this id, in node "a"',
  ],
  [
    'of values of one shape each is called by its own name',
    '[{id: a, def: {x: {z: 1}}}, {id: b, def: {x: {z: 2}}}, {id: d, def: {l: [{z: 1}], m: "${b.y}", n: "${b.x.y}", o: "${d.l}"}}]',
    'def b has no field "y", in node "d" | there is "x"',
    'def b.x has no field "y", in node "d" | there is "z"',
    'cycle: node "d" depends on itself | only readyWhen may read the node itself',
  ],
  [
    'an element of a list is called by its list, whatever else has its shape',
    '[{id: a, def: {l: [{z: 1}], o: {z: 1}}}, {id: d, def: {m: "${a.l[0].y}", n: "${a.o == a.l[0] && a.o.y}"}}]',
    'def a.l[] has no field "y", in node "d" | there is "z"',
    'def a.o has no field "y", in node "d" | there is "z"',
  ],
  [
    'a forEach where none can be leaves open whether a list was meant',
    `[{id: r, forEach: [{i: "\${['x']}"}], readyWhen: ["\${each.data.k == i}"], ref: {apiVersion: v1, kind: ConfigMap, metadata: {name: "\${i}"}}},
      {id: g, forEach: [{i: "\${['x']}"}], graph: {nodes: [{id: k, def: {x: 1}}]}},
      {id: d, def: {x: "\${r[0].metadata.name}", y: "\${r.metadata.name}", z: "\${g[0].k.x + g.k.x}"}}]`,
    'a ref node cannot have forEach (node "r") | to read several objects use one ref with metadata.selector',
    'iterator "i" of forEach is not visible in readyWhen, in node "r" | read one item as "each"',
    'a graph node cannot have forEach (node "g") | put forEach on the nodes inside it',
  ],
  [
    'so does a forEach that is no list',
    `[{id: c, forEach: "\${['x']}", readyWhen: ["\${each.x == 1}"], def: {x: 1}}, {id: d, def: {x: "\${c[0].x}", y: "\${c.map(i, i.x)}", z: "\${c.x}"}}]`,
    'forEach must be a list of expressions, found a string, in node "c" | write forEach: [{name: "${list}"}]',
  ],
  [
    'what is in an optional is converted, not the optional',
    `[{id: r, ref: {apiVersion: apps/v1, kind: Deployment, metadata: {name: r}}}, ${cm('data: {k: "${r.spec.?replicas}", l: "${r.?spec}"}')}]`,
    'expected string, found int, in node "c" | convert with string(...) inside x.optMap(v, ...)',
    'expected string, found apps.v1.DeploymentSpec, in node "c" | json.marshal(...) makes a string of it inside x.optMap(v, ...)',
  ],
  [
    'a kind that is misspelt is asked for in the group and version that was named',
    '[{id: a, ref: {apiVersion: autoscaling/v1, kind: HorizontalPodAutoscalr, metadata: {name: a}}}, {id: b, ref: {apiVersion: v1, kind: event, metadata: {name: b}}}]',
    'the cluster does not serve autoscaling/v1 HorizontalPodAutoscalr (yet) | did you mean "autoscaling/v1 HorizontalPodAutoscaler"?',
    'the cluster does not serve v1 event (yet) | did you mean "v1 Event"?',
  ],
  [
    'an iterator counts as read where the name does not parse',
    `[{id: w, forEach: [{i: "\${['a']}"}], template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "x-\${i.lowerAscii(}"}}}]`,
    '"(" is not closed, in node "w"',
  ],
  [
    'and does not where the name says nothing of it',
    `[{id: w, forEach: [{i: "\${['a']}"}], template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "x-\${1 +}"}}}]`,
    'iterator "i" does not appear in metadata.name or metadata.namespace: the items would be one object, in node "w" | write for example name: x-${i}',
    'the expression ends too early, in node "w"',
  ],
];

for (const [title, nodes, ...told] of ROWS) {
  t.test(title, (t) => {
    const { diagnostics } = compileNodes(nodes);
    t.same(
      diagnostics.map(({ message, hint }) => (hint === undefined ? message : `${message} | ${hint}`)),
      told,
    );
    t.end();
  });
}
