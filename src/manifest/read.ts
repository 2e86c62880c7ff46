import { type Document, LineCounter, parseAllDocuments, type YAMLError } from 'yaml';
import type { JsonObject, JsonValue } from '../api/object.ts';
import { FieldPath } from '../diagnostic/path.ts';
import { NodeLocator, NodeReader } from './node.ts';
import { kubectlScalars } from './scalar.ts';
import { splitJson } from './split-json.ts';
import { faultOfCharacters, faultOfJson } from './strict.ts';

/** A place in a file; both count from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** One object of a file. */
export interface Manifest {
  readonly value: JsonValue;
  /** Where the value at a path begins; where a path leads to nothing, the nearest value around. */
  locate(path: FieldPath): Position;
}

/** Why a file, or a document in it, cannot be read. */
export interface ManifestFault {
  readonly message: string;
  readonly position: Position;
}

/** What is in a file. */
export interface ManifestFile {
  readonly manifests: readonly Manifest[];
  readonly faults: readonly ManifestFault[];
  /** What is read otherwise than its author is likely to mean. */
  readonly doubts: readonly ManifestFault[];
  /** Whether it could be read with a larger stack. */
  readonly isTooDeep: boolean;
}

/** What follows the first faults of a document is mostly their echo. */
const MOST_FAULTS = 5;
const STACK = /call stack|stack overflow/i;
const TOO_DEEP = 'values are nested too deeply to be read';

/**
 * Reads the YAML documents or the JSON values of a file as kubectl does; a `List`, or a list of one kind, counts as its items, an empty
 * document as nothing.
 */
export function readManifests(text: string): ManifestFile {
  const lines = linesOf(text);
  const manifests: Manifest[] = [];
  const faults: ManifestFault[] = [];
  const doubts: ManifestFault[] = [];
  for (const { start, end } of splitJson(text)) {
    const positionOf = (offset: number): Position => {
      const { line, col } = lines.linePos(start + offset);
      return { line: Math.max(1, line), column: Math.max(1, col) };
    };
    const unreadable = faultOfJson(text, start) ?? faultOfCharacters(text.slice(start, end), start);
    if (unreadable !== undefined) {
      faults.push({ message: unreadable.message, position: positionOf(unreadable.offset - start) });
      continue;
    }
    for (const document of parse(text.slice(start, end), faults)) {
      for (const { message, pos } of worthTelling(document.errors)) faults.push({ message: tidy(message), position: positionOf(pos[0]) });
      if (document.errors.length > 0 || document.contents === null) continue;
      const reader = new NodeReader();
      const value = reader.read(document.contents);
      for (const { message, offset } of reader.faults) faults.push({ message, position: positionOf(offset) });
      for (const { message, offset } of reader.doubts) doubts.push({ message, position: positionOf(offset) });
      if (reader.faults.length > 0 || value === null) continue;
      const locator = new NodeLocator(document.contents);
      const locate = (path: FieldPath): Position => positionOf(locator.offsetAt(path));
      for (const manifest of isKubeList(value) ? itemsOf(value, locate) : [{ value, locate }]) manifests.push(manifest);
    }
  }
  return { manifests, faults, doubts, isTooDeep: faults.some(({ message }) => message === TOO_DEEP) };
}

function linesOf(text: string): LineCounter {
  const lines = new LineCounter();
  lines.addNewLine(0);
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines.addNewLine(at + 1);
  return lines;
}

function parse(text: string, faults: ManifestFault[]): readonly Document.Parsed[] {
  try {
    const documents = parseAllDocuments(text, {
      schema: 'failsafe',
      customTags: (tags) => [...tags, ...kubectlScalars],
      prettyErrors: false,
      uniqueKeys: false,
    });
    return 'empty' in documents ? [] : documents;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    faults.push({ message: TOO_DEEP, position: { line: 1, column: 1 } });
    return [];
  }
}

/** Where the stack ends the parser stumbles at every level that it leaves: that is one fault. */
function worthTelling(errors: readonly YAMLError[]): readonly YAMLError[] {
  const deepest = errors.find(({ message }) => STACK.test(message));
  return deepest === undefined ? errors.slice(0, MOST_FAULTS) : [deepest];
}

/** The parser's own text ends with the place and an excerpt, which the caller has. */
function tidy(message: string): string {
  const [first = message] = message.split('\n');
  if (STACK.test(first)) return TOO_DEEP;
  const sentence = first.replace(/ at line \d+, column \d+:?$/, '');
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}

/** `kubectl get -o yaml` writes several objects as one of kind List, an API server as one of kind GraphList. */
function isKubeList(value: JsonValue): value is KubeList {
  if (typeof value !== 'object' || value === null || !('kind' in value)) return false;
  return typeof value['kind'] === 'string' && value['kind'].endsWith(LIST) && Array.isArray(value['items']);
}

interface KubeList extends JsonObject {
  readonly kind: string;
  readonly items: readonly JsonValue[];
}

const LIST = 'List';

/** An item that names no type is of the list's own. */
function itemsOf({ apiVersion, kind, items }: KubeList, locate: (path: FieldPath) => Position): Manifest[] {
  const type = { ...(apiVersion === undefined ? {} : { apiVersion }), kind: kind.slice(0, -LIST.length) };
  return items.map((item, index) => ({
    value: isUntyped(item) && type.kind !== '' ? { ...type, ...item } : item,
    locate: (path) => locate(FieldPath.of('items', index, ...path.segments())),
  }));
}

function isUntyped(item: JsonValue): item is JsonObject {
  return typeof item === 'object' && item !== null && !Array.isArray(item) && !('apiVersion' in item) && !('kind' in item);
}
