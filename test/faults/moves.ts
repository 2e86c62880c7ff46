import type { AnyObject } from '../cluster/admin.ts';
import { OTHER_ACCOUNT } from './lane.ts';
import { configMap, isMap, letters, only, patch, template } from './parts.ts';
import type { Shape } from './shape.ts';

/** Ten nodes change frames: those of the inner one come out, and those outside go in; their ids and objects stay the same. */
const frameMove: Shape = {
  name: 'frame-move',
  scenario: (id) => {
    const [first, second] = [letters(5), letters(5, 5)];
    const nodes = (within: readonly string[], outside: readonly string[], v: string): AnyObject[] => [
      { id: 'inner', graph: { nodes: within.map((node) => template(node, configMap(`${id}-${node}`, { v }))) } },
      ...outside.map((node) => template(node, configMap(`${id}-${node}`, { v }))),
    ];
    return {
      others: [],
      before: nodes(first, second, '1'),
      change: nodes(second, first, '2'),
      expected: only(id, [
        ...second.map((node) => isMap(`inner/${node}`, `${id}-${node}`, { v: '2' })),
        ...first.map((node) => isMap(node, `${id}-${node}`, { v: '2' })),
      ]),
    };
  },
};

/** Five objects of a collection become those of nodes of their own, and five of nodes become items: each owner changes while the others do. */
const ownerMove: Shape = {
  name: 'owner-move',
  scenario: (id) => {
    const [first, second] = [letters(5), letters(5, 5)];
    const nodes = (items: readonly string[], alone: readonly string[]): AnyObject[] => [
      { id: 'member', forEach: [{ k: `\${${JSON.stringify(items)}}` }], template: configMap(`${id}-\${k}`, { k: '${k}' }) },
      ...alone.map((node) => template(`own${node}`, configMap(`${id}-${node}`, { k: node }))),
    ];
    return {
      others: [],
      before: nodes(first, second),
      change: nodes(second, first),
      expected: only(id, [
        ...second.map((k) => isMap('member', `${id}-${k}`, { k })),
        ...first.map((k) => isMap(`own${k}`, `${id}-${k}`, { k })),
      ]),
    };
  },
};

/** Two patch nodes exchange their targets, and four more move on to another target: each gives up what the next one takes. */
const targetMove: Shape = {
  name: 'target-move',
  isPatient: true,
  scenario: (id) => {
    const targets = letters(8);
    const nodes = (target: (at: number) => number): AnyObject[] =>
      letters(6).map((node, at) => patch(`p${node}`, configMap(`${id}-${targets[target(at)]}`, { ours: node })));
    const after = (at: number): number => (at < 2 ? 1 - at : at + 2);
    return {
      others: targets.map((target) => configMap(`${id}-${target}`, { theirs: 'yes' })),
      before: nodes((at) => at),
      change: nodes(after),
      expected: only(
        id,
        [],
        letters(6).map((node, at) => ({
          kind: 'ConfigMap',
          name: `${id}-${targets[after(at)]}`,
          nodeID: `p${node}`,
          data: { theirs: 'yes', ours: node },
        })),
      ),
    };
  },
};

const family = (id: string, v: string): AnyObject[] => [
  ...letters(6).map((node) => template(node, configMap(`${id}-${node}`, { v }))),
  ...letters(3, 6).map((node) => template(node, configMap(`${id}-${node}`, { v: '${a.data.v}' }))),
  ...letters(2).map((letter) => patch(`given${letter}`, configMap(`${id}-other-${letter}`, { ours: v }))),
];

const familyOf = (id: string, v: string) =>
  only(
    id,
    letters(9).map((node) => isMap(node, `${id}-${node}`, { v })),
    letters(2).map((letter) => ({
      kind: 'ConfigMap',
      name: `${id}-other-${letter}`,
      nodeID: `given${letter}`,
      data: { theirs: 'yes', ours: v },
    })),
  );

const others = (id: string): AnyObject[] => letters(2).map((letter) => configMap(`${id}-other-${letter}`, { theirs: 'yes' }));

/** A Graph is deleted, and made again under its name and with its objects while it may still be torn down. */
const madeAgain: Shape = {
  name: 'made-again',
  isPatient: true,
  scenario: (id) => ({
    others: others(id),
    before: family(id, '1'),
    change: { again: family(id, '2') },
    expected: familyOf(id, '2'),
  }),
};

/** A Graph acts as another account from now on, and changes all of its objects. */
const accountMove: Shape = {
  name: 'account-move',
  scenario: (id) => ({
    others: others(id),
    before: family(id, '1'),
    change: { nodes: family(id, '2'), account: OTHER_ACCOUNT },
    expected: familyOf(id, '2'),
  }),
};

/** The account changes while nobody reconciles, after the nodes have begun to. */
const changeThenAccount: Shape = {
  name: 'change-then-account',
  isPatient: true,
  scenario: (id) => ({
    others: others(id),
    before: undefined,
    change: family(id, '1'),
    afterwards: { nodes: family(id, '2'), account: OTHER_ACCOUNT },
    expected: familyOf(id, '2'),
  }),
};

/** Shapes in which objects and fields stay while those who own them change. */
export const MOVES: readonly Shape[] = [madeAgain, changeThenAccount, targetMove, accountMove, frameMove, ownerMove];
