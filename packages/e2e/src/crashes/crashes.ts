import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { programArguments } from '@gatehouse/build';
import { eventually } from '@gatehouse/runtime/testing';
import { PASSWORD, type World } from '../testing/index.ts';

/** Tests that kill processes and rotate keys under load, for any stack behind the gateway. */
export function survivesCrashes(given: () => World, { registrations } = { registrations: 200 }): void {
  let world: World;
  before(() => {
    world = given();
  });

  it('mails every acknowledged registration despite killed processes', async () => {
    const victims = ['mail-worker', 'core', 'portal', 'admin', 'mail-worker', 'core'];
    const acknowledged: string[] = [];
    const registerSome = async (): Promise<void> => {
      while (acknowledged.length < registrations) {
        const email = world.someEmail();
        const answer = await world
          .post('/account/register', { Email: email, Password: PASSWORD })
          .catch(() => undefined);
        if (answer?.status === 200) acknowledged.push(email);
        else await new Promise((resolve) => setTimeout(resolve, 50));
      }
    };
    const killSome = async (): Promise<void> => {
      for (const [index, victim] of victims.entries()) {
        await eventually(() => acknowledged.length >= ((index + 1) * registrations) / 8, 60);
        world.stack.kill(victim, 'SIGKILL');
      }
    };
    await Promise.all([killSome(), ...Array.from({ length: 8 }, registerSome)]);
    await eventually(async () => {
      const mailed = await mailedAddresses();
      const missing = acknowledged.filter((email) => !mailed.has(email));
      assert.deepEqual(missing, []);
      return true;
    }, 90);
  });

  const mailedAddresses = async (): Promise<Set<string>> => {
    const response = await fetch(`${world.stack.facts.mailUrl}/email`);
    const mails = (await response.json()) as { to: { address: string }[] }[];
    return new Set(mails.flatMap(({ to }) => to.map(({ address }) => address)));
  };

  it('fails no request while the signing keys rotate, and refuses a removed key at once', async () => {
    const email = await eventually(() => world.newAccount(), 60);
    const { Token, RefreshToken } = await world.login(email);
    const keys = join(world.directory, 'secrets', 'signing-keys.json');
    const rotate = (...more: string[]) =>
      promisify(execFile)(process.execPath, [...programArguments('tools'), 'keys', 'rotate', keys, ...more]);

    let running = true;
    const statuses = new Set<number>();
    const load = async (): Promise<void> => {
      while (running) {
        const fresh = await world.post('/account/refresh-token', { RefreshToken });
        const checked = await world.call('GET', '/ping/auth', undefined, String(fresh.body['Token']));
        statuses.add(fresh.status).add(checked.status);
      }
    };
    const loads = [load(), load()];
    const kidOf = (token: string) =>
      (JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as { kid: string }).kid;
    await rotate('--publish-seconds', '3');
    await eventually(async () => {
      const { body } = await world.post('/account/refresh-token', { RefreshToken });
      return kidOf(String(body['Token'])) !== kidOf(Token);
    }, 20);
    running = false;
    await Promise.all(loads);
    assert.deepEqual(statuses, new Set([200]));
    assert.equal((await world.call('GET', '/ping/auth', undefined, Token)).status, 200);

    const set = JSON.parse(await readFile(keys, 'utf8')) as { keys: { kid: string }[] };
    const rest = set.keys.filter(({ kid }) => kid !== kidOf(Token));
    await writeFile(keys, JSON.stringify({ keys: rest }));
    await eventually(
      async () => (await world.call('GET', '/ping/auth', undefined, Token)).body['code'] === 'token_invalid',
      5,
    );
  });
}
