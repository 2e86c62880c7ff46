import type { RawSchema } from './openapi.ts';

/** The component of this schema in every document of an API server. */
export const OBJECT_META_NAME = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';

const text: RawSchema = { type: 'string' };
const time: RawSchema = { type: 'string', format: 'date-time' };
const texts: RawSchema = { type: 'object', additionalProperties: text };

/** The standard metadata of an object (graph.md 6.2), for schemas that come without the API server's components. */
export const objectMeta: RawSchema = {
  type: 'object',
  properties: {
    annotations: texts,
    creationTimestamp: time,
    deletionGracePeriodSeconds: { type: 'integer', format: 'int64' },
    deletionTimestamp: time,
    finalizers: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
    generateName: text,
    generation: { type: 'integer', format: 'int64' },
    labels: texts,
    managedFields: {
      type: 'array',
      'x-kubernetes-list-type': 'atomic',
      items: {
        type: 'object',
        properties: {
          apiVersion: text,
          fieldsType: text,
          fieldsV1: { type: 'object' },
          manager: text,
          operation: text,
          subresource: text,
          time,
        },
      },
    },
    name: text,
    namespace: text,
    ownerReferences: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['uid'],
      items: {
        type: 'object',
        required: ['apiVersion', 'kind', 'name', 'uid'],
        properties: {
          apiVersion: text,
          blockOwnerDeletion: { type: 'boolean' },
          controller: { type: 'boolean' },
          kind: text,
          name: text,
          uid: text,
        },
        'x-kubernetes-map-type': 'atomic',
      },
    },
    resourceVersion: text,
    selfLink: text,
    uid: text,
  },
};
