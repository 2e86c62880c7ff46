import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  holdsParameter,
  intType,
  listType,
  mapType,
  nullType,
  opaqueType,
  optionalType,
  parameterType,
  printType,
  stringType,
  type Type,
  timestampType,
  typeType,
  uintType,
} from '../type.ts';

/** The parsed signature of an overload. `parameters` includes the receiver, if it has one, as the first. */
export interface Signature {
  /** With its namespace: `base64.encode`; without the receiver: `split`. */
  readonly name: string;
  readonly receiver: boolean;
  readonly parameters: readonly Type[];
  readonly result: Type;
  /** Whether a type parameter is in it. */
  readonly generic: boolean;
  /** As it is printed in messages and the manual: `string.split(string) -> list(string)`. */
  readonly text: string;
}

const SCALARS = new Map<string, Type>([
  ['bool', boolType],
  ['int', intType],
  ['uint', uintType],
  ['double', doubleType],
  ['string', stringType],
  ['bytes', bytesType],
  ['null', nullType],
  ['null_type', nullType],
  ['dyn', dynType],
  ['timestamp', timestampType],
  ['duration', durationType],
  ['google.protobuf.Timestamp', timestampType],
  ['google.protobuf.Duration', durationType],
]);

/** Parses a signature; throws on a wrong one, which is a bug of the library. */
export function parseSignature(text: string): Signature {
  const reader = new SignatureReader(text);
  return reader.read();
}

/** Whether a function's name is that of an operator: `_+_`, `@in`. */
export function isOperator(name: string): boolean {
  return name === '@in' || (name.includes('_') && !/[A-Za-z]/.test(name));
}

/** An operator's signature or name as people write it: `int + int -> int`, `+`; any other text as it is. */
export function showOperator(text: string): string {
  return text
    .replace(/^_(\S+)_\((.*), (.*)\) ->/, '$2 $1 $3 ->')
    .replace(/^@in\((.*?), (.*)\) ->/, '$1 in $2 ->')
    .replace(/^_\[(\??)_\]\((.*), (.*?)\) ->/, '$2[$1$3] ->')
    .replace(/^_\?\._\((.*), (.*)\) ->/, '$1.?$2 ->')
    .replace(/^([!-])_\((.*)\) ->/, '$1$2 ->')
    .replace(/^_(\S+)_$/, '$1')
    .replace(/^@in$/, 'in')
    .replace(/^([!-])_$/, '$1')
    .replace(/^_\[(\??)_\]$/, '[$1]')
    .replace(/^_\?\._$/, '.?');
}

class SignatureReader {
  readonly #tokens: readonly string[];
  readonly #text: string;
  #next = 0;

  constructor(text: string) {
    this.#text = text;
    this.#tokens = text.match(/->|[(),.]|[A-Za-z_@!&|<>=+\-*/%?[\]:][\w@!&|<>=+*/%?[\]:]*(?:-_)?|-_/g) ?? [];
  }

  read(): Signature {
    const head = this.#readHead();
    const parameters = head.receiver === undefined ? [] : [head.receiver];
    if (this.#peek() !== ')') {
      do parameters.push(this.#readType());
      while (this.#accept(','));
    }
    this.#expect(')');
    this.#expect('->');
    const result = this.#readType();
    const shown = parameters.map(printType);
    const receiver = head.receiver !== undefined;
    const call = receiver ? `${shown[0]}.${head.name}(${shown.slice(1).join(', ')})` : `${head.name}(${shown.join(', ')})`;
    const generic = [result, ...parameters].some(holdsParameter);
    return { name: head.name, receiver, parameters, result, generic, text: `${call} -> ${printType(result)}` };
  }

  /** Everything up to the `(` of the parameters: a name, a namespace and a name, or a receiver type and a name. */
  #readHead(): { name: string; receiver: Type | undefined } {
    let receiver: Type | undefined;
    const names: string[] = [];
    for (;;) {
      const name = this.#take();
      if (this.#peek() === '(' && ['list', 'map', 'optional_type', 'type'].includes(name) && this.#receiverFollows()) {
        this.#next--;
        receiver = this.#readType();
        this.#expect('.');
        continue;
      }
      names.push(name);
      if (this.#accept('(')) break;
      this.#expect('.');
    }
    const last = names.pop() ?? '';
    if (names.length > 0) {
      const prefix = names.join('.');
      const type = this.#typeNamed(prefix);
      if (type === undefined) return { name: `${prefix}.${last}`, receiver };
      receiver = type;
    }
    return { name: last, receiver };
  }

  /** Whether the parenthesis that opens here closes before a dot, as a receiver type's does. */
  #receiverFollows(): boolean {
    let depth = 0;
    for (let at = this.#next; at < this.#tokens.length; at++) {
      if (this.#tokens[at] === '(') depth++;
      if (this.#tokens[at] === ')' && --depth === 0) return this.#tokens[at + 1] === '.';
    }
    return false;
  }

  #readType(): Type {
    let name = this.#take();
    while (this.#accept('.')) name += `.${this.#take()}`;
    if (this.#peek() !== '(') {
      const type = this.#typeNamed(name);
      if (type === undefined) throw this.#fault(`no type "${name}"`);
      return type;
    }
    this.#expect('(');
    const first = this.#readType();
    const second = this.#accept(',') ? this.#readType() : undefined;
    this.#expect(')');
    if (name === 'list' && second === undefined) return listType(first);
    if (name === 'optional_type' && second === undefined) return optionalType(first);
    if (name === 'type' && second === undefined) return typeType(first);
    if (name === 'map' && second !== undefined) return mapType(first, second);
    throw this.#fault(`no type "${name}" with these parameters`);
  }

  #typeNamed(name: string): Type | undefined {
    const scalar = SCALARS.get(name);
    if (scalar !== undefined) return scalar;
    if (/^[A-Z]$/.test(name)) return parameterType(name);
    return /^(kubernetes|net)\.[A-Z]/.test(name) ? opaqueType(name) : undefined;
  }

  #peek(): string | undefined {
    return this.#tokens[this.#next];
  }

  #take(): string {
    const token = this.#tokens[this.#next++];
    if (token === undefined) throw this.#fault('ends too early');
    return token;
  }

  #accept(token: string): boolean {
    if (this.#peek() !== token) return false;
    this.#next++;
    return true;
  }

  #expect(token: string): void {
    if (!this.#accept(token)) throw this.#fault(`expected "${token}", found "${this.#peek() ?? 'the end'}"`);
  }

  #fault(problem: string): Error {
    return new Error(`signature "${this.#text}": ${problem}`);
  }
}
