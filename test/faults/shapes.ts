import { configMap, isMap, letters, NOTHING, only, patch, secret, service, template } from './parts.ts';
import type { ExpectedContribution, Shape } from './shape.ts';

/** Each node reads the one before it. */
const chain: Shape = {
  name: 'chain',
  isSequential: true,
  scenario: (id) => {
    const ids = letters(9);
    return {
      others: [],
      before: undefined,
      change: ids.map((node, at) =>
        template(node, configMap(`${id}-${node}`, { v: at === 0 ? '1' : `\${${ids[at - 1]}.data.v}1`, of: `\${string(${at})}` })),
      ),
      expected: only(
        id,
        ids.map((node, at) => isMap(node, `${id}-${node}`, { v: '1'.repeat(at + 1) })),
      ),
    };
  },
};

/** Ten items at once, and what counts them. */
const collection: Shape = {
  name: 'collection',
  scenario: (id) => ({
    others: [],
    before: undefined,
    change: [
      { id: 'member', forEach: [{ k: `\${${JSON.stringify(letters(10))}}` }], template: configMap(`${id}-\${k}`, { k: '${k}' }) },
      template('total', configMap(`${id}-total`, { count: '${string(size(member))}' })),
    ],
    expected: only(id, [...letters(10).map((k) => isMap('member', `${id}-${k}`, { k })), isMap('total', `${id}-total`, { count: '10' })]),
  }),
};

/** A collection whose list moves on: five items go, five change their place, five come. */
const moving: Shape = {
  name: 'moving',
  scenario: (id) => {
    const nodes = (from: number) => [
      { id: 'member', forEach: [{ k: `\${${JSON.stringify(letters(10, from))}}` }], template: configMap(`${id}-\${k}`, { k: '${k}' }) },
    ];
    return {
      others: [],
      before: nodes(0),
      change: nodes(5),
      expected: only(
        id,
        letters(10, 5).map((k) => isMap('member', `${id}-${k}`, { k })),
      ),
    };
  },
};

/** Fields given to seven objects of others, one of them in its status. */
const patches: Shape = {
  name: 'patch',
  scenario: (id) => {
    const ids = letters(6);
    const condition = {
      type: 'Watched',
      status: 'True',
      reason: 'Because',
      message: '${own.data.v}',
      lastTransitionTime: '2024-01-01T00:00:00Z',
    };
    return {
      others: [...ids.map((node) => configMap(`${id}-${node}`, { theirs: 'yes' })), service(`${id}-service`)],
      before: undefined,
      change: [
        template('own', configMap(`${id}-own`, { v: 'given' })),
        ...ids.map((node) => patch(node, configMap(`${id}-${node}`, { ours: '${own.data.v}' }))),
        patch('state', { apiVersion: 'v1', kind: 'Service', metadata: { name: `${id}-service` }, status: { conditions: [condition] } }),
      ],
      expected: only(
        id,
        [isMap('own', `${id}-own`, { v: 'given' })],
        [
          ...ids.map(
            (node): ExpectedContribution => ({
              kind: 'ConfigMap',
              name: `${id}-${node}`,
              nodeID: node,
              data: { theirs: 'yes', ours: 'given' },
            }),
          ),
          { kind: 'Service', name: `${id}-service`, nodeID: 'state', subresource: 'status' },
        ],
      ),
    };
  },
};

/** Ten contributions are taken back, while one stays. */
const release: Shape = {
  name: 'release',
  scenario: (id) => {
    const ids = letters(10);
    const stays = patch('stays', configMap(`${id}-a`, { stays: 'yes' }));
    return {
      others: ids.map((node) => configMap(`${id}-${node}`, { theirs: 'yes' })),
      before: [stays, ...ids.map((node) => patch(node, configMap(`${id}-${node}`, { ours: 'yes' })))],
      change: [stays],
      expected: only(id, [], [{ kind: 'ConfigMap', name: `${id}-a`, nodeID: 'stays', data: { theirs: 'yes', stays: 'yes' } }]),
    };
  },
};

/** Ten nodes go, in three waves; one changes. */
const prune: Shape = {
  name: 'prune',
  scenario: (id) => {
    const ids = letters(10);
    const reads = ['', '', '', 'a', 'b', 'c', '', 'd', 'e', 'f'];
    return {
      others: [],
      before: [
        template('rest', configMap(`${id}-rest`, { v: '1' })),
        ...ids.map((node, at) => template(node, configMap(`${id}-${node}`, { v: reads[at] ? `\${${reads[at]}.data.v}` : '1' }))),
      ],
      change: [template('rest', configMap(`${id}-rest`, { v: '2' }))],
      expected: only(id, [isMap('rest', `${id}-rest`, { v: '2' })]),
    };
  },
};

/** The objects of six nodes get other names. */
const rename: Shape = {
  name: 'rename',
  scenario: (id) => {
    const nodes = (infix: string) =>
      letters(6).map((node, at) => template(node, configMap(`${id}-${infix}-${node}`, { v: at < 3 ? '1' : '${a.data.v}' })));
    return {
      others: [],
      before: nodes('old'),
      change: nodes('new'),
      expected: only(
        id,
        letters(6).map((node) => isMap(node, `${id}-new-${node}`, { v: '1' })),
      ),
    };
  },
};

/** Ten nodes get other ids; their objects stay the same. */
const nodeRename: Shape = {
  name: 'node-rename',
  scenario: (id) => {
    const nodes = (prefix: string) => letters(10).map((letter) => template(`${prefix}${letter}`, configMap(`${id}-${letter}`, { v: '1' })));
    return {
      others: [],
      before: nodes('old'),
      change: nodes('new'),
      expected: only(
        id,
        letters(10).map((letter) => isMap(`new${letter}`, `${id}-${letter}`, { v: '1' })),
      ),
    };
  },
};

/** Five nodes get another kind under the same name. */
const kindChange: Shape = {
  name: 'kind-change',
  scenario: (id) => {
    const ids = letters(5);
    return {
      others: [],
      before: ids.map((node) => template(node, configMap(`${id}-${node}`, { v: 'x' }))),
      change: ids.map((node) => template(node, secret(`${id}-${node}`, { v: 'x' }))),
      expected: only(
        id,
        ids.map((node) => ({ kind: 'Secret', name: `${id}-${node}`, nodeID: node })),
      ),
    };
  },
};

/** Three waves and two contributions go with their Graph. */
const teardown: Shape = {
  name: 'teardown',
  scenario: (id) => ({
    others: letters(2).map((letter) => configMap(`${id}-other-${letter}`, { theirs: 'yes' })),
    before: [
      ...letters(3).map((node) => template(node, configMap(`${id}-${node}`, { v: '1' }))),
      ...letters(3, 3).map((node) => template(node, configMap(`${id}-${node}`, { v: '${a.data.v}' }))),
      ...letters(3, 6).map((node) => template(node, secret(`${id}-${node}`, { v: 'x' }))),
      ...letters(2).map((letter) => patch(`given${letter}`, configMap(`${id}-other-${letter}`, { ours: 'yes' }))),
    ],
    change: 'deleted',
    expected: NOTHING,
  }),
};

/** Graphs inside the Graph, whose nodes read those outside and the reverse. */
const nested: Shape = {
  name: 'nested',
  scenario: (id) => {
    const inner = [
      template('deep', configMap(`${id}-deep`, { v: '${first.data.v}-deep' })),
      template('beside', configMap(`${id}-beside`, { v: '${deep.data.v}' })),
      { id: 'many', forEach: [{ k: "${['x', 'y', 'z']}" }], template: configMap(`${id}-many-\${k}`, { v: '${beside.data.v}' }) },
    ];
    const outer = [
      template('first', configMap(`${id}-first`, { v: '${base.data.v}-first' })),
      { id: 'inner', graph: { nodes: inner } },
      template('last', configMap(`${id}-last`, { v: '${inner.deep.data.v}' })),
    ];
    return {
      others: [],
      before: undefined,
      change: [
        template('base', configMap(`${id}-base`, { v: 'base' })),
        { id: 'outer', graph: { nodes: outer } },
        template('top', configMap(`${id}-top`, { v: '${outer.last.data.v}' })),
      ],
      expected: only(id, [
        isMap('base', `${id}-base`, { v: 'base' }),
        isMap('outer/first', `${id}-first`, { v: 'base-first' }),
        isMap('outer/inner/deep', `${id}-deep`, { v: 'base-first-deep' }),
        isMap('outer/inner/beside', `${id}-beside`),
        ...['x', 'y', 'z'].map((k) => isMap('outer/inner/many', `${id}-many-${k}`)),
        isMap('outer/last', `${id}-last`, { v: 'base-first-deep' }),
        isMap('top', `${id}-top`, { v: 'base-first-deep' }),
      ]),
    };
  },
};

/** Names that hold a UID, so that each is known only when the object before it is there. */
const unforeseen: Shape = {
  name: 'unforeseen',
  isSequential: true,
  scenario: (id) => {
    const ids = letters(5);
    return {
      others: [],
      before: undefined,
      change: ids.map((node, at) =>
        template(node, configMap(at === 0 ? `${id}-a` : `${id}-${node}-\${${ids[at - 1]}.metadata.uid}`, { v: node })),
      ),
      expected: only(
        id,
        ids.map((node, at) => isMap(node, at === 0 ? `${id}-a` : new RegExp(`^${id}-${node}-[0-9a-f-]{36}$`), { v: node })),
      ),
    };
  },
};

/** A Graph that makes a Graph. */
const stamped: Shape = {
  name: 'stamped',
  scenario: (id) => {
    const nodes = letters(5).map((node) => template(node, configMap(`${id}-child-${node}`, { v: node })));
    return {
      others: [],
      before: undefined,
      change: [
        template('own', configMap(`${id}-own`, { v: '1' })),
        template('child', { apiVersion: 'kro.run/v1alpha1', kind: 'Graph', metadata: { name: `${id}-child` }, spec: { nodes } }),
      ],
      expected: new Map([
        [
          id,
          { objects: [isMap('own', `${id}-own`, { v: '1' }), { kind: 'Graph', name: `${id}-child`, nodeID: 'child' }], contributions: [] },
        ],
        [`${id}-child`, { objects: letters(5).map((node) => isMap(node, `${id}-child-${node}`, { v: node })), contributions: [] }],
      ]),
    };
  },
};

const mixture = (id: string) => [
  ...letters(5).map((node) => template(node, configMap(`${id}-${node}`, { v: '1' }))),
  template('late', configMap(`${id}-late-\${a.metadata.uid}`, { v: '1' })),
  ...letters(2).map((letter) => patch(`given${letter}`, configMap(`${id}-other-${letter}`, { ours: '${b.data.v}' }))),
];

const twoOthers = (id: string) => letters(2).map((letter) => configMap(`${id}-other-${letter}`, { theirs: 'yes' }));

/** A Graph that is deleted before it was applied to the end. */
const applyThenDelete: Shape = {
  name: 'apply-then-delete',
  isPatient: true,
  scenario: (id) => ({ others: twoOthers(id), before: undefined, change: mixture(id), afterwards: 'deleted', expected: NOTHING }),
};

/** A Graph that becomes quite another before it was applied to the end. */
const applyThenChange: Shape = {
  name: 'apply-then-change',
  isPatient: true,
  scenario: (id) => ({
    others: twoOthers(id),
    before: undefined,
    change: mixture(id),
    afterwards: [template('other', configMap(`${id}-another`, { v: '2' }))],
    expected: only(id, [isMap('other', `${id}-another`, { v: '2' })]),
  }),
};

/** Others delete all objects of a Graph; it is deleted before all of them are there again. */
const restoreThenDelete: Shape = {
  name: 'restore-then-delete',
  isPatient: true,
  scenario: (id) => ({
    others: [],
    before: letters(9).map((node, at) => template(node, configMap(`${id}-${node}`, { v: at < 5 ? '1' : '${a.data.v}' }))),
    change: 'robbed',
    afterwards: 'deleted',
    expected: NOTHING,
  }),
};

/** Every shape, the slowest to settle first. */
export const SHAPES: readonly Shape[] = [
  applyThenDelete,
  applyThenChange,
  restoreThenDelete,
  stamped,
  nested,
  collection,
  chain,
  moving,
  patches,
  release,
  prune,
  rename,
  nodeRename,
  kindChange,
  teardown,
  unforeseen,
];
