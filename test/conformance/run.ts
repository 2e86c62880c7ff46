import { deepAdapterOf } from '../../src/cel/adapt.ts';
import { Budget } from '../../src/cel/budget.ts';
import { check } from '../../src/cel/check.ts';
import { Environment } from '../../src/cel/environment.ts';
import { EvaluationError } from '../../src/cel/error.ts';
import type { FunctionDeclaration } from '../../src/cel/library/declare.ts';
import { parse } from '../../src/cel/parse.ts';
import { plan } from '../../src/cel/plan.ts';
import { readDuration, readTimestamp } from '../../src/cel/temporal.ts';
import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  intType,
  listType,
  mapType,
  nullType,
  optionalType,
  parameterType,
  printType,
  stringType,
  type Type,
  timestampType,
  typeType,
  uintType,
} from '../../src/cel/type.ts';
import { boxDouble, MapValue, TypeValue, Uint, type Value } from '../../src/cel/value.ts';
import { tagValue } from '../../src/cli/tagged-value.ts';
import type { SpecDeclaration, SpecTest, SpecType, SpecValue } from './spec-tests.ts';

/** Runs one test of the official data; what is wrong with the result, or undefined. */
export function runSpecTest(test: SpecTest): string | undefined {
  const parsed = parse(test.expr);
  if (parsed.issues !== undefined) return test.expectsError ? undefined : `does not parse: ${parsed.issues[0]?.message}`;
  const { type, issues, checked } = check(parsed.ast, environmentOf(test));
  if (checked === undefined) return test.expectsError ? undefined : `does not check: ${issues.map((issue) => issue.message).join('; ')}`;
  if (test.type !== undefined && printType(type) !== printType(readType(test.type))) {
    return `type: wanted ${printType(readType(test.type))}, found ${printType(type)}`;
  }
  if (test.checkOnly) return undefined;
  try {
    const budget = new Budget();
    const value = plan(checked)((name) => readBinding(test, name), budget);
    const adapt = deepAdapterOf(type);
    const found = tagValue(adapt === undefined ? value : adapt(value, budget), budget);
    if (test.expectsError) return `wanted an error, found ${JSON.stringify(found)}`;
    if (test.value === undefined) return undefined;
    const wanted = tagValue(readValue(test.value), budget);
    return canonical(found) === canonical(wanted) ? undefined : `wanted ${JSON.stringify(wanted)}, found ${JSON.stringify(found)}`;
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    return test.expectsError ? undefined : `fails: ${error.message}`;
  }
}

/** The tagged value as text in which the order of a map does not show. */
function canonical(tagged: unknown): string {
  return JSON.stringify(tagged, (key, value: unknown) => {
    return key === 'map' && Array.isArray(value) ? value.map((entry) => canonical(entry)).sort() : value;
  });
}

function environmentOf(test: SpecTest): Environment {
  const variables = new Map<string, Type>();
  for (const { name, ident } of test.typeEnv) if (ident !== undefined) variables.set(name, readType(ident.type));
  for (const name of Object.keys(test.bindings)) if (!variables.has(name)) variables.set(name, dynType);
  const functions = test.typeEnv.filter((declaration) => declaration.function !== undefined).map(readFunction);
  return Environment.standard().with(variables).withFunctions(functions).inContainer(test.container);
}

function readFunction({ name, function: declared }: SpecDeclaration): FunctionDeclaration {
  const overloads = (declared?.overloads ?? []).map(({ params, resultType }) => {
    const signature = { name, receiver: false, parameters: params.map(readType), result: readType(resultType), generic: true, text: name };
    return { signature, implement: () => null };
  });
  return { name, doc: '', examples: [], overloads };
}

const PRIMITIVES = new Map<unknown, Type>([
  ['BOOL', boolType],
  ['INT64', intType],
  ['UINT64', uintType],
  ['DOUBLE', doubleType],
  ['STRING', stringType],
  ['BYTES', bytesType],
]);

function readType(type: SpecType): Type {
  const [kind, content] = Object.entries(type)[0] ?? [];
  switch (kind) {
    case 'primitive':
      return PRIMITIVES.get(content) ?? dynType;
    case 'wellKnown':
      return content === 'TIMESTAMP' ? timestampType : content === 'DURATION' ? durationType : dynType;
    case 'messageType':
      return content === 'google.protobuf.Timestamp' ? timestampType : content === 'google.protobuf.Duration' ? durationType : dynType;
    case 'listType':
      return listType(readType((content as { elemType: SpecType }).elemType));
    case 'mapType': {
      const { keyType, valueType } = content as { keyType: SpecType; valueType: SpecType };
      return mapType(readType(keyType), readType(valueType));
    }
    case 'type':
      return typeType(readType(content as SpecType));
    case 'typeParam':
      return parameterType(String(content));
    case 'null':
      return nullType;
    case 'abstractType': {
      const { name, parameterTypes = [] } = content as { name: string; parameterTypes?: SpecType[] };
      const parameters = parameterTypes.map(readType);
      return name === 'optional_type' ? optionalType(parameters[0] ?? dynType) : { kind: 'opaque', name, parameters };
    }
    default:
      return dynType;
  }
}

function readBinding(test: SpecTest, name: string): Value | undefined {
  const bound = test.bindings[name];
  return bound === undefined ? undefined : readValue(bound.value);
}

function readValue(value: SpecValue): Value {
  const [kind, content] = Object.entries(value)[0] ?? [];
  switch (kind) {
    case 'nullValue':
      return null;
    case 'boolValue':
      return content === true;
    case 'int64Value':
      return exact(BigInt(String(content)));
    case 'uint64Value':
      return new Uint(exact(BigInt(String(content))));
    case 'doubleValue':
      return boxDouble(Number(content));
    case 'stringValue':
      return String(content);
    case 'bytesValue':
      return Uint8Array.from(Buffer.from(String(content), 'base64'));
    case 'typeValue':
      return new TypeValue(String(content));
    case 'listValue':
      return ((content as { values?: SpecValue[] }).values ?? []).map(readValue);
    case 'mapValue': {
      const map = new MapValue();
      for (const entry of (content as { entries?: { key: SpecValue; value: SpecValue }[] }).entries ?? []) {
        map.set(readValue(entry.key), readValue(entry.value));
      }
      return map;
    }
    case 'objectValue': {
      const { '@type': type = '', value: text = '' } = content as { '@type'?: string; value?: string };
      const read = type.endsWith('Duration') ? readDuration(text) : readTimestamp(text);
      if (read === undefined) throw new Error(`cannot read a ${type}`);
      return read;
    }
    default:
      throw new Error(`cannot read a ${kind}`);
  }
}

function exact(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}
