/** `Promise.all` that ends when all have ended, so that nothing goes on behind a failure. Throws what the first of them in the list threw. */
export async function allEnded<T extends readonly unknown[] | []>(works: T): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(works);
  return Promise.all(works);
}
