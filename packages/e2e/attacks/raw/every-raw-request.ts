import assert from 'node:assert/strict';
import { exchange, faultOfRaw } from './raw-exchange.ts';
import { rawRequests, type Listener, type RawRequest } from './raw-requests.ts';
import type { Target } from '../target.ts';

const SIDE_BY_SIDE = 12;

/** Sends bytes that may arrive instead of a request. */
export function everyRawRequestIsAnswered(given: () => Target): void {
  let target: Target;
  let pids: Target['stack']['facts']['pids'];
  before(() => {
    target = given();
    pids = { ...target.stack.facts.pids };
  });

  it('in time, without a 5xx, with problem details', async () => {
    const faults: string[] = [];
    for (const listener of listenersOf(target)) {
      const queue = rawRequests(listener);
      const work = async (): Promise<void> => {
        for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
          const fault = await sendTo(listener, next);
          if (fault !== undefined) faults.push(fault);
        }
      };
      await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work));
    }
    assert.deepEqual(faults.slice(0, 20), []);
  });

  it('and every process lives and answers afterwards', async () => {
    assert.deepEqual(target.stack.facts.pids, pids);
    for (const { name, port } of listenersOf(target)) {
      const ping = Buffer.from('GET /openapi.json HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
      const { text } = await exchange(port, { name, bytes: ping, isWhole: true });
      assert.match(text, /^HTTP\/1\.1 200 /, name);
    }
  });
}

async function sendTo({ name, port }: Listener, request: RawRequest): Promise<string | undefined> {
  const answer = await exchange(port, request);
  const fault = faultOfRaw(request, answer);
  return fault && `${name}: ${request.name} ${fault}: ${answer.text.slice(0, 300)}`;
}

function listenersOf({ stack }: Target): Listener[] {
  const { urls, baseUrl, adminUrl } = stack.facts;
  const login = { path: '/account/login', field: 'Username' };
  const renewal = { path: '/api/auth/demo/renew', field: 'refreshToken' };
  const listeners = {
    core: { url: urls.core, ...login },
    portal: { url: urls.portal, path: '/account/register-guest', field: 'InvitationToken' },
    admin: { url: urls.admin, ...renewal },
    gateway: { url: baseUrl, ...login },
    'gateway of Admin': { url: adminUrl, ...renewal },
  };
  return Object.entries(listeners).map(([name, { url, path, field }]) => ({
    ...{ name, path, field },
    port: Number(new URL(url).port),
  }));
}
