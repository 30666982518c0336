import assert from 'node:assert/strict';
import { HELP, readOptions } from '../bench/options.ts';
import { ROWS } from '../bench/rows/index.ts';

describe('npm run bench -- --help', () => {
  it('lists every row, and every option with its default', () => {
    for (const { name, about } of ROWS) assert.ok(HELP.includes(`  ${name.padEnd(16)}${about}\n`), name);
    const { sizes } = readOptions([], ROWS) ?? assert.fail();
    for (const [name, standard] of Object.entries(sizes)) {
      assert.match(HELP, new RegExp(`^  --\\w+ ${standard} `, 'm'), name);
    }
  });
});
