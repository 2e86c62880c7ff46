import { rows } from './table.ts';

rows('digests are those of the UTF-8 of a text', [
  ["hash.fnv64a('a')", "b'\\xaf\\x63\\xdc\\x4c\\x86\\x01\\xec\\x8c'"],
  ["hash.fnv64a('é😀')", "b'\\x52\\xda\\x6e\\xbd\\xce\\x68\\x37\\x6c'"],
  ["hash.fnv64a('The quick brown fox jumps over the lazy dog')", "b'\\xf3\\xf9\\xb7\\xf5\\xe7\\xe4\\x71\\x10'"],
  [
    "hash.sha256('')",
    "b'\\xe3\\xb0\\xc4\\x42\\x98\\xfc\\x1c\\x14\\x9a\\xfb\\xf4\\xc8\\x99\\x6f\\xb9\\x24\\x27\\xae\\x41\\xe4\\x64\\x9b\\x93\\x4c\\xa4\\x95\\x99\\x1b\\x78\\x52\\xb8\\x55'",
  ],
  ["hash.md5('')", "b'\\xd4\\x1d\\x8c\\xd9\\x8f\\x00\\xb2\\x04\\xe9\\x80\\x09\\x98\\xec\\xf8\\x42\\x7e'"],
  ["hash.md5('é')", "b'\\x66\\xdd\\xcd\\x97\\xcf\\xde\\xab\\xb2\\xf6\\xfb\\x8a\\x99\\x9b\\x4b\\xc7\\x6f'"],
  ["hash.sha256(b'a')", { check: 'overload' }],
  [
    "hash.sha256(dyn('a'))",
    "b'\\xca\\x97\\x81\\x12\\xca\\x1b\\xbd\\xca\\xfa\\xc2\\x31\\xb3\\x9a\\x23\\xdc\\x4d\\xa7\\x86\\xef\\xf8\\x14\\x7c\\x4e\\x72\\xb9\\x80\\x77\\x85\\xaf\\xee\\x48\\xbb'",
  ],
  ['hash.sha256(dyn(1))', { fails: 'overload' }],
]);

rows('a seeded text repeats after eight characters', [
  ["random.seededString(8, 'a')", "'2q3xwip3'"],
  ["random.seededString(9, 'a')", "'2q3xwip32'"],
  ["random.seededString(33, 'é')", "'ifhmb46oifhmb46oifhmb46oifhmb46oi'"],
  ["random.seededString(di, 'x')", "'iot'"],
  ["random.seededString(1.0, 'x')", { check: 'overload' }],
  ['random.seededString(5, 1)', { check: 'overload' }],
]);

rows('a seeded int lies in its range', [
  ["random.seededInt(-10, 10, 'x')", '6'],
  ["random.seededInt(0, 9223372036854775807, 'x')", '3274422879871479876'],
  ["random.seededInt(-9223372036854775808, 0, 'x')", '-5948949156983295932'],
  ["random.seededInt(-9223372036854775808, 9223372036854775807, 'y')", '2449083218907168648'],
  ["random.seededInt(10, 0, 'x')", { fails: 'argument' }],
  ["random.seededInt(0, 100, '')", '52'],
  ['random.seededInt(di, 10, ds)', '5'],
  ["random.seededInt(1, 2, 'abc')", '1'],
]);
