import type { JsonObject, JsonValue } from '../api/object.ts';
import { hashOf } from './bundle.ts';
import { compactSchema } from './document.ts';
import { OBJECT_META_NAME } from './object-meta.ts';
import { inlineSchema, type RawSchema } from './openapi.ts';
import { schemaText } from './schema-text.ts';
import type { ResourceSchema } from './snapshot.ts';
import { compareVersions } from './version-order.ts';

const VERBS: ReadonlySet<string> = new Set(['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch']);

/**
 * The kinds that a CustomResourceDefinition (apiextensions.k8s.io/v1) would serve, one for each served version, the preferred
 * version first; empty if the object is no such definition. A version without a schema is free-form.
 */
export function readCrd(crd: JsonValue): ResourceSchema[] {
  const spec = objectAt(crd, 'spec');
  const names = objectAt(spec, 'names');
  const group = spec?.['group'];
  const kind = names?.['kind'];
  const plural = names?.['plural'];
  const versions = spec?.['versions'];
  if (typeof group !== 'string' || typeof kind !== 'string' || typeof plural !== 'string' || !Array.isArray(versions)) return [];
  const served = versions.filter((version) => isObject(version) && version['served'] === true && typeof version['name'] === 'string');
  served.sort((a, b) => compareVersions(String(a['name']), String(b['name'])));
  return served.map((version) => {
    const resource = { kind: { group, version: String(version['name']), kind }, plural, namespaced: spec?.['scope'] !== 'Cluster' };
    const hasStatus = objectAt(objectAt(version, 'subresources'), 'status') !== undefined;
    const raw = rootSchema(objectAt(objectAt(version, 'schema'), 'openAPIV3Schema'));
    return {
      ...resource,
      verbs: VERBS,
      hasStatus,
      schema: inlineSchema(raw, `${group.split('.').reverse().join('.')}.${resource.kind.version}.${kind}`),
      hash: hashOf([JSON.stringify([resource, hasStatus]), schemaText(raw)]),
    };
  });
}

/** What the API server publishes for a CRD's schema: with apiVersion, kind and the standard metadata. */
function rootSchema(schema: JsonObject | undefined): RawSchema {
  const raw: RawSchema = schema === undefined ? { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } : compactSchema(schema);
  const text: RawSchema = { type: 'string' };
  return { ...raw, properties: { ...raw.properties, apiVersion: text, kind: text, metadata: { $ref: OBJECT_META_NAME } } };
}

function objectAt(value: JsonValue | undefined, field: string): JsonObject | undefined {
  const member = isObject(value) ? value[field] : undefined;
  return isObject(member) ? member : undefined;
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
