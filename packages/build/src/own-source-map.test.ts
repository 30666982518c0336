import assert from 'node:assert/strict';
import { decode, encode, type SourceMapMappings } from '@jridgewell/sourcemap-codec';
import { ownSourceMap } from './bundle.ts';

/** A bundle of two files of ours with a package between them: each segment is a column, and of which file, line and column. */
const MAPPINGS: SourceMapMappings = [
  [
    [0, 0, 0, 0],
    [5, 0, 0, 5, 0],
    [9, 0, 2, 0],
  ],
  [
    [0, 1, 7, 0],
    [3, 1, 8, 0],
  ],
  [
    [0, 2, 4, 2],
    [6, 0, 3, 1],
  ],
];

describe('the source map of a bundle', () => {
  it('leads to our own lines, each named once, and nowhere for lines of packages', () => {
    const sources = ['src/main.ts', '../node_modules/one/one.js', 'src/fail.ts'];
    const map = { version: 3, sources, names: ['n'], mappings: encode(MAPPINGS) };
    const own = JSON.parse(ownSourceMap(JSON.stringify(map))) as typeof map;
    assert.deepEqual([own.sources, own.names], [['src/main.ts', 'src/fail.ts'], []]);
    assert.deepEqual(decode(own.mappings), [
      [
        [0, 0, 0, 0],
        [9, 0, 2, 0],
      ],
      [[0]],
      [
        [0, 1, 4, 0],
        [6, 0, 3, 0],
      ],
    ]);
  });
});
