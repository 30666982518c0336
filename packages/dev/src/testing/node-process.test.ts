import assert from 'node:assert/strict';
import { nodeArguments } from './node-process.ts';

describe('nodeArguments', () => {
  for (const [version, isHelped] of [
    ['20.19.0', true],
    ['22.17.1', true],
    ['22.18.0', false],
    ['24.1.0', false],
  ] as const) {
    it(`${isHelped ? 'has tsx strip types' : 'needs nothing more'} on Node ${version}`, () => {
      const args = nodeArguments('x.ts', version);
      assert.equal(args.includes('--import'), isHelped);
      assert.equal(args.at(-1), 'x.ts');
    });
  }
});
