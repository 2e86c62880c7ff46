import type { JsonObject } from '../../src/api/object.ts';

/** What somebody owns of a Deployment, as managedFields tell it: plain fields, a set, keyed items and a place in a list. */
export const deployment: JsonObject = {
  'f:metadata': { 'f:labels': { '.': {}, 'f:app.kubernetes.io/name': {} }, 'f:finalizers': { '.': {}, 'v:"a/b"': {} } },
  'f:spec': {
    'f:replicas': {},
    'f:template': {
      'f:spec': {
        'f:containers': {
          'k:{"name":"web"}': {
            '.': {},
            'f:name': {},
            'f:image': {},
            'f:ports': { 'k:{"containerPort":80,"protocol":"TCP"}': { '.': {} } },
          },
        },
      },
    },
    'f:args': { 'i:0': {} },
  },
};

/** What another manager owns of that Deployment: its container too, so that the first alone owns no more than the fields of it. */
export const besides: JsonObject = {
  'f:spec': { 'f:template': { 'f:spec': { 'f:containers': { 'k:{"name":"web"}': { 'f:name': {} } } } } },
};
