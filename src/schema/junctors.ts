import type { JsonObject, JsonValue } from '../api/object.ts';
import { FieldPath } from '../diagnostic/path.ts';
import { checkEnum, checkScalar } from './constraints.ts';
import { inlineSchema, type RawSchema } from './openapi.ts';

/** `undefined`: it depends on what defaulting or a webhook may still fill in. */
type Judgement = boolean | undefined;

/** The combination that a literal value certainly misses (`allOf`, `anyOf`, `oneOf`, `not`); undefined if none. */
export function missedJunctor(value: JsonValue, raw: RawSchema): 'allOf' | 'anyOf' | 'oneOf' | 'not' | undefined {
  const { allOf, anyOf, oneOf, not } = raw;
  if (allOf !== undefined && conjunction(allOf.map((part) => judge(value, part))) === false) return 'allOf';
  if (anyOf?.every((part) => judge(value, part) === false)) return 'anyOf';
  if (oneOf !== undefined && missesOneOf(oneOf.map((part) => judge(value, part)))) return 'oneOf';
  return not !== undefined && judge(value, not) === true ? 'not' : undefined;
}

function missesOneOf(judgements: readonly Judgement[]): boolean {
  return judgements.every((judgement) => judgement === false) || judgements.filter((judgement) => judgement === true).length > 1;
}

function conjunction(judgements: readonly Judgement[]): Judgement {
  if (judgements.includes(false)) return false;
  return judgements.includes(undefined) ? undefined : true;
}

function judge(value: JsonValue, raw: RawSchema): Judgement {
  if (value === null) return undefined;
  const own = typeof value !== 'object' ? fitsScalar(value, raw) : isList(value) ? judgeList(value, raw) : judgeObject(value, raw);
  return conjunction([own, ...judgeJunctors(value, raw)]);
}

function judgeJunctors(value: JsonValue, { allOf, anyOf, oneOf, not }: RawSchema): Judgement[] {
  const judgements: Judgement[] = (allOf ?? []).map((part) => judge(value, part));
  if (anyOf !== undefined) judgements.push(disjunction(anyOf.map((part) => judge(value, part))));
  if (oneOf !== undefined) {
    const parts = oneOf.map((part) => judge(value, part));
    judgements.push(missesOneOf(parts) ? false : parts.includes(undefined) ? undefined : true);
  }
  if (not !== undefined) {
    const negated = judge(value, not);
    judgements.push(negated === undefined ? undefined : !negated);
  }
  return judgements;
}

function disjunction(judgements: readonly Judgement[]): Judgement {
  if (judgements.includes(true)) return true;
  return judgements.includes(undefined) ? undefined : false;
}

function fitsScalar(value: string | number | bigint | boolean, raw: RawSchema): boolean {
  let fits = true;
  checkScalar(value, inlineSchema(raw, ''), FieldPath.root, () => {
    fits = false;
  });
  return fits;
}

function judgeList(value: readonly JsonValue[], raw: RawSchema): Judgement {
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY, items, type } = raw;
  if ((type !== undefined && type !== 'array') || value.length < minItems || value.length > maxItems || !isInEnum(value, raw)) return false;
  return items === undefined ? true : conjunction(value.map((item) => judge(item, items)));
}

/** A field that is absent may still be filled: it makes nothing certain, but for the number of fields there is at least. */
function judgeObject(value: JsonObject, raw: RawSchema): Judgement {
  const { maxProperties = Number.POSITIVE_INFINITY, minProperties, required = [], properties = {}, type } = raw;
  const names = Object.keys(value);
  if ((type !== undefined && type !== 'object') || names.length > maxProperties || !isInEnum(value, raw)) return false;
  const isFull = minProperties === undefined || names.length >= minProperties;
  const present: Judgement[] = required.map((name) => (Object.hasOwn(value, name) ? true : undefined));
  const fields = Object.entries(properties).map(([name, field]) => {
    const member = Object.hasOwn(value, name) ? value[name] : undefined;
    return member === undefined ? undefined : judge(member, field);
  });
  return conjunction([isFull ? true : undefined, ...present, ...fields]);
}

function isInEnum(value: JsonValue, raw: RawSchema): boolean {
  let isIn = true;
  checkEnum(value, inlineSchema(raw, ''), FieldPath.root, () => {
    isIn = false;
  });
  return isIn;
}

function isList(value: readonly JsonValue[] | JsonObject): value is readonly JsonValue[] {
  return Array.isArray(value);
}
