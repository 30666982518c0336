type Kind = '{' | '}' | '[' | ']' | ':' | ',' | 'text' | 'other';
type State = 'value' | 'value or ]' | 'name' | 'name or }' | ':' | 'end';

/** The next state for each token in each state; a missing entry is a syntax error. `end`: after a value. */
const NEXT: Record<State, Partial<Record<Kind, State>>> = {
  value: { '{': 'name or }', '[': 'value or ]', text: 'end', other: 'end' },
  'value or ]': { '{': 'name or }', '[': 'value or ]', ']': 'end', text: 'end', other: 'end' },
  name: { text: ':' },
  'name or }': { text: ':', '}': 'end' },
  ':': { ':': 'value' },
  end: { ',': 'value', '}': 'end', ']': 'end' },
};

const SPACE = /[ \t\n\r]*/y;
const OTHER = /[-+.\w]+/y;

/**
 * Where a text has its first JSON syntax error (RFC 8259): line and column from 1, or `end` if the text ends too
 * early. `undefined` if no error is found.
 */
export function jsonFault(text: string): { line: number; column: number } | 'end' | undefined {
  const open: string[] = [];
  let state: State = 'value';
  let at = 0;
  for (;;) {
    at = endOf(SPACE, text, at);
    if (at === text.length) return state === 'end' && open.length === 0 ? undefined : 'end';
    const first = text.charAt(at);
    const kind = kindOf(first);
    const next: State | undefined = isInPlace(kind, open) ? NEXT[state][kind] : undefined;
    const end = next === undefined ? undefined : endOfToken(kind, text, at);
    if (next === undefined || end === undefined) return placeIn(text, at);
    if (end > text.length) return 'end';
    if (kind === '{' || kind === '[') open.push(kind);
    if (kind === '}' || kind === ']') open.pop();
    state = kind === ',' && open.at(-1) === '{' ? 'name' : next;
    at = end;
  }
}

function kindOf(first: string): Kind {
  switch (first) {
    case '{':
    case '}':
    case '[':
    case ']':
    case ':':
    case ',':
      return first;
    case '"':
      return 'text';
    default:
      return 'other';
  }
}

/** Whether a closing bracket or a comma matches the innermost open bracket. */
function isInPlace(kind: Kind, open: readonly string[]): boolean {
  if (kind === '}') return open.at(-1) === '{';
  if (kind === ']') return open.at(-1) === '[';
  return kind !== ',' || open.length > 0;
}

/**
 * The position after the token; `undefined` if it is not a token; beyond the end of the text if the text ends within
 * it.
 */
function endOfToken(kind: Kind, text: string, at: number): number | undefined {
  if (kind === 'text') return endOfText(text, at);
  if (kind !== 'other') return at + 1;
  const end = endOf(OTHER, text, at);
  return isScalar(text.slice(at, end)) ? end : undefined;
}

function isScalar(token: string): boolean {
  try {
    JSON.parse(token);
    return true;
  } catch {
    return false;
  }
}

function endOfText(text: string, from: number): number | undefined {
  for (let at = from + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at + 1;
    if (code < FIRST_PRINTABLE) return undefined;
    if (code === BACKSLASH) at += 1;
  }
  return text.length + 1;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const FIRST_PRINTABLE = 0x20;

function endOf(expression: RegExp, text: string, at: number): number {
  expression.lastIndex = at;
  expression.exec(text);
  return Math.max(at, expression.lastIndex);
}

function placeIn(text: string, at: number): { line: number; column: number } {
  const before = text.slice(0, at);
  return { line: before.split('\n').length, column: at - before.lastIndexOf('\n') };
}
