/** Byte order marks that some shells and editors of Windows write, and what they stand for. */
const MARKED: readonly (readonly [mark: readonly number[], encoding: string])[] = [
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
];

/** The text of a manifest's file as kubectl reads it: UTF-16 with a byte order mark, otherwise UTF-8, in which what is invalid is replaced. */
export function decodeManifest(bytes: Uint8Array): string {
  const marked = MARKED.find(([mark]) => mark.every((byte, index) => bytes[index] === byte));
  return new TextDecoder(marked?.[1] ?? 'utf-8').decode(bytes);
}
