import { isKindName, parseApiVersion, type ResourceKind } from '../api/object.ts';
import { type Checked, check as checkExpression } from '../cel/check.ts';
import { Environment } from '../cel/environment.ts';
import type { CelIssue, CelIssueKind } from '../cel/issue.ts';
import { plan } from '../cel/plan.ts';
import { dynType, errorType, holdsError, listType, printType, stringType, type Type, valueStruct } from '../cel/type.ts';
import { type Diagnostic, type DiagnosticDefinition, defineDiagnostic, type Report } from '../diagnostic/diagnostic.ts';
import type { PathSet } from '../diagnostic/path-tree.ts';
import { celTypeOf } from '../schema/cel-type.ts';
import { conversionToText, misfits, printSchema, reportMisfits } from '../schema/fits.ts';
import { fitsByParts, reportExpressionMisfits } from '../schema/fits-expression.ts';
import { checkManifest } from '../schema/literal.ts';
import { inlineSchema, type OpenApiSchema, unheardSchema } from '../schema/openapi.ts';
import { hasRefusedForEach, type SourceFrame, type SourceNode, titleOf } from './frame.ts';
import { isComputed, namedKind } from './kinds/object-shape.ts';
import { OPERATORS } from './kinds/selector.ts';
import { type ComputedPayload, placeOf, type SourceExpression, type SourcePayload, syntax, tooComplex } from './payload.ts';
import type { Target } from './program.ts';
import { EACH } from './resolve.ts';
import type { RuleContext } from './rules/rule.ts';
import { ShapeInference } from './shape.ts';

const issueText = {
  severity: 'error',
  message: ({ issue }: { issue: CelIssue }) => issue.message,
  hint: ({ issue }: { issue: CelIssue }) => issue.hint,
} as const;
const undeclared = defineDiagnostic({ code: 'expression/undeclared', ...issueText });
const unknownField = defineDiagnostic({ code: 'expression/unknown-field', ...issueText });
const wrongType = defineDiagnostic({ code: 'expression/type', ...issueText });
const wrongArgument = defineDiagnostic({ code: 'expression/argument', ...issueText });
const issues: Readonly<Record<CelIssueKind, DiagnosticDefinition<{ issue: CelIssue }>>> = {
  syntax,
  undeclared,
  field: unknownField,
  overload: wrongType,
  argument: wrongArgument,
  limit: tooComplex,
};

const notAList = defineDiagnostic({
  code: 'for-each/not-a-list',
  severity: 'error',
  message: ({ iterator, found }: { iterator: string; found: string }) => `forEach "${iterator}" needs a list, found ${found}`,
  hint: ({ found }) => (found.startsWith('map') ? 'a map gives its keys as x.map(k, k)' : undefined),
});
type Surroundings = 'text' | 'white space' | 'line break';
const WHITE_SPACE_HINTS = {
  'line break': 'use the block scalar "|-" or ">-", which keeps no line break at the end',
  'white space': 'remove the white space, so that the value is exactly one expression',
} as const;

const notText = defineDiagnostic({
  code: 'text/not-a-string',
  severity: 'error',
  message: ({ found }: { found: string; isOptional: boolean; around: Surroundings; conversion: string | undefined }) =>
    `an expression with text around it must be a string, found ${found}`,
  hint: ({ isOptional, around, conversion: hint }) => {
    if (around !== 'text') return WHITE_SPACE_HINTS[around];
    return isOptional ? 'give a default with orValue(...)' : hint;
  },
});
const textInTypedField = defineDiagnostic({
  code: 'text/typed-field',
  severity: 'error',
  message: ({ expected, around }: { expected: string; around: Surroundings }) =>
    `expected ${expected}, found a string: ${around === 'text' ? 'text with expressions always gives a string' : 'there is white space around the expression'}`,
  hint: ({ around }) => (around === 'text' ? 'make the value exactly one expression' : WHITE_SPACE_HINTS[around]),
});

/** The diagnostics of typing. */
export const checkDiagnostics = [undeclared, unknownField, wrongType, wrongArgument, notAList, notText, textInTypedField] as const;

const text = { type: 'string' } as const;
const kept = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } as const;
/** What is known of an object whose kind is not. */
const unknownObject = unheardSchema(
  { ...kept, properties: { apiVersion: text, kind: text, metadata: { ...kept, properties: { name: text, namespace: text } } } },
  'object',
);
const referenceSchema = inlineSchema(
  {
    type: 'object',
    properties: {
      apiVersion: text,
      kind: text,
      metadata: {
        type: 'object',
        properties: {
          name: text,
          namespace: text,
          selector: {
            type: 'object',
            properties: {
              matchLabels: { type: 'object', additionalProperties: text },
              matchExpressions: {
                type: 'array',
                items: {
                  type: 'object',
                  properties: { key: text, operator: { ...text, enum: OPERATORS }, values: { type: 'array', items: text } },
                },
              },
            },
          },
        },
      },
    },
  },
  'ref',
);

const DYNAMIC: Target = { kind: 'dynamic' };
const NO_LOCALS: ReadonlyMap<string, Type> = new Map();
const CRD_SCHEMA = ['spec', 'versions', undefined, 'schema', 'openAPIV3Schema'] as const;

/** Gives types to the nodes of a Graph, one after another in apply order, so that each finds those that it reads (graph.md 6). */
export class Checker {
  readonly #context: RuleContext;
  readonly #report: Report;
  /** Says nothing of places of which enough has been said. */
  readonly #reportLiteral: Report;
  readonly #shapes = new ShapeInference();
  /** One for all nodes that name the kind alike. */
  readonly #targets = new Map<string, Target>();
  /** What was found out of an expression without iterators: it is the same wherever its names mean the same. */
  readonly #known = new Map<SourceFrame | undefined, Map<string, SourceExpression>>();

  /** `broken`: places of which no more need be said. */
  constructor(context: RuleContext, report: Report, broken: PathSet) {
    this.#context = context;
    this.#report = report;
    this.#reportLiteral = (diagnostic) => {
      if (!broken.has(diagnostic.path)) report(diagnostic);
    };
  }

  /** Types all expressions of a node, fits them, and finds out what it publishes. */
  checkNode(node: SourceNode): void {
    this.#checkConditions(node, node.includeWhen, NO_LOCALS);
    const iterators = this.#checkDimensions(node);
    for (const expression of node.expressions) if (expression.role === 'payload') this.#type(expression, iterators);
    if (node.kind === undefined) {
      node.published = errorType;
    } else {
      node.checked = node.kind.check(node, this);
      const { item, publishesList } = node.checked;
      const isList = publishesList || node.forEach.length > 0;
      node.published = item === undefined || !isList ? item : listType(item);
      // Of several nodes with one id no one knows which is meant.
      const isRepeated = node.id !== undefined && node.frame.isRepeated(node.id);
      if (isRepeated || hasRefusedForEach(node)) node.published &&= errorType;
    }
    if (node.readyWhen.length > 0) this.#checkConditions(node, node.readyWhen, new Map([[EACH, node.checked?.item ?? errorType]]));
  }

  /** The kind that an object payload is about, as the cluster serves it; undefined if it names none that is valid. */
  targetOf(node: SourceNode): Target | undefined {
    const named = namedKind(node.payload);
    if (named === undefined) return undefined;
    if (isComputed(named.apiVersion) || isComputed(named.kind)) return DYNAMIC;
    const key = `${named.apiVersion} ${named.kind}`;
    const known = this.#targets.get(key);
    if (known !== undefined) return known;
    const parsed = parseApiVersion(named.apiVersion);
    if (parsed === undefined || !isKindName(named.kind)) return undefined;
    const resource = { ...parsed, kind: named.kind };
    const target: Target = { kind: 'static', resource, served: this.#context.schemas.get(resource) };
    this.#targets.set(key, target);
    return target;
  }

  /** The type of an object of this kind. */
  typeOfTarget(target: Target | undefined): Type {
    if (target === undefined) return errorType;
    const schema = target.kind === 'static' ? target.served?.schema : undefined;
    return schema === undefined ? dynType : celTypeOf(schema);
  }

  /** Holds a payload to the schema of its kind (graph.md 6.3); of a kind that is not known only the identity is checked. */
  checkManifest(node: SourceNode, target: Target | undefined, { required }: { readonly required: boolean }): void {
    const schema = target?.kind === 'static' ? target.served?.schema : undefined;
    const isCrd = target?.kind === 'static' && isCrdKind(target.resource);
    this.#holdTo(schema ?? unknownObject, node, {
      report: schema === undefined ? ignore : this.#reportLiteral,
      wantsRequired: required && schema !== undefined,
      isCrd,
    });
  }

  /** Types what a ref says of the objects to read; its literal parts are judged by their shape. */
  checkReference(node: SourceNode): void {
    this.#holdTo(referenceSchema, node, { report: ignore, wantsRequired: false, isCrd: false });
  }

  /** The type of a def's value (graph.md 6.1). */
  inferShape(node: SourceNode): Type {
    if (node.content === undefined || node.kind === undefined) return errorType;
    this.#eachText(node.content, (value) => this.#holdText(value));
    return this.#shapes.infer(node.content, `def ${titleOf(node)}`);
  }

  /** The type of a graph node's value: its nodes by their ids, patches aside. */
  mapOfChildren(node: SourceNode): Type {
    const { child } = node;
    // Of a list that cannot be read, or of nodes without an id, no one knows what they are.
    if (child === undefined || child.nodes.length === 0 || child.nodes.some(({ id }) => id === undefined)) return errorType;
    const fields = new Map<string, Type>();
    for (const member of child.nodes) {
      const { id, kind, published } = member;
      if (id === undefined || child.node(id) !== member || kind?.publishes === false) continue;
      fields.set(id, published ?? errorType);
    }
    const title = `graph ${titleOf(node)}`;
    return valueStruct(this.#shapes.uniqueName(title), fields, title);
  }

  #checkConditions(node: SourceNode, conditions: SourceNode['includeWhen'], locals: ReadonlyMap<string, Type>): void {
    if (conditions.length === 0) return;
    const contents = new Set(conditions.map(({ path }) => path));
    for (const expression of node.expressions) if (contents.has(expression.path)) this.#type(expression, locals);
  }

  #checkDimensions(node: SourceNode): ReadonlyMap<string, Type> {
    if (node.forEach.length === 0) return NO_LOCALS;
    const iterators = new Map<string, Type>();
    for (const { iterator, list } of node.forEach) {
      iterators.set(iterator, errorType);
      if (list?.content.kind !== 'standalone') continue;
      const expression = list.content;
      this.#type(expression, NO_LOCALS);
      const type = expression.type.kind === 'optional' ? expression.type.value : expression.type;
      if (type.kind === 'list') iterators.set(iterator, type.element);
      else if (type.kind === 'dyn' || type.kind === 'error') iterators.set(iterator, type);
      else if (!holdsError(type)) this.#report(notAList({ iterator, found: printType(type) }, placeOf(expression)));
    }
    return iterators;
  }

  /** Finds an expression's type; its mistakes are reported at its own place, also when it was checked before elsewhere. */
  #type(expression: SourceExpression, locals: ReadonlyMap<string, Type>): void {
    const { ast, references, frame } = expression;
    if (ast === undefined) return;
    const isShared = references.every((reference) => reference.node !== undefined && reference.node.frame === frame);
    const sameNames = isShared ? this.#inFrame(frame) : undefined;
    const known = sameNames?.get(expression.text);
    if (known?.plan !== undefined) {
      forgetAst(expression);
      expression.type = known.type;
      expression.valueType = known.valueType;
      expression.plan = known.plan;
      expression.parts = known.parts;
      return;
    }
    this.#context.steps.spend(expression.text.length);
    const variables = new Map<string, Type>();
    for (const { name, node: target, isLocal } of references) {
      variables.set(name, (isLocal ? locals.get(name) : target?.published) ?? errorType);
    }
    const result = checkExpression(ast, Environment.standard().with(variables));
    this.#context.steps.spend(result.work);
    for (const issue of result.issues) {
      this.#report(issues[issue.kind]({ issue }, { ...placeOf(expression), span: issue.span }));
    }
    expression.type = result.issues.length === 0 ? result.type : errorType;
    if (result.checked !== undefined) this.#plan(expression, result.checked);
    forgetAst(expression);
    sameNames?.set(expression.text, expression);
  }

  /** Plans at once, so that what the checker noted is garbage while it is young: keeping it made a third of the work of 1,000 nodes the collector's. */
  #plan(expression: SourceExpression, checked: Checked): void {
    expression.plan = plan(checked);
    expression.valueType = checked.valueType;
    if (fitsByParts(checked.ast)) expression.parts = checked;
  }

  #inFrame(frame: SourceFrame | undefined): Map<string, SourceExpression> {
    const known = this.#known.get(frame);
    if (known !== undefined) return known;
    const made = new Map<string, SourceExpression>();
    this.#known.set(frame, made);
    return made;
  }

  #holdTo(
    schema: OpenApiSchema,
    node: SourceNode,
    how: { readonly report: Report; readonly wantsRequired: boolean; readonly isCrd: boolean },
  ): void {
    if (node.content === undefined || node.kind === undefined) return;
    const place = node.place.field(node.kind.name);
    checkManifest<ComputedPayload>(node.content, schema, place, {
      report: how.report,
      wantsRequired: how.wantsRequired,
      computed: (value, field, path) => {
        this.#context.steps.spend(1);
        const isFree = how.isCrd && isInCrdSchema(path.below(place) ?? []);
        if (value.kind === 'standalone' && !isFree) this.#fit(value, field);
        if (value.kind !== 'text') return;
        if (isFree || misfits(stringType, field).length === 0) this.#holdText(value);
        else this.#reportLiteral(textInTypedField({ expected: printSchema(field), around: surroundings(value) }, { path }));
      },
    });
  }

  #fit(expression: SourceExpression, field: OpenApiSchema): void {
    const { type, parts } = expression;
    if (parts === undefined) reportMisfits(type, field, placeOf(expression), this.#report);
    else reportExpressionMisfits(parts, field, placeOf(expression), this.#report);
  }

  #eachText(payload: SourcePayload, visit: (value: SourcePayload & { kind: 'text' }) => void): void {
    if (payload.kind === 'text') visit(payload);
    else if (payload.kind === 'list') for (const item of payload.items) this.#eachText(item, visit);
    else if (payload.kind === 'object') for (const entry of payload.entries.values()) this.#eachText(entry, visit);
  }

  #holdText(value: SourcePayload & { kind: 'text' }): void {
    for (const part of value.parts) {
      if (typeof part === 'string' || isText(part.type)) continue;
      const { type } = part;
      const how = { isOptional: type.kind === 'optional', around: surroundings(value), conversion: conversionToText(type) };
      this.#report(notText({ found: printType(type), ...how }, placeOf(part)));
    }
  }
}

/** Only how long a list of forEach is asked later. Kept until the end, trees were a quarter of what a compilation keeps alive, and the collector copies. */
function forgetAst(expression: SourceExpression): void {
  if (expression.role !== 'forEach') expression.ast = undefined;
}

function isText(type: Type): boolean {
  return type.kind === 'string' || type.kind === 'dyn' || holdsError(type);
}

function isCrdKind({ group, kind }: ResourceKind): boolean {
  return group === 'apiextensions.k8s.io' && kind === 'CustomResourceDefinition';
}

/** Whether a path within a CustomResourceDefinition leads into the schema of one of its versions. */
function isInCrdSchema(segments: readonly (string | number)[]): boolean {
  return CRD_SCHEMA.every((wanted, at) => (wanted === undefined ? typeof segments[at] === 'number' : segments[at] === wanted));
}

function surroundings({ parts }: SourcePayload & { kind: 'text' }): Surroundings {
  const around = parts.filter((part) => typeof part === 'string').join('');
  if (parts.filter((part) => typeof part !== 'string').length > 1 || around.trim() !== '') return 'text';
  return /^\r?\n$/.test(around) && typeof parts[0] !== 'string' ? 'line break' : 'white space';
}

function ignore(_: Diagnostic): void {}
