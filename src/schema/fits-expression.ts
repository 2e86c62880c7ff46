import type { Ast, MapNode } from '../cel/ast.ts';
import { spanOf } from '../cel/stretch.ts';
import type { Type } from '../cel/type.ts';
import type { Place, Report } from '../diagnostic/diagnostic.ts';
import { checkScalar, type Scalar } from './constraints.ts';
import { misfits, reportMisfit, unknownMisfit } from './fits.ts';
import type { OpenApiSchema } from './openapi.ts';

/** An expression without mistakes, with the type of each of its parts. */
interface TypedExpression {
  readonly ast: Ast;
  typeOf(node: Ast): Type;
}

/**
 * Reports why the values of an expression may not fill a field of this schema (graph.md 6.3), part by part where the expression builds
 * its value itself: the fields of a map literal, the elements of a list, the branches of a conditional, and literals with their enum,
 * pattern and bounds. `place` is that of the whole expression.
 */
export function reportExpressionMisfits(expression: TypedExpression, schema: OpenApiSchema, place: Place, report: Report): void {
  new Parts(expression, place, report).fit(expression.ast, schema, '');
}

/** Whether an expression may have parts that are fitted one by one; of any other its type says all. */
export function fitsByParts({ kind }: Ast): boolean {
  return PARTED.has(kind);
}

const PARTED: ReadonlySet<Ast['kind']> = new Set(['conditional', 'bind', 'optionalMap', 'map', 'list', 'comprehension', 'literal']);

class Parts {
  readonly #expression: TypedExpression;
  readonly #place: Place;
  readonly #report: Report;

  constructor(expression: TypedExpression, place: Place, report: Report) {
    this.#expression = expression;
    this.#place = place;
    this.#report = report;
  }

  fit(node: Ast, schema: OpenApiSchema, at: string): void {
    if (node.kind === 'conditional') {
      this.fit(node.whenTrue, schema, at);
      this.fit(node.whenFalse, schema, at);
    } else if (node.kind === 'bind') this.fit(node.body, schema, at);
    else if (node.kind === 'optionalMap' && !node.flat) this.fit(node.body, schema, at);
    else if (node.kind === 'map' && schema.takes('object') && hasLiteralKeys(node)) this.#fitFields(node, schema, at);
    else if (node.kind === 'list' && schema.takes('array')) for (const { value } of node.items) this.fit(value, schema.items, `${at}[]`);
    else if (node.kind === 'comprehension' && node.form === 'list' && schema.takes('array')) this.fit(node.body, schema.items, `${at}[]`);
    else this.#fitWhole(node, schema, at);
  }

  #fitFields(map: MapNode, schema: OpenApiSchema, at: string): void {
    for (const { key, value } of map.entries) {
      const name = literalText(key) ?? '';
      const field = schema.at(name);
      if (field === undefined) reportMisfit(unknownMisfit(name, schema, at), this.#placeOf(key), this.#report);
      else this.fit(value, field, at === '' ? name : `${at}.${name}`);
    }
  }

  #fitWhole(node: Ast, schema: OpenApiSchema, at: string): void {
    const place = this.#placeOf(node);
    const found = misfits(this.#expression.typeOf(node), schema, at);
    for (const misfit of found) reportMisfit(misfit, place, this.#report);
    if (found.length > 0 || node.kind !== 'literal' || !isScalar(node.value)) return;
    checkScalar(node.value, schema, place.path, (diagnostic) => this.#report({ ...diagnostic, ...place }));
  }

  /** The part's own place; the whole expression needs no stretch of itself. */
  #placeOf(node: Ast): Place {
    return node === this.#expression.ast ? this.#place : { ...this.#place, span: spanOf(node.span) };
  }
}

function hasLiteralKeys(map: MapNode): boolean {
  return map.entries.every(({ key }) => literalText(key) !== undefined);
}

function literalText(node: Ast): string | undefined {
  return node.kind === 'literal' && typeof node.value === 'string' ? node.value : undefined;
}

function isScalar(value: unknown): value is Scalar {
  return typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number' || typeof value === 'bigint';
}
