import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder for the tests of a `describe`, which is removed with all that is in it after them. */
export function testFolder(name = 'test-folder-'): string {
  const folder = mkdtempSync(join(tmpdir(), name));
  after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A folder of its own for each test of a suite. Returns the path of it, or of a file in it. */
export function useFolder(): (name?: string) => string {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  return (name = '') => join(folder, name);
}
