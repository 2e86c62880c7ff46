import { rows } from './table.ts';

rows('a label is of DNS 1123 or 1035', [
  ["format.named('dns1123Label').value() == format.dns1123Label()", 'true'],
  ['format.dns1123Label() == format.dns1035Label()', 'false'],
  [
    "format.dns1123Label().validate('')",
    "optional.of(['a lowercase RFC 1123 label must consist of lower case alphanumeric characters or \\'-\\', and must start and end with an alphanumeric character (e.g. \\'my-name\\',  or \\'123-abc\\', regex used for validation is \\'[a-z0-9]([-a-z0-9]*[a-z0-9])?\\')'])",
  ],
  ["format.dns1123Label().validate('a.b')", "optional.of(['must not contain dots'])"],
  [
    "format.dns1123Label().validate('A')",
    "optional.of(['a lowercase RFC 1123 label must consist of lower case alphanumeric characters or \\'-\\', and must start and end with an alphanumeric character (e.g. \\'my-name\\',  or \\'123-abc\\', regex used for validation is \\'[a-z0-9]([-a-z0-9]*[a-z0-9])?\\')'])",
  ],
  [
    "format.dns1123Label().validate('-a')",
    "optional.of(['a lowercase RFC 1123 label must consist of lower case alphanumeric characters or \\'-\\', and must start and end with an alphanumeric character (e.g. \\'my-name\\',  or \\'123-abc\\', regex used for validation is \\'[a-z0-9]([-a-z0-9]*[a-z0-9])?\\')'])",
  ],
  [
    "format.dns1123Label().validate('a-')",
    "optional.of(['a lowercase RFC 1123 label must consist of lower case alphanumeric characters or \\'-\\', and must start and end with an alphanumeric character (e.g. \\'my-name\\',  or \\'123-abc\\', regex used for validation is \\'[a-z0-9]([-a-z0-9]*[a-z0-9])?\\')'])",
  ],
  ["format.dns1123Label().validate('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa')", 'optional.none()'],
  [
    "format.dns1123Label().validate('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa')",
    "optional.of(['must be no more than 63 characters'])",
  ],
  [
    "format.dns1123Label().validate('Aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa')",
    "optional.of(['must be no more than 63 characters', 'a lowercase RFC 1123 label must consist of lower case alphanumeric characters or \\'-\\', and must start and end with an alphanumeric character (e.g. \\'my-name\\',  or \\'123-abc\\', regex used for validation is \\'[a-z0-9]([-a-z0-9]*[a-z0-9])?\\')'])",
  ],
  [
    "format.dns1123Label().validate('é')",
    "optional.of(['a lowercase RFC 1123 label must consist of lower case alphanumeric characters or \\'-\\', and must start and end with an alphanumeric character (e.g. \\'my-name\\',  or \\'123-abc\\', regex used for validation is \\'[a-z0-9]([-a-z0-9]*[a-z0-9])?\\')'])",
  ],
  [
    "format.dns1123Label().validate('a\\n')",
    "optional.of(['a lowercase RFC 1123 label must consist of lower case alphanumeric characters or \\'-\\', and must start and end with an alphanumeric character (e.g. \\'my-name\\',  or \\'123-abc\\', regex used for validation is \\'[a-z0-9]([-a-z0-9]*[a-z0-9])?\\')'])",
  ],
  [
    "format.dns1035Label().validate('1a')",
    "optional.of(['a DNS-1035 label must consist of lower case alphanumeric characters or \\'-\\', start with an alphabetic character, and end with an alphanumeric character (e.g. \\'my-name\\',  or \\'abc-123\\', regex used for validation is \\'[a-z]([-a-z0-9]*[a-z0-9])?\\')'])",
  ],
  ["format.dns1035Label().validate('a-1')", 'optional.none()'],
  [
    "format.dns1035Label().validate('')",
    "optional.of(['a DNS-1035 label must consist of lower case alphanumeric characters or \\'-\\', start with an alphabetic character, and end with an alphanumeric character (e.g. \\'my-name\\',  or \\'abc-123\\', regex used for validation is \\'[a-z]([-a-z0-9]*[a-z0-9])?\\')'])",
  ],
  ["format.dns1123LabelPrefix().validate('a-')", 'optional.none()'],
  [
    "format.dns1123LabelPrefix().validate('-')",
    "optional.of(['a lowercase RFC 1123 label must consist of lower case alphanumeric characters or \\'-\\', and must start and end with an alphanumeric character (e.g. \\'my-name\\',  or \\'123-abc\\', regex used for validation is \\'[a-z0-9]([-a-z0-9]*[a-z0-9])?\\')'])",
  ],
  ["format.dns1123LabelPrefix().validate('--')", 'optional.none()'],
  ["format.dns1123LabelPrefix().validate('A-')", 'optional.none()'],
  ["format.dns1123LabelPrefix().validate('é-').hasValue() && format.dns1123SubdomainPrefix().validate('a.😀-').hasValue()", 'true'],
  [
    "format.dns1123LabelPrefix().validate('a.')",
    "optional.of(['a lowercase RFC 1123 label must consist of lower case alphanumeric characters or \\'-\\', and must start and end with an alphanumeric character (e.g. \\'my-name\\',  or \\'123-abc\\', regex used for validation is \\'[a-z0-9]([-a-z0-9]*[a-z0-9])?\\')'])",
  ],
  ["format.dns1123LabelPrefix().validate('a')", 'optional.none()'],
  ["format.dns1035LabelPrefix().validate('a-')", 'optional.none()'],
  ["format.dns1035LabelPrefix().validate('1-')", 'optional.none()'],
  [
    "format.dns1035LabelPrefix().validate('12-')",
    "optional.of(['a DNS-1035 label must consist of lower case alphanumeric characters or \\'-\\', start with an alphabetic character, and end with an alphanumeric character (e.g. \\'my-name\\',  or \\'abc-123\\', regex used for validation is \\'[a-z]([-a-z0-9]*[a-z0-9])?\\')'])",
  ],
  [
    "format.dns1035Label().validate('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa')",
    "optional.of(['must be no more than 63 characters'])",
  ],
]);

rows('a subdomain is one or more labels', [
  ["format.dns1123Subdomain().validate('a.b.c')", 'optional.none()'],
  [
    "format.dns1123Subdomain().validate('a..b')",
    "optional.of(['a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, \\'-\\' or \\'.\\', and must start and end with an alphanumeric character (e.g. \\'example.com\\', regex used for validation is \\'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\\')'])",
  ],
  [
    "format.dns1123Subdomain().validate('.a')",
    "optional.of(['a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, \\'-\\' or \\'.\\', and must start and end with an alphanumeric character (e.g. \\'example.com\\', regex used for validation is \\'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\\')'])",
  ],
  [
    "format.dns1123Subdomain().validate('A.b')",
    "optional.of(['a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, \\'-\\' or \\'.\\', and must start and end with an alphanumeric character (e.g. \\'example.com\\', regex used for validation is \\'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\\')'])",
  ],
  [
    "format.dns1123Subdomain().validate('')",
    "optional.of(['a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, \\'-\\' or \\'.\\', and must start and end with an alphanumeric character (e.g. \\'example.com\\', regex used for validation is \\'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\\')'])",
  ],
  ["format.dns1123SubdomainPrefix().validate('a.-')", 'optional.none()'],
  ["format.dns1123SubdomainPrefix().validate('a.b-')", 'optional.none()'],
  [
    "format.dns1123Subdomain().validate('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa')",
    "optional.of(['must be no more than 253 characters'])",
  ],
  [
    "format.dns1123SubdomainPrefix().validate('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-')",
    "optional.of(['must be no more than 253 characters'])",
  ],
]);

rows('a qualified name may have a prefix', [
  [
    "format.qualifiedName().validate('')",
    "optional.of(['name part must be non-empty', 'name part must consist of alphanumeric characters, \\'-\\', \\'_\\' or \\'.\\', and must start and end with an alphanumeric character (e.g. \\'MyName\\',  or \\'my.name\\',  or \\'123-abc\\', regex used for validation is \\'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]\\')'])",
  ],
  [
    "format.qualifiedName().validate('/')",
    "optional.of(['prefix part must be non-empty', 'name part must be non-empty', 'name part must consist of alphanumeric characters, \\'-\\', \\'_\\' or \\'.\\', and must start and end with an alphanumeric character (e.g. \\'MyName\\',  or \\'my.name\\',  or \\'123-abc\\', regex used for validation is \\'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]\\')'])",
  ],
  ["format.qualifiedName().validate('/a')", "optional.of(['prefix part must be non-empty'])"],
  [
    "format.qualifiedName().validate('a/')",
    "optional.of(['name part must be non-empty', 'name part must consist of alphanumeric characters, \\'-\\', \\'_\\' or \\'.\\', and must start and end with an alphanumeric character (e.g. \\'MyName\\',  or \\'my.name\\',  or \\'123-abc\\', regex used for validation is \\'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]\\')'])",
  ],
  ["format.qualifiedName().validate('a/b')", 'optional.none()'],
  [
    "format.qualifiedName().validate('A/b')",
    "optional.of(['prefix part a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, \\'-\\' or \\'.\\', and must start and end with an alphanumeric character (e.g. \\'example.com\\', regex used for validation is \\'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\\')'])",
  ],
  [
    "format.qualifiedName().validate('a/b/c')",
    "optional.of(['a valid label key must consist of alphanumeric characters, \\'-\\', \\'_\\' or \\'.\\', and must start and end with an alphanumeric character (e.g. \\'MyName\\',  or \\'my.name\\',  or \\'123-abc\\', regex used for validation is \\'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]\\') with an optional DNS subdomain prefix and \\'/\\' (e.g. \\'example.com/MyName\\')'])",
  ],
  [
    "format.qualifiedName().validate('a b')",
    "optional.of(['name part must consist of alphanumeric characters, \\'-\\', \\'_\\' or \\'.\\', and must start and end with an alphanumeric character (e.g. \\'MyName\\',  or \\'my.name\\',  or \\'123-abc\\', regex used for validation is \\'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]\\')'])",
  ],
  ["format.qualifiedName().validate('a_B.c')", 'optional.none()'],
  [
    "format.qualifiedName().validate('-a')",
    "optional.of(['name part must consist of alphanumeric characters, \\'-\\', \\'_\\' or \\'.\\', and must start and end with an alphanumeric character (e.g. \\'MyName\\',  or \\'my.name\\',  or \\'123-abc\\', regex used for validation is \\'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]\\')'])",
  ],
  [
    "format.qualifiedName().validate('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa')",
    "optional.of(['name part must be no more than 63 bytes'])",
  ],
  [
    "format.qualifiedName().validate('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/a')",
    "optional.of(['prefix part must be no more than 253 bytes'])",
  ],
  ["format.qualifiedName().validate('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/b')", 'optional.none()'],
]);

rows("a label's value may be empty", [
  ["format.labelValue().validate('')", 'optional.none()'],
  ["format.labelValue().validate('a')", 'optional.none()'],
  [
    "format.labelValue().validate('-a')",
    "optional.of(['a valid label must be an empty string or consist of alphanumeric characters, \\'-\\', \\'_\\' or \\'.\\', and must start and end with an alphanumeric character (e.g. \\'MyValue\\',  or \\'my_value\\',  or \\'12345\\', regex used for validation is \\'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?\\')'])",
  ],
  [
    "format.labelValue().validate('a/b')",
    "optional.of(['a valid label must be an empty string or consist of alphanumeric characters, \\'-\\', \\'_\\' or \\'.\\', and must start and end with an alphanumeric character (e.g. \\'MyValue\\',  or \\'my_value\\',  or \\'12345\\', regex used for validation is \\'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?\\')'])",
  ],
  ["format.labelValue().validate('a-_.b')", 'optional.none()'],
  [
    "format.labelValue().validate('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa')",
    "optional.of(['must be no more than 63 bytes'])",
  ],
  [
    "format.labelValue().validate('éééééééééééééééééééééééééééééééééééééééé')",
    "optional.of(['must be no more than 63 bytes', 'a valid label must be an empty string or consist of alphanumeric characters, \\'-\\', \\'_\\' or \\'.\\', and must start and end with an alphanumeric character (e.g. \\'MyValue\\',  or \\'my_value\\',  or \\'12345\\', regex used for validation is \\'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?\\')'])",
  ],
]);

rows('what is wrong with a URI is said in the words of Go', [
  ["format.uri().validate('')", 'optional.of([\'parse "": empty url\'])'],
  ["format.uri().validate('a')", 'optional.of([\'parse "a": invalid URI for request\'])'],
  ["format.uri().validate(':a')", 'optional.of([\'parse ":a": missing protocol scheme\'])'],
  ["format.uri().validate('a\\tb')", 'optional.of([\'parse "a\\\\tb": net/url: invalid control character in URL\'])'],
  ["format.uri().validate('//[')", 'optional.none()'],
  ["format.uri().validate('http://h/%zz')", 'optional.of([\'parse "http://h/%zz": invalid URL escape "%zz"\'])'],
  ["format.uri().validate('http://h/%c3%')", 'optional.of([\'parse "http://h/%c3%": invalid URL escape "%"\'])'],
  ["format.uri().validate('http://h/%é')", 'optional.of([\'parse "http://h/%é": invalid URL escape "%é"\'])'],
  ["format.uri().validate('http://h/%aé')", 'optional.of([\'parse "http://h/%aé": invalid URL escape "%a\\\\xc3"\'])'],
  ["format.uri().validate('http://a b')", 'optional.of([\'parse "http://a b": invalid character " " in host name\'])'],
  ["format.uri().validate('http://a%41')", 'optional.of([\'parse "http://a%41": invalid URL escape "%41"\'])'],
  ["format.uri().validate('http://%c3%a9%25')", 'optional.none()'],
  ["format.uri().validate('http://h:x')", 'optional.of([\'parse "http://h:x": invalid port ":x" after host\'])'],
  ["format.uri().validate('http://a:1:2')", 'optional.of([\'parse "http://a:1:2": invalid port ":1:2" after host\'])'],
  ["format.uri().validate('ftp://a:1:2')", 'optional.none()'],
  ["format.uri().validate('http://u@v^@h')", 'optional.of([\'parse "http://u@v^@h": net/url: invalid userinfo\'])'],
  ["format.uri().validate('http://u:%z@h')", 'optional.of([\'parse "http://u:%z@h": invalid URL escape "%z"\'])'],
  ["format.uri().validate('http://a[::1]')", 'optional.of([\'parse "http://a[::1]": invalid IP-literal\'])'],
  ["format.uri().validate('http://[::1')", "optional.of(['parse \"http://[::1\": missing \\']\\' in host'])"],
  ["format.uri().validate('http://[::1]x')", 'optional.of([\'parse "http://[::1]x": invalid port "x" after host\'])'],
  ["format.uri().validate('http://[1.2.3.4]')", 'optional.of([\'parse "http://[1.2.3.4]": invalid IP-literal\'])'],
  ["format.uri().validate('http://[abc]')", 'optional.of([\'parse "http://[abc]": invalid host: ParseAddr("abc"): unable to parse IP\'])'],
  [
    "format.uri().validate('http://[%25e]')",
    'optional.of([\'parse "http://[%25e]": invalid host: ParseAddr("%e"): missing IPv6 address\'])',
  ],
  [
    "format.uri().validate('http://[fe80::1%25]')",
    'optional.of([\'parse "http://[fe80::1%25]": invalid host: ParseAddr("fe80::1%"): zone must be a non-empty string\'])',
  ],
  ["format.uri().validate('http://[fe80::1%25%41]')", 'optional.none()'],
  [
    "format.uri().validate('http://[::fffff]')",
    'optional.of([\'parse "http://[::fffff]": invalid host: ParseAddr("::fffff"): each group must have 4 or less digits (at "fffff")\'])',
  ],
  [
    "format.uri().validate('http://[:1]')",
    'optional.of([\'parse "http://[:1]": invalid host: ParseAddr(":1"): each colon-separated field must have at least one digit (at ":1")\'])',
  ],
  [
    "format.uri().validate('http://[1:2:3:4:5:6:7:8:9]')",
    'optional.of([\'parse "http://[1:2:3:4:5:6:7:8:9]": invalid host: ParseAddr("1:2:3:4:5:6:7:8:9"): trailing garbage after address (at "9")\'])',
  ],
  [
    "format.uri().validate('http://[1::2::3]')",
    'optional.of([\'parse "http://[1::2::3]": invalid host: ParseAddr("1::2::3"): multiple :: in address (at ":3")\'])',
  ],
  [
    "format.uri().validate('http://[1:2]')",
    'optional.of([\'parse "http://[1:2]": invalid host: ParseAddr("1:2"): address string too short\'])',
  ],
  [
    "format.uri().validate('http://[1:2:]')",
    'optional.of([\'parse "http://[1:2:]": invalid host: ParseAddr("1:2:"): colon must be followed by more characters (at ":")\'])',
  ],
  [
    "format.uri().validate('http://[1:2~]')",
    'optional.of([\'parse "http://[1:2~]": invalid host: ParseAddr("1:2~"): unexpected character, want colon (at "~")\'])',
  ],
  [
    "format.uri().validate('http://[1:2:3:4:5:6:7::8]')",
    'optional.of([\'parse "http://[1:2:3:4:5:6:7::8]": invalid host: ParseAddr("1:2:3:4:5:6:7::8"): the :: must expand to at least one field of zeros\'])',
  ],
  [
    "format.uri().validate('http://[1:2:3:4:5:6:7:8::]')",
    'optional.of([\'parse "http://[1:2:3:4:5:6:7:8::]": invalid host: ParseAddr("1:2:3:4:5:6:7:8::"): the :: must expand to at least one field of zeros\'])',
  ],
  [
    "format.uri().validate('http://[1:1.2.3.4]')",
    'optional.of([\'parse "http://[1:1.2.3.4]": invalid host: ParseAddr("1:1.2.3.4"): embedded IPv4 address must replace the final 2 fields of the address (at "1.2.3.4")\'])',
  ],
  [
    "format.uri().validate('http://[::1:2:3:4:5:6:7:1.2.3.4]')",
    'optional.of([\'parse "http://[::1:2:3:4:5:6:7:1.2.3.4]": invalid host: ParseAddr("::1:2:3:4:5:6:7:1.2.3.4"): too many hex fields to fit an embedded IPv4 at the end of the address (at "1.2.3.4")\'])',
  ],
  [
    "format.uri().validate('http://[::1.2.3]')",
    'optional.of([\'parse "http://[::1.2.3]": invalid host: ParseAddr("::1.2.3"): IPv4 address too short\'])',
  ],
  [
    "format.uri().validate('http://[::1.2.3.256]')",
    'optional.of([\'parse "http://[::1.2.3.256]": invalid host: ParseAddr("::1.2.3.256"): IPv4 field has value >255\'])',
  ],
  [
    "format.uri().validate('http://[::1.02.3.4]')",
    'optional.of([\'parse "http://[::1.02.3.4]": invalid host: ParseAddr("::1.02.3.4"): IPv4 field has octet with leading zero\'])',
  ],
  [
    "format.uri().validate('http://[::1.2..4]')",
    'optional.of([\'parse "http://[::1.2..4]": invalid host: ParseAddr("::1.2..4"): IPv4 field must have at least one digit (at ".4")\'])',
  ],
  [
    "format.uri().validate('http://[::1.2.3.4.5]')",
    'optional.of([\'parse "http://[::1.2.3.4.5]": invalid host: ParseAddr("::1.2.3.4.5"): IPv4 address too long\'])',
  ],
  [
    "format.uri().validate('http://[::1.2.3.x]')",
    'optional.of([\'parse "http://[::1.2.3.x]": invalid host: ParseAddr("::1.2.3.x"): unexpected character (at "x")\'])',
  ],
  [
    "format.uri().validate('http://[::1.2.3.]')",
    'optional.of([\'parse "http://[::1.2.3.]": invalid host: ParseAddr("::1.2.3."): IPv4 field must have at least one digit (at ".")\'])',
  ],
]);

rows('values have the formats of OpenAPI', [
  ["format.uri().validate('http://a').hasValue()", 'false'],
  ["format.uri().validate('a').hasValue()", 'true'],
  ["format.uri().validate('').hasValue()", 'true'],
  ["format.uri().validate('mailto:a').hasValue()", 'false'],
  ["format.uuid().validate('123e4567e89b12d3a456426614174000')", 'optional.none()'],
  ["format.uuid().validate('123E4567-E89B-12D3-A456-426614174000')", 'optional.none()'],
  ["format.uuid().validate('123e4567-e89b-12d3-a456-42661417400')", "optional.of(['does not match the UUID format'])"],
  ["format.uuid().validate('{123e4567-e89b-12d3-a456-426614174000}')", "optional.of(['does not match the UUID format'])"],
  ["format.uuid().validate('')", "optional.of(['does not match the UUID format'])"],
  ["format.byte().validate('')", "optional.of(['invalid base64'])"],
  ["format.byte().validate('YQ==')", 'optional.none()'],
  ["format.byte().validate('YQ')", "optional.of(['invalid base64'])"],
  ["format.byte().validate('YQ=')", "optional.of(['invalid base64'])"],
  ["format.byte().validate('====')", "optional.of(['invalid base64'])"],
  ["format.byte().validate('YWJj')", 'optional.none()'],
  ["format.byte().validate('YW-_')", "optional.of(['invalid base64'])"],
  ["format.byte().validate('YWJj\\n')", "optional.of(['invalid base64'])"],
  ["format.date().validate('2024-02-29')", 'optional.none()'],
  ["format.date().validate('2023-02-29')", "optional.of(['invalid date'])"],
  ["format.date().validate('2024-1-1')", "optional.of(['invalid date'])"],
  ["format.date().validate('0000-01-01')", 'optional.none()'],
  ["format.date().validate('2024-01-01T00:00:00Z')", "optional.of(['invalid date'])"],
  ["format.date().validate('')", "optional.of(['invalid date'])"],
  ["format.datetime().validate('2024-01-01T00:00:00Z')", 'optional.none()'],
  ["format.datetime().validate('2024-01-01t00:00:00z')", 'optional.none()'],
  ["format.datetime().validate('2024-01-01 00:00:00Z')", "optional.of(['invalid datetime'])"],
  ["format.datetime().validate('2024-01-01T24:00:00Z')", "optional.of(['invalid datetime'])"],
  ["format.datetime().validate('2024-01-01T23:60:00Z')", "optional.of(['invalid datetime'])"],
  ["format.datetime().validate('2024-01-01T23:59:60Z')", "optional.of(['invalid datetime'])"],
  ["format.datetime().validate('2024-01-01T00:00:00')", "optional.of(['invalid datetime'])"],
  ["format.datetime().validate('2024-01-01T00:00:00+99:99')", 'optional.none()'],
  ["format.datetime().validate('2024-01-01T00:00:00.5Z')", 'optional.none()'],
  ["format.datetime().validate('2024-01-01T00:00:00,5Z')", 'optional.none()'],
  ["format.datetime().validate('2024-02-30T00:00:00Z')", "optional.of(['invalid datetime'])"],
  ["format.datetime().validate('2024-01-01T00:00:00Ztrash')", 'optional.none()'],
  ["format.datetime().validate('2024-01-01T00:00:00Zxx')", "optional.of(['invalid datetime'])"],
  ["format.datetime().validate('')", "optional.of(['invalid datetime'])"],
  ['format.uuid().validate(dyn(1))', { fails: 'overload' }],
  ["format.named('uuid').value().validate('x').value()[0]", "'does not match the UUID format'"],
]);

rows('a format is known by its name', [
  ["format.named('')", 'optional.none()'],
  ["format.named('DNS1123Label')", 'optional.none()'],
  ['format.nope()', { check: 'undeclared' }],
  ['format', { check: 'undeclared' }],
  ["'%s'.format([format.uuid()])", { check: 'argument' }],
]);
