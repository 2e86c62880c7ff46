import { Opaque, type OpaqueKind, Optional } from '../value.ts';
import { define, type FunctionDeclaration, type Library, opaqueNamed, overload } from './declare.ts';
import { formatRules } from './format-rules.ts';

/** A format is known by its name. */
const formatKind: OpaqueKind<string> = {
  type: opaqueNamed('kubernetes.NamedFormat'),
  tag: 'format',
  equals: (a, b) => a === b,
  print: (name) => name,
};

/** Formats of names and values in Kubernetes' API: Kubernetes' format. */
export const namedFormat: Library = {
  name: 'namedFormat',
  doc: 'Formats of names and values in the Kubernetes API.',
  opaques: [formatKind],
  functions: [
    define('format.named', {
      doc: 'An optional of the format with a name; none if there is no such format.',
      examples: [["format.named('uuid').hasValue()", 'true']],
      overloads: [
        overload('format.named(string) -> optional_type(kubernetes.NamedFormat)', (name: string) =>
          formatRules.has(name) ? Optional.of(new Opaque(formatKind, name)) : Optional.NONE,
        ),
      ],
    }),
    ...[...formatRules.keys()].map(constant),
    define('validate', {
      doc: 'An optional of the errors of a string; none if it has the format.',
      examples: [
        ["format.dns1123Label().validate('my-label').hasValue()", 'false'],
        ["format.dns1123Label().validate('a.b').value()", "['must not contain dots']"],
      ],
      overloads: [
        overload('kubernetes.NamedFormat.validate(string) -> optional_type(list(string))', ({ data }: Opaque<string>, text: string) => {
          const wrong = formatRules.get(data)?.(text) ?? [];
          return wrong.length === 0 ? Optional.NONE : Optional.of(wrong);
        }),
      ],
    }),
  ],
};

function constant(name: string): FunctionDeclaration {
  return define(`format.${name}`, {
    doc: `The format "${name}".`,
    examples: [[`format.${name}() == format.named('${name}').value()`, 'true']],
    overloads: [overload(`format.${name}() -> kubernetes.NamedFormat`, () => new Opaque(formatKind, name))],
  });
}
