/** Other names of Unicode's categories, as Go looks them up: without case, spaces, hyphens and underscores. */
const CATEGORIES = new Map(
  Object.entries({
    L: 'letter',
    Lu: 'uppercaseletter',
    Ll: 'lowercaseletter',
    Lt: 'titlecaseletter',
    Lm: 'modifierletter',
    Lo: 'otherletter',
    LC: 'casedletter lc',
    M: 'mark combiningmark',
    Mn: 'nonspacingmark',
    Mc: 'spacingmark',
    Me: 'enclosingmark',
    N: 'number',
    Nd: 'decimalnumber digit',
    Nl: 'letternumber',
    No: 'othernumber',
    P: 'punctuation punct',
    Pc: 'connectorpunctuation',
    Pd: 'dashpunctuation',
    Ps: 'openpunctuation',
    Pe: 'closepunctuation',
    Pi: 'initialpunctuation',
    Pf: 'finalpunctuation',
    Po: 'otherpunctuation',
    S: 'symbol',
    Sm: 'mathsymbol',
    Sc: 'currencysymbol',
    Sk: 'modifiersymbol',
    So: 'othersymbol',
    Z: 'separator',
    Zs: 'spaceseparator',
    Zl: 'lineseparator',
    Zp: 'paragraphseparator',
    C: 'other',
    Cc: 'control cntrl',
    Cf: 'format',
    Cs: 'surrogate',
    Co: 'privateuse',
    Cn: 'unassigned',
  }).flatMap(([category, names]) => names.split(' ').map((name) => [name, category])),
);

const CLASS_NAME = String.raw`\\[pP](?:\{[^}]*\}|[A-Za-z])`;
/** What stands outside of brackets: a quotation, an escape, the start of a group or of brackets (their first `]` is one of the characters). */
const OUTSIDE = new RegExp(String.raw`${CLASS_NAME}|\\Q[^]*?(?:\\E|$)|\\[^]|\(\?P?<\w+>|\[\^?\]?|[^]`, 'y');
/** What stands within brackets: an escape, a POSIX class, a character. */
const INSIDE = new RegExp(String.raw`${CLASS_NAME}|\\[^]|\[:[^]*?:\]|[^]`, 'y');

/**
 * The pattern as re2js can read it, where Go reads more: names of Unicode classes in any spelling, a name that two groups share, and within
 * brackets a `[` that begins no POSIX class. Nothing here uses the names of groups, so they go.
 */
export function withoutGoSyntax(source: string): string {
  let result = '';
  let isInside = false;
  for (let at = 0; at < source.length; ) {
    const tokens: RegExp = isInside ? INSIDE : OUTSIDE;
    tokens.lastIndex = at;
    const [token = ''] = tokens.exec(source) ?? [];
    at += token.length;
    result += isInside ? respellInside(token) : respellOutside(token);
    isInside = isInside ? token !== ']' : token.startsWith('[');
  }
  return result;
}

function respellOutside(token: string): string {
  if (token.startsWith('(?')) return /<\d/.test(token) ? token : '(';
  return respellClass(token);
}

function respellInside(token: string): string {
  return token === '[' ? '\\[' : respellClass(token);
}

/** `\p{uppercase letter}` as `\p{Lu}`, `\p{GREEK}` as `\p{Greek}`. */
function respellClass(token: string): string {
  const match = /^(\\[pP])(?:\{(\^?)([^}]*)\}|(.))$/.exec(token);
  if (match === null) return token;
  const [, start = '', negation = '', name = '', letter = ''] = match;
  const plain = (name || letter).replace(/[ _-]/g, '').toLowerCase();
  const capitalized = plain.charAt(0).toUpperCase() + plain.slice(1);
  return `${start}{${negation}${CATEGORIES.get(plain) ?? capitalized}}`;
}
