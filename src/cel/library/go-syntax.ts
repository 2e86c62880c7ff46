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

/**
 * The pattern as re2js can read it, where Go reads more: names of Unicode classes in any spelling, and a name that two groups share.
 * Nothing here uses the names of groups, so they go.
 */
export function withoutGoSyntax(source: string): string {
  return source.replace(/\\[pP](?:\{[^}]*\}|[A-Za-z])|\\[\s\S]|\(\?P?<\w+>/g, (token) => {
    if (/^\\[pP]/.test(token)) return respellClass(token);
    return token.startsWith('(') && !/<\d/.test(token) ? '(' : token;
  });
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
