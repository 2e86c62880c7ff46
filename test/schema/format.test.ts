import t from 'tap';
import { isOfFormat } from '../../src/schema/format.ts';

/** Verdicts of the API server on custom kinds. */
const custom: [format: string, right: string[], wrong: string[]][] = [
  [
    'date-time',
    ['2026-01-02T03:04:05Z', '2026-01-02t03:04:05.123+02:00'],
    ['', '2026-01-02', '2026-01-02T03:04:05', '2026-01-02T24:00:00Z', '2026-02-30T00:00:00Z'],
  ],
  ['date', ['2024-02-29', '2000-02-29'], ['2023-02-29', '1900-02-29', '2026-13-01', '2026-1-1', '']],
  ['duration', ['1h30m', '0', '-1.5s', '3 days', '2 weeks', '1µs'], ['', 'xx', '5', '1 parsec']],
  ['byte', ['aGVsbG8=', 'aGVsbG9='], ['', 'aGVsbG8', '***', 'aGVs\nbG8=']],
  ['ipv4', ['10.0.0.1', '010.0.0.1', '::ffff:1.2.3.4'], ['10.0.0', '10.0.0.256', '::1', '']],
  [
    'ipv6',
    ['::', '::1', 'fe80::1:2', '1:2:3:4:5:6:7:8', '::ffff:1.2.3.4'],
    ['1::2::3', '1:2:3', '10.0.0.1', ':::', '1:2:3:4:5:6:7:8:9', 'g::1'],
  ],
  ['cidr', ['10.0.0.0/8', '::/0', '10.1.2.3/32'], ['10.0.0.0', '10.0.0.0/33', '::/129', '10.0.0.0/8/8']],
  [
    'mac',
    ['01:23:45:67:89:ab', '01-23-45-67-89-AB', '0123.4567.89ab', '01:23:45:67:89:ab:cd:ef', '0123456789ab', '0123456789ABCDEF'],
    ['01:23:45', '01:23-45:67:89:ab', '01234567.89ab', '0123456789a', ''],
  ],
  ['uuid', ['6ba7b810-9dad-11d1-80b4-00c04fd430c8', '6BA7B8109DAD11D180B400C04FD430C8'], ['6ba7b810', '']],
  ['uuid4', ['6ba7b810-9dad-41d1-80b4-00c04fd430c8'], ['6ba7b810-9dad-11d1-80b4-00c04fd430c8']],
  [
    'uri',
    ['https://example.com/a', '/a', 'mailto:a@b', '*', '//a b', '/a?b=%zz', 'http://[::1]:80', 'http://u:p@h', 'http://a/b c', 'x://'],
    ['', 'a/b', '1.2.3', 'a b', 'http://a b', 'http://[::1', '/%zz', 'http://a#b c', 'http://{a}'],
  ],
  ['hostname', ['a.example.com', 'a', '1a', 'localhost'], ['', 'a b', '-a', 'a..b', 'a_b.c']],
  ['email', ['a@example.com', 'a.b+c@d', 'x <a@b>', '"a b"@c', ' a@b'], ['', 'a', '@', 'a@', '@b', 'a@b@c', 'a..b@c', 'a@b.']],
  ['rgbcolor', ['rgb(1,2,3)', 'rgb( 255 , 0 , 30 )'], ['rgb(256,0,0)', 'rgb(01,2,3)', 'rgb(1,2)', 'RGB(1,2,3)']],
  ['isbn', ['0-19-852663-6', '978 3 16 148410 0', '080442957X'], ['080442957x', '9783161484101', '1']],
  ['isbn10', ['0198526636'], ['0198526637', '9783161484100']],
  ['isbn13', ['9783161484100'], ['0198526636', '978_3161484100']],
  ['creditcard', ['4111-1111-1111-1111', '378282246310005'], ['4111111111111112', '79927398713', '']],
  ['bsonobjectid', ['507f1f77bcf86cd799439011'], ['507f1f77bcf86cd79943901', '507f1f77bcf86cd79943901g']],
  ['hexcolor', ['#fff', 'a1b2c3'], ['#ff', 'red']],
  ['k8s-short-name', ['a-b', '1'], ['', '-a', 'A', 'a.b', 'a'.repeat(64)]],
  ['k8s-long-name', ['a.b-c'], ['', 'a..b', 'A.b']],
  ['unheard-of', ['', 'x'], []],
];

t.test('formats of custom kinds', async (t) => {
  for (const [format, right, wrong] of custom) {
    for (const text of right) t.equal(isOfFormat(text, format, 'custom'), true, `${format}: ${text}`);
    for (const text of wrong) t.equal(isOfFormat(text, format, 'custom'), false, `not ${format}: ${text}`);
  }
});

t.test('formats of standard kinds are what Go decodes', async (t) => {
  for (const text of ['', 'aGVs\nbG8=', 'aGVsbG9=']) t.equal(isOfFormat(text, 'byte', 'standard'), true, JSON.stringify(text));
  for (const text of ['a', '***', 'aGVsbG8']) t.equal(isOfFormat(text, 'byte', 'standard'), false, text);
  for (const text of ['2026-01-02T03:04:05Z', '2026-01-02T03:04:05.123456789+02:00'])
    t.equal(isOfFormat(text, 'date-time', 'standard'), true, text);
  for (const text of ['', '2026-01-02t03:04:05z', '2026-01-02T03:04:05']) t.equal(isOfFormat(text, 'date-time', 'standard'), false, text);
  t.equal(isOfFormat('x', 'ipv4', 'standard'), true, 'no other is checked');
});

t.test('no text takes long', async (t) => {
  const started = performance.now();
  for (const [format] of custom)
    for (const text of ['1'.repeat(1_000_000), '1'.repeat(4096), 'a-'.repeat(2048), '1:'.repeat(2048), 'a.'.repeat(2048)])
      isOfFormat(text, format, 'custom');
  t.ok(performance.now() - started < 2000);
});
