import { fail } from '../error.ts';
import { Opaque, type OpaqueKind } from '../value.ts';
import { define, type FunctionDeclaration, type Library, opaqueNamed, overload, reading } from './declare.ts';
import { compareVersions, printVersion, readVersion, type Version } from './version.ts';

const semverKind: OpaqueKind<Version> = {
  type: opaqueNamed('kubernetes.Semver'),
  tag: 'semver',
  equals: (a, b) => compareVersions(a, b) === 0,
  print: printVersion,
};

type Semver = Opaque<Version>;

/** Semantic versions: Kubernetes' semver, first version. */
export const semver: Library = {
  name: 'semver',
  doc: 'Semantic versions (2.0.0). Build metadata, after a plus sign, is ignored.',
  opaques: [semverKind],
  functions: [
    define('semver', {
      doc: 'Parses a version: three numbers, without a prefix such as v.',
      examples: [
        ["semver('1.2.3').major()", '1'],
        ["semver('v1.2.3')", { error: 'conversion' }],
      ],
      overloads: [
        overload(
          'semver(string) -> kubernetes.Semver',
          (text: string) => {
            const version = readVersion(text);
            if (version === undefined) throw fail('conversion', 'the text is no semantic version: expected one like 1.2.3 or 1.2.3-rc.1');
            return new Opaque(semverKind, version);
          },
          reading,
        ),
      ],
    }),
    define('isSemver', {
      doc: 'Whether semver() accepts a string.',
      examples: [["isSemver('1.0')", 'false']],
      overloads: [overload('isSemver(string) -> bool', (text: string) => readVersion(text) !== undefined, reading)],
    }),
    number('major', 'The major version.', 0, ["semver('1.2.3').major()", '1']),
    number('minor', 'The minor version.', 1, ["semver('1.2.3').minor()", '2']),
    number('patch', 'The patch version.', 2, ["semver('1.2.3').patch()", '3']),
    define('compareTo', {
      doc: 'Compares a version to another: -1 if it is older, 0 if equal, 1 if newer.',
      examples: [["semver('1.0.0-rc.1').compareTo(semver('1.0.0'))", '-1']],
      overloads: [
        overload('kubernetes.Semver.compareTo(kubernetes.Semver) -> int', (a: Semver, b: Semver) => compareVersions(a.data, b.data)),
      ],
    }),
    define('isGreaterThan', {
      doc: 'Whether a version is newer than another.',
      examples: [["semver('1.10.0').isGreaterThan(semver('1.9.0'))", 'true']],
      overloads: [
        overload(
          'kubernetes.Semver.isGreaterThan(kubernetes.Semver) -> bool',
          (a: Semver, b: Semver) => compareVersions(a.data, b.data) > 0,
        ),
      ],
    }),
    define('isLessThan', {
      doc: 'Whether a version is older than another.',
      examples: [["semver('1.0.0-rc.1').isLessThan(semver('1.0.0'))", 'true']],
      overloads: [
        overload('kubernetes.Semver.isLessThan(kubernetes.Semver) -> bool', (a: Semver, b: Semver) => compareVersions(a.data, b.data) < 0),
      ],
    }),
  ],
};

function number(name: string, doc: string, at: 0 | 1 | 2, example: readonly [string, string]): FunctionDeclaration {
  return define(name, {
    doc,
    examples: [example],
    overloads: [overload(`kubernetes.Semver.${name}() -> int`, ({ data }: Semver) => BigInt.asIntN(64, data.numbers[at]))],
  });
}
