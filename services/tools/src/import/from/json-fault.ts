import { jsonIn } from '@gatehouse/runtime';

type State = 'value' | 'value or ]' | 'name' | 'name or }' | ':' | 'end';

/** The next state for each kind of token in each state; a missing entry is a syntax error. `end`: after a value. */
const NEXT: Record<State, Readonly<Record<string, State>>> = {
  value: { '{': 'name or }', '[': 'value or ]', text: 'end', other: 'end' },
  'value or ]': { '{': 'name or }', '[': 'value or ]', ']': 'end', text: 'end', other: 'end' },
  name: { text: ':' },
  'name or }': { text: ':', '}': 'end' },
  ':': { ':': 'value' },
  end: { ',': 'value', '}': 'end', ']': 'end' },
};

/** Space, a sign, a text, which ends with its line at the latest, or another scalar. */
const TOKENS = /[ \t\n\r]+|[{}[\]:,]|"(?:[^"\\\n\r]+|\\[^]?)*"?|[-+.\w]+/gy;

/**
 * Where a text has its first JSON syntax error (RFC 8259): line and column from 1, or `end` if the text ends too
 * early. `undefined` if no error is found.
 */
export function jsonFault(text: string): { line: number; column: number } | 'end' | undefined {
  const open: string[] = [];
  let state: State = 'value';
  let at = 0;
  for (const [token] of text.matchAll(TOKENS)) {
    const end = at + token.length;
    if (token.trim() !== '') {
      const kind = kindOf(token);
      const next: State | undefined = isInPlace(kind, open) ? NEXT[state][kind] : undefined;
      if (next === undefined) return placeIn(text, at);
      if (kind.length > 1 && jsonIn(token) === undefined)
        return kind === 'text' && end === text.length ? 'end' : placeIn(text, at);
      if (kind === '{' || kind === '[') open.push(kind);
      if (kind === '}' || kind === ']') open.pop();
      state = kind === ',' && open.at(-1) === '{' ? 'name' : next;
    }
    at = end;
  }
  if (at < text.length) return placeIn(text, at);
  return state === 'end' && open.length === 0 ? undefined : 'end';
}

/** A sign is its own kind. */
function kindOf(token: string): string {
  if (token.startsWith('"')) return 'text';
  return '{}[]:,'.includes(token) ? token : 'other';
}

/** Whether a closing bracket or a comma matches the innermost open bracket. */
function isInPlace(kind: string, open: readonly string[]): boolean {
  if (kind === '}') return open.at(-1) === '{';
  if (kind === ']') return open.at(-1) === '[';
  return kind !== ',' || open.length > 0;
}

function placeIn(text: string, at: number): { line: number; column: number } {
  const before = text.slice(0, at);
  return { line: before.split('\n').length, column: at - before.lastIndexOf('\n') };
}
