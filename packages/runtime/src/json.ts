/** `undefined` if the text is no JSON. The parser's message, which quotes the text, is lost: it may be a secret. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Where a text stops being JSON, as people count: `line 1, column 8`; `isCutOff` if the text ends there, or in a string
 * that began there. The parser tells the place of some faults only, and quotes the text, which may be a secret. Takes
 * time in proportion to the text.
 */
export function jsonFault(text: string): { place: string; isCutOff: boolean } {
  const at = faultIn(text);
  const before = text.slice(0, at);
  const place = `line ${before.split('\n').length}, column ${at - before.lastIndexOf('\n')}`;
  return { place, isCutOff: /^(?:"[^"\\\n\r]*(?:\\[^][^"\\\n\r]*)*)?$/.test(text.slice(at)) };
}

const SPACE = /[ \t\n\r]*/y;
/** A mark, a string, or another value (RFC 8259). A string is no repeated choice: that would need memory for each character. */
const TOKEN =
  /([{}[\],:])|("[\x20\x21\x23-\x5b\x5d-\uffff]*(?:\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})[\x20\x21\x23-\x5b\x5d-\uffff]*)*")|(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[Ee][+-]?\d+)?|true|false|null)/y;

/** What may begin a value: a mark, a string (`s`), or another value (`v`). */
const VALUE = '{[sv';

/** The index of the first token that cannot stand where it is, or of the end if more is missing. */
function faultIn(text: string): number {
  /** The ends of the objects and arrays that are open. */
  const open: string[] = [];
  let expected = VALUE;
  for (let at = 0; ; at = TOKEN.lastIndex) {
    SPACE.lastIndex = at;
    SPACE.exec(text);
    TOKEN.lastIndex = SPACE.lastIndex;
    const start = SPACE.lastIndex;
    const token = TOKEN.exec(text);
    const kind = token?.[1] ?? (token?.[2] === undefined ? 'v' : 's');
    if (token === null || !expected.includes(kind)) return start;
    if (kind === '{' || kind === '[') {
      open.push(kind === '{' ? '}' : ']');
      expected = kind === '{' ? 's}' : `${VALUE}]`;
    } else if (kind === 's' && !expected.includes('v')) expected = ':';
    else if (kind === ':') expected = VALUE;
    else if (kind === ',') expected = open.at(-1) === '}' ? 's' : VALUE;
    else {
      if (kind === '}' || kind === ']') open.pop();
      expected = open.length === 0 ? '' : `,${open.at(-1)}`;
    }
  }
}
