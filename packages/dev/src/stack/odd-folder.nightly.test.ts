import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from './ports.ts';
import { dataDirectory, plainPathTo, removeFolder } from '../servers/home.ts';
import { startStack } from './start-stack.ts';

describe('the stack in a folder whose path has spaces, an apostrophe, and characters beyond Latin-1', function () {
  this.timeout(200_000);
  const place = mkdtempSync(join(realpathSync(tmpdir()), 'odd-'));
  const directory = join(place, 'Gäste haus 日本', "gate'house");

  after(() => {
    rmSync(plainPathTo(join(dataDirectory(directory), 'rabbitmq')), { force: true });
    removeFolder(directory);
    removeFolder(place);
  });

  it('starts with all its servers, and works', async () => {
    // Else the data of a stack that root starts are elsewhere.
    chmodSync(place, 0o711);
    mkdirSync(directory, { recursive: true });
    const settings = { PATH: process.env['PATH'], BCRYPT_COST: '4' };
    const stack = await startStack({ directory, ports: await freePorts(), settings, throwAway: true });
    try {
      const { baseUrl, seed } = stack.facts;
      const { Email: Username, Password } = seed.user;
      const answer = await fetch(`${baseUrl}/account/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ Username, Password }),
      });
      assert.equal(answer.status, 200, await answer.text());
    } finally {
      await stack.stop();
    }
  });
});
