import { RE2JS, RE2JSSyntaxException } from 're2js';

/** A pattern of a schema, in the syntax of the API server; undefined if it is none (then the API server says so). */
export function compilePattern(pattern: string): ((text: string) => boolean) | undefined {
  try {
    const compiled = RE2JS.compile(pattern);
    return (text) => compiled.matcher(text).find();
  } catch (error) {
    if (error instanceof RE2JSSyntaxException) return undefined;
    throw error;
  }
}
