import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { during, eventually, testFolder } from '@gatehouse/runtime/testing';
import { startCoreWithSessions } from '../../../../services/core/src/testing/index.ts';

const PROGRAM = fileURLToPath(new URL('../../../../examples/node/ended-sessions.mjs', import.meta.url));
const run = promisify(execFile);

describe('the example of a service account in Node', () => {
  const core = during(() => startCoreWithSessions());
  const folder = testFolder();

  const ended = async (token: string): Promise<string[]> => {
    const env = { GATEHOUSE: core.url, GATEHOUSE_TOKEN: token, CURSOR_FILE: join(folder, 'cursor') };
    const { stdout } = await run(process.execPath, [PROGRAM], { env });
    return stdout.split('\n').flatMap((line) => line.split(' ')[0] || []);
  };

  /** Changes are listed once all transactions on the server have ended that began earlier, other tests' among them. */
  const endedSoon = (token: string): Promise<string[]> =>
    eventually(async () => {
      const sessions = await ended(token);
      return sessions.length > 0 && sessions;
    });

  it('prints the sessions that ended since its last run, each once', async () => {
    const { Token } = await core.newToken();
    const person = await core.newAccount();
    // Each login replaces the previous session.
    const first = await core.login(person);
    const second = await core.login(person);
    assert.deepEqual(await endedSoon(Token), [first.sessionId]);
    assert.deepEqual(await ended(Token), []);
    await core.login(person);
    assert.deepEqual(await endedSoon(Token), [second.sessionId]);
  });
});
