import { decode, encode, type SourceMapSegment } from '@jridgewell/sourcemap-codec';

/** The fields of a source map (ECMA-426) that are used here. */
interface SourceMap {
  sources: string[];
  mappings: string;
}

/**
 * Removes the mappings into packages from a source map, nine tenths of it, and the mappings of columns, four fifths of
 * the rest. On the first stack trace Node parses the whole map, which blocks everything else, and then keeps it in
 * memory. Without them, the lines of packages are shown as lines of the bundle, and all columns as 1.
 */
export function ownSourceMap(json: string): string {
  const map = JSON.parse(json) as SourceMap; // written by esbuild
  const sources = map.sources.filter((source) => !source.includes('node_modules/'));
  const numbers = new Map(sources.map((source, number) => [map.sources.indexOf(source), number]));
  let [lastSource, lastLine]: [number | undefined, number] = [undefined, 0];
  const mappings = decode(map.mappings).map((line) =>
    line.flatMap(([column, from = -1, sourceLine = 0]): SourceMapSegment[] => {
      const source = numbers.get(from);
      // What continues the line of the source needs no mapping. Code of packages needs one without a source where it
      // begins: otherwise all that follows, even on later lines, would belong to the previous source.
      if (source === lastSource && (source === undefined || sourceLine === lastLine)) return [];
      [lastSource, lastLine] = [source, sourceLine];
      return [source === undefined ? [column] : [column, source, sourceLine, 0]];
    }),
  );
  return JSON.stringify({ ...map, sources, names: [], mappings: encode(mappings) });
}
