/**
 * The value of a JSON text; `undefined` if it is none. The message of the parser, which quotes the text, is lost: that may
 * be a secret.
 */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
