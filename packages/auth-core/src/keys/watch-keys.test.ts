import assert from 'node:assert/strict';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { ConfigError } from '@gatehouse/runtime';
import { eventually, testLog, useFolder } from '@gatehouse/runtime/testing';
import { throwAwayKeySet } from '../testing/index.ts';
import { watchKeys, type Keys } from './watch-keys.ts';

describe('watchKeys', () => {
  const at = useFolder();
  let file: string;
  let keys: Keys | undefined;
  const log = testLog();
  const kids = () => [...(keys?.current().keys() ?? [])];

  beforeEach(() => {
    file = at('keys.json');
    writeFileSync(file, throwAwayKeySet());
  });
  afterEach(() => {
    keys?.close();
    keys = undefined;
  });

  it('reads the file again when it was replaced, and reports the removed keys', async () => {
    keys = watchKeys({ file, everyMs: 5, log });
    const gone = kids();
    const removed = new Promise<string[]>((resolve) => keys?.onChange(resolve));
    writeFileSync(`${file}.new`, throwAwayKeySet());
    renameSync(`${file}.new`, file);
    assert.deepEqual(await removed, gone);
    assert.notDeepEqual(kids(), gone);
  });

  it('keeps its keys while the file is broken or missing, logs it once, and recovers', async () => {
    const lines = testLog();
    keys = watchKeys({ file, everyMs: 5, log: lines });
    const before = kids();
    const logged = (problem: RegExp) => () => {
      lines.flush();
      return lines.lines.some((line) => problem.test(String(line['problem'])));
    };
    writeFileSync(file, '{"keys":[');
    await eventually(logged(/not JSON/));
    rmSync(file);
    await eventually(logged(/cannot be read \(ENOENT\)/));
    assert.deepEqual(kids(), before);
    writeFileSync(file, throwAwayKeySet());
    await eventually(() => kids()[0] !== before[0]);
    lines.flush();
    assert.equal(lines.lines.filter(({ level }) => level === 'error').length, 2);
  });

  it('does not start with a broken file, no file, no keys or keys from two places', () => {
    writeFileSync(file, '{}');
    assert.throws(() => watchKeys({ file, log }), ConfigError);
    assert.throws(() => watchKeys({ file: at('absent'), log }), ConfigError);
    assert.throws(() => watchKeys({ log }), ConfigError);
    assert.throws(() => watchKeys({ file, json: throwAwayKeySet(), log }), ConfigError);
  });
});
