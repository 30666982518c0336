export interface FileText {
  text: string;
  encoding: 'utf-8' | 'utf-16' | 'windows-1252';
}

/**
 * Decodes a file: UTF-16 if it begins with the mark of it, else UTF-8 if all of it is; otherwise Windows-1252, in which
 * Excel saves CSV in the West, and which every file can be read in: show the result. The mark is removed.
 */
export function decodeFile(bytes: Uint8Array): FileText {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return { text: decode(bytes, 'utf-16le'), encoding: 'utf-16' };
  if (first === 0xfe && second === 0xff) return { text: decode(bytes, 'utf-16be'), encoding: 'utf-16' };
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), encoding: 'utf-8' };
  } catch {
    const text = decode(bytes, 'windows-1252').replace(C1, (sign) => SIGNS.charAt(sign.charCodeAt(0) - 0x80));
    return { text, encoding: 'windows-1252' };
  }
}

/** What 0x80 to 0x9F mean; Node 20 reads them as the control characters of Latin-1, unlike browsers. */
const SIGNS = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8DŽ\x8F\x90‘’“”•–—˜™š›œ\x9DžŸ';
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const C1 = /[\x80-\x9F]/g;

function decode(bytes: Uint8Array, encoding: string): string {
  return new TextDecoder(encoding).decode(bytes);
}

/** A parsed JSON file. */
export interface Source {
  value: unknown;
  /** The number of a list index: that of its line, or of the entry, from 1. */
  lineOf: (at: number) => number;
  isLines: boolean;
  /** The numbers of lines that are not valid JSON although others are. */
  faults: readonly number[];
}

/** The number of lines that are checked to find out whether each is an object. */
const LINES_LOOKED_AT = 10;

/** Parses one JSON document, or a JSON object on each line; `undefined` if the text is neither. */
export function parseJson(text: string): Source | undefined {
  const document = parsed(text);
  if (document !== undefined)
    return { value: document.value, lineOf: (at) => at + 1, isLines: false, faults: [] };
  const lines = text
    .split('\n')
    .map((line, at) => ({ line, number: at + 1 }))
    .filter(({ line }) => line.trim() !== '');
  if (lines.slice(0, LINES_LOOKED_AT).every(({ line }) => !isObject(parsed(line)?.value))) return undefined;
  const rows = lines.map(({ line, number }) => ({ number, row: parsed(line) }));
  const good = rows.filter(({ row }) => row !== undefined);
  return {
    value: good.map(({ row }) => row?.value),
    lineOf: (at) => good[at]?.number ?? at,
    isLines: true,
    faults: rows.filter(({ row }) => row === undefined).map(({ number }) => number),
  };
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `undefined` if the text is not JSON. */
function parsed(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    // The message of the parser would quote the text, which contains hashes.
    return undefined;
  }
}
