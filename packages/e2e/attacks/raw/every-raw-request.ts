import assert from 'node:assert/strict';
import { attackSeed } from '../attack-settings.ts';
import { exchange, faultOfRaw } from './raw-exchange.ts';
import { rawRequests, type Door, type RawRequest } from './raw-requests.ts';
import { shuffled } from '../shuffled.ts';
import type { Target } from '../target.ts';

const SIDE_BY_SIDE = 12;

/** What may come over a connection that is meant to be a request: all of it, or so many of it to each door. */
export function everyRawRequestIsAnswered(given: () => Target, sample?: number): void {
  const seed = attackSeed();

  it(`and nobody is left waiting, with a 5xx or without a problem in words (ATTACK_SEED=${seed})`, async () => {
    const target = given();
    const pids = { ...target.stack.facts.pids };
    const faults: string[] = [];
    let count = 0;
    for (const door of doorsOf(target)) {
      const queue = shuffled(rawRequests(door), seed).slice(0, sample);
      count += queue.length;
      const work = async (): Promise<void> => {
        for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
          const fault = await sendTo(door, next);
          if (fault !== undefined) faults.push(fault);
        }
      };
      await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work));
    }
    assert.deepEqual(faults.slice(0, 20), []);
    assert.ok(count >= (sample ?? 9000) * 5, `${count} requests`);
    assert.deepEqual(target.stack.facts.pids, pids, 'nothing died');
    for (const { name, port } of doorsOf(target)) {
      const ping = Buffer.from('GET /openapi.json HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
      const { text } = await exchange(port, { name, bytes: ping, isWhole: true });
      assert.match(text, /^HTTP\/1\.1 200 /, name);
    }
  });
}

async function sendTo({ name, port }: Door, request: RawRequest): Promise<string | undefined> {
  const answer = await exchange(port, request);
  const fault = faultOfRaw(request, answer);
  return fault && `${name}: ${request.name} ${fault}: ${answer.text.slice(0, 300)}`;
}

function doorsOf({ stack }: Target): Door[] {
  const { urls, baseUrl, adminUrl } = stack.facts;
  const login = { path: '/account/login', field: 'Username' };
  const renewal = { path: '/api/auth/demo/renew', field: 'refreshToken' };
  const doors = {
    core: { url: urls.core, ...login },
    portal: { url: urls.portal, path: '/account/register-guest', field: 'InvitationToken' },
    admin: { url: urls.admin, ...renewal },
    gateway: { url: baseUrl, ...login },
    'gateway of Admin': { url: adminUrl, ...renewal },
  };
  return Object.entries(doors).map(([name, { url, path, field }]) => ({
    ...{ name, path, field },
    port: Number(new URL(url).port),
  }));
}
