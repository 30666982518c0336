import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBinaries } from './programs.ts';

describe('findBinaries', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'binaries-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('takes Valkey where Redis is not', () => {
    for (const name of ['valkey-server', 'redis-server']) {
      const program = join(folder, name);
      writeFileSync(program, '', { mode: 0o755 });
      assert.equal(findBinaries(folder).redis, program);
    }
  });

  it('finds any Chromium, and prefers the one without windows', () => {
    assert.equal(findBinaries(folder).chromium, undefined);
    for (const name of ['google-chrome-stable', 'chromium', 'chromium-headless-shell']) {
      const program = join(folder, name);
      writeFileSync(program, '', { mode: 0o755 });
      assert.equal(findBinaries(folder).chromium, program);
    }
  });
});
