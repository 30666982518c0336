/** The fields of a source map (ECMA-426) that are used here. */
interface SourceMap {
  sources: string[];
  names: string[];
  mappings: string;
}

const SEMICOLON = 0x3b;
const COMMA = 0x2c;
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const VALUES = new Uint8Array(128);
for (let value = 0; value < DIGITS.length; value += 1) VALUES[DIGITS.charCodeAt(value)] = value;

/**
 * Removes the mappings into packages from a source map, nine tenths of it, and the mappings of columns, four fifths of
 * the rest. On the first stack trace Node parses the whole map, which blocks everything else, and then keeps it in
 * memory. Without them, the lines of packages are shown as lines of the bundle, and all columns as 1.
 */
export function ownSourceMap(json: string): string {
  const map = JSON.parse(json) as SourceMap; // written by esbuild
  const sources = new Map<number, number>();
  for (const [at, source] of map.sources.entries()) {
    if (!source.includes('node_modules/')) sources.set(at, sources.size);
  }
  return JSON.stringify({
    ...map,
    sources: [...sources.keys()].map((at) => map.sources[at]),
    names: [],
    mappings: mappingsOf(map.mappings, sources),
  });
}

/**
 * The mappings into `sources`, with their new numbers, wherever another line of a source begins. Where code of another
 * source begins, a mapping without a source is inserted; otherwise all that follows, even on later lines, would belong
 * to the previous source. For the same reason a line of the bundle needs none if it continues the line of the source.
 */
function mappingsOf(mappings: string, sources: ReadonlyMap<number, number>): string {
  const kept: string[] = [];
  // The numbers of a mapping are relative to the previous mapping, separately for the input and the output.
  const read = [0, 0, 0, 0];
  let last = [0, 0, 0, 0];
  let isMapped = false;
  let separator = '';
  let at = 0;
  const next = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 5) {
      const digit = VALUES[mappings.charCodeAt(at)] ?? 0;
      at += 1;
      value |= (digit & 31) << shift;
      if (digit < 32) return value & 1 ? -(value >> 1) : value >> 1;
    }
  };
  const isInside = (): boolean =>
    at < mappings.length && mappings.charCodeAt(at) !== COMMA && mappings.charCodeAt(at) !== SEMICOLON;
  while (at < mappings.length) {
    if (mappings.charCodeAt(at) === SEMICOLON) {
      kept.push(';');
      separator = '';
      read[0] = last[0] = 0;
      at += 1;
      continue;
    }
    if (mappings.charCodeAt(at) === COMMA) at += 1;
    let fields = 0;
    // The fifth number is the name in the source, which stack traces do not need.
    for (; isInside(); fields += 1) read[fields] = (read[fields] ?? 0) + next();
    const own = fields > 1 ? sources.get(read[1] ?? 0) : undefined;
    const isNew = own === undefined ? isMapped : !isMapped || own !== last[1] || read[2] !== last[2];
    if (isNew) {
      const now = own === undefined ? [read[0] ?? 0] : [read[0] ?? 0, own, read[2] ?? 0, 0];
      kept.push(separator, ...now.map((value, field) => digitsOf(value - (last[field] ?? 0))));
      last = [...now, ...last.slice(now.length)];
      separator = ',';
    }
    isMapped = own !== undefined;
  }
  return kept.join('');
}

/** A variable-length number in base 64 (ECMA-426, "VLQ"). */
function digitsOf(value: number): string {
  let rest = value < 0 ? (-value << 1) | 1 : value << 1;
  let digits = '';
  do {
    const digit = rest & 31;
    rest >>>= 5;
    digits += DIGITS[rest > 0 ? digit | 32 : digit];
  } while (rest > 0);
  return digits;
}
