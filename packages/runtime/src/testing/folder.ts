import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder for the tests of a `describe`, which is removed with all that is in it after them. */
export function testFolder(name = 'test-folder-'): string {
  const folder = mkdtempSync(join(tmpdir(), name));
  after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
