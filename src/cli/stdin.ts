/** All of stdin. Whoever writes it may take longer than this process to start: reading the descriptor itself would fail then. */
export async function readStdin(): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
