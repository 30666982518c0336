import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keysCommand } from './keys-command.ts';
import { parseKeySet } from './keys.ts';

describe('the keys command', () => {
  let folder: string;
  let file: string;
  const mode = () => statSync(file).mode & 0o777;
  const set = () => parseKeySet(readFileSync(file, 'utf8'));

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'keys-'));
    file = join(folder, 'keys.json');
    keysCommand(['create', file], 1000);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('creates a set that its owner alone can read, and never overwrites one', () => {
    assert.equal(mode(), 0o600);
    const before = readFileSync(file, 'utf8');
    assert.throws(() => keysCommand(['create', file], 1000), /EEXIST/);
    assert.equal(readFileSync(file, 'utf8'), before);
  });

  it('rotates in place, keeping the mode and leaving nothing behind', () => {
    chmodSync(file, 0o640);
    const [old] = set().keys();
    keysCommand(['rotate', file, '--publish-seconds', '5'], 2000);
    assert.equal(mode(), 0o640);
    assert.deepEqual(readdirSync(folder), ['keys.json']);
    const [first, second] = [...set().values()];
    assert.equal(first?.kid, old);
    assert.equal(second?.signsFrom, 2005);
  });

  it('rotates the file that a link points to', () => {
    const link = join(folder, 'link');
    symlinkSync(file, link);
    keysCommand(['rotate', link], 2000);
    assert.equal(set().size, 2);
  });

  it('drops keys once they are retired', () => {
    const [old = ''] = set().keys();
    keysCommand(['rotate', file, '--publish-seconds', '0'], 2000);
    keysCommand(['rotate', file, '--retire-seconds', '100'], 3000);
    assert.equal(set().size, 2);
    assert.ok(!set().has(old));
  });

  it('lists which key signs, and nothing secret', () => {
    const printed = keysCommand(['rotate', file], 2000);
    assert.equal(keysCommand(['list', file], 2000), printed);
    assert.match(
      printed,
      /^\S{43}  1970-01-01T00:16:40.000Z  signs\n\S{43}  1970-01-01T00:34:20.000Z  will sign\n$/,
    );
    assert.match(keysCommand(['list', file], 2060), / verifies\n.* signs\n$/);
    for (const { d } of JSON.parse(readFileSync(file, 'utf8')).keys as { d: string }[])
      assert.ok(!printed.includes(d));
  });

  it('leaves a broken set as it is and says what is wrong with arguments', () => {
    assert.match(keysCommand(['--help'], 0), /rotate <file>/);
    assert.throws(() => keysCommand([], 0), /--help/);
    assert.throws(() => keysCommand(['burn', file], 0), /no command burn/);
    assert.throws(() => keysCommand(['list', file, 'more'], 0), /--help/);
    assert.throws(() => keysCommand(['rotate', file, '--publish-seconds', '-1'], 0));
    assert.throws(() => keysCommand(['rotate', file, '--retire-seconds', 'soon'], 0), /whole number/);
    assert.throws(() => keysCommand(['rotate', join(folder, 'absent')], 0), /ENOENT/);
  });
});
