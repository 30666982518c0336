import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { VERSION } from './version.ts';

describe('the version', () => {
  it('is that of package.json', () => {
    const text = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
    assert.equal(VERSION, (JSON.parse(text) as { version: string }).version);
  });
});
