/** Several times what the largest valid request has, so that a client may also send fields that are dropped. */
export const JSON_VALUES_MAX = 5000;

/**
 * Whether a JSON text has too many fields, items and levels to be parsed: ten thousand different fields take V8 a
 * hundred times as long as a text of the same length. Whether it is valid JSON does not matter here.
 */
export function hasTooManyValues(bytes: Buffer): boolean {
  // Each value takes a byte at least.
  if (bytes.length <= JSON_VALUES_MAX) return false;
  let values = 0;
  let isInText = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) isInText = !isInText;
    else if (isInText) at += byte === BACKSLASH ? 1 : 0;
    else if (byte === COMMA || byte === LIST || byte === OBJECT) values += 1;
  }
  return values > JSON_VALUES_MAX;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const LIST = 0x5b;
const OBJECT = 0x7b;
