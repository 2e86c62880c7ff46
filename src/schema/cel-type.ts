import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  intType,
  type ListType,
  listType,
  mapType,
  type StructType,
  stringType,
  type Type,
  timestampType,
} from '../cel/type.ts';
import type { OpenApiSchema } from './openapi.ts';

/** What has been made of each schema: a memo, so that the types of a kind are made once per schema version. */
const types = new WeakMap<OpenApiSchema, Type>();

/** The CEL type of the values of a schema: lazy, recursive where the schema is, the same object every time (graph.md 6.1, 6.4). */
export function celTypeOf(schema: OpenApiSchema): Type {
  const known = types.get(schema);
  if (known !== undefined) return known;
  types.set(schema, dynType); // a list or map that contains only itself ends here
  const type = makeType(schema);
  types.set(schema, type);
  return type;
}

function makeType(schema: OpenApiSchema): Type {
  if (schema.choices !== undefined) return dynType;
  switch (schema.type) {
    case undefined:
      return dynType;
    case 'boolean':
      return boolType;
    case 'integer':
      return intType;
    case 'number':
      return doubleType;
    case 'string':
      return textType(schema.format);
    case 'array':
      return arrayType(schema);
    case 'object':
      return schema.propertyNames.length === 0 && schema.additional !== undefined
        ? mapType(stringType, celTypeOf(schema.additional))
        : objectType(schema);
  }
}

/** The CEL type of a string of this format. */
export function textType(format: string | undefined): Type {
  switch (format) {
    case 'byte':
      return bytesType;
    case 'date-time':
    case 'datetime':
    case 'micro-time':
    case 'date':
      return timestampType;
    case 'duration':
      return durationType;
    default:
      return stringType;
  }
}

function arrayType(schema: OpenApiSchema): ListType {
  const list = listType(celTypeOf(schema.items));
  const keys = schema.raw['x-kubernetes-list-map-keys'];
  switch (schema.raw['x-kubernetes-list-type']) {
    case 'set':
      return { ...list, merge: { kind: 'set' } };
    case 'map':
      return keys === undefined ? list : { ...list, merge: { kind: 'map', keys } };
    default:
      return list;
  }
}

/** An object: open where unknown fields are kept; one without any declared field is read as a map too. */
function objectType(schema: OpenApiSchema): StructType {
  const open = schema.preservesUnknown || schema.isFreeForm;
  return {
    kind: 'struct',
    name: schema.name,
    field(name) {
      const field = schema.property(name) ?? schema.additional;
      return field && celTypeOf(field);
    },
    fieldNames: () => schema.propertyNames,
    ...(open ? { open } : {}),
    ...(open && schema.propertyNames.length === 0 ? { alsoMap: true } : {}),
  };
}
