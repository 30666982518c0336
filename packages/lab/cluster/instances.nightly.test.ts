import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { during, eventually } from '@gatehouse/runtime/testing';
import { readComposeFile } from '../../e2e/src/containers/compose-file.ts';
import { startWorld } from '../../e2e/src/testing/index.ts';
import { runTool } from '../run-tool.ts';
import { everyInstanceIsReady, usersOf } from './background-users.ts';

describe('two instances of each service, as Compose starts them,', function () {
  this.timeout(180_000);
  const { DRAIN_SECONDS = '' } = readComposeFile().services['core']?.environment ?? {};
  const world = during(() => startWorld({ DRAIN_SECONDS }, { scale: 2 }));
  const users = usersOf(() => world);

  it('stop one by one under load without a failed request, although the gateway is not told', async () => {
    for (const [number, name] of (['core', 'core-2'] as const).entries()) {
      const pid = () => world.stack.facts.instances?.['core']?.[number]?.pid;
      const before = pid();
      const served = users().successes();
      await eventually(() => users().successes() > served + 20);
      world.stack.kill(name, 'SIGTERM');
      await eventually(() => pid() !== before, 30);
      await everyInstanceIsReady(world);
    }
    assert.deepEqual(users().takeFailures(), []);
    await users().lostNothing();
  });

  it('fail no request while the signing keys rotate, and refuse a removed key at once', async () => {
    const { Token, RefreshToken } = await world.login(await world.newAccount());
    const keys = join(world.directory, 'secrets', 'signing-keys.json');
    const kidOf = (token: string) =>
      (JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as { kid: string }).kid;
    const statuses = new Set<number>();
    const next = async (): Promise<string> => {
      const { status, body } = await world.post('/account/refresh-token', { RefreshToken });
      const checked = await world.call('GET', '/ping/auth', undefined, String(body['Token']));
      statuses.add(status).add(checked.status);
      return kidOf(String(body['Token']));
    };
    await runTool(['keys', 'rotate', keys, '--publish-seconds', '3']);
    await eventually(async () => (await next()) !== kidOf(Token), 20);
    assert.deepEqual(statuses, new Set([200]));
    const refusal = async () => (await world.call('GET', '/ping/auth', undefined, Token)).body['code'];
    assert.equal(await refusal(), undefined);

    const set = JSON.parse(await readFile(keys, 'utf8')) as { keys: { kid: string }[] };
    const rest = set.keys.filter(({ kid }) => kid !== kidOf(Token));
    await writeFile(keys, JSON.stringify({ keys: rest }));
    await eventually(async () => (await refusal()) === 'token_invalid', 5);
  });
});
