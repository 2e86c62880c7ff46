import t from 'tap';
import { decodeManifest } from '../../src/manifest/decode.ts';

const utf16 = Buffer.from('a: é\n', 'utf16le');

const files: readonly [title: string, bytes: Uint8Array, text: string][] = [
  ['UTF-8', Buffer.from('a: é\n'), 'a: é\n'],
  ['UTF-8 with a byte order mark', Buffer.from('\uFEFFa: é\n'), 'a: é\n'],
  ['UTF-16 of Windows', Buffer.concat([Buffer.from([0xff, 0xfe]), utf16]), 'a: é\n'],
  ['UTF-16, the high byte first', Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(utf16).swap16()]), 'a: é\n'],
  ['what is not UTF-8 is replaced', Buffer.from([0x61, 0xff, 0x62]), 'a\uFFFDb'],
  ['nothing', Buffer.alloc(0), ''],
];
for (const [title, bytes, text] of files) t.test(title, async (t) => t.equal(decodeManifest(bytes), text));
