import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createProviderKeys } from './logout-reader.ts';

describe('the published keys of a provider', () => {
  let server: Server;
  let url: string;
  let status: number;
  let asked: number;
  before(async () => {
    server = createServer((_, response) => {
      asked += 1;
      response.writeHead(status).end('{"keys":[{"kty":"EC"}]}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks`;
  });
  after(() => server.close());
  beforeEach(() => {
    [status, asked] = [200, 0];
  });

  const open = () => {
    let now = 1_000_000;
    const keys = createProviderKeys({ proxyFor: () => undefined, now: () => now });
    const find = async (isNewer = false) => {
      const found = await keys.find(url, { deadline: AbortSignal.timeout(5000), isNewer });
      return found.kind === 'too_many' ? found.retryAfterSeconds : found.kind;
    };
    return { find, later: (seconds: number) => (now += seconds * 1000) };
  };

  it('are fetched again for an unknown key at once, three times, and then every 20 seconds', async () => {
    const { find, later } = open();
    assert.deepEqual([await find(), await find(true), await find(true), asked], ['keys', 'keys', 'keys', 3]);
    assert.deepEqual([await find(true), await find(), asked], [20, 'keys', 3]);
    later(19);
    assert.deepEqual([await find(true), asked], [1, 3]);
    later(1);
    assert.deepEqual([await find(true), await find(true), asked], ['keys', 20, 4]);
    later(60);
    assert.deepEqual([await find(true), await find(true), await find(true)], ['keys', 'keys', 'keys']);
    assert.deepEqual([await find(true), asked], [20, 7]);
  });

  it('are fetched once for concurrent calls', async () => {
    const { find } = open();
    await find();
    const found = await Promise.all(Array.from({ length: 20 }, () => find(true)));
    assert.deepEqual([new Set(found), asked], [new Set(['keys']), 2]);
  });

  it('are unavailable for an unknown key if that failed, and remain valid for known ones', async () => {
    const { find } = open();
    await find();
    status = 500;
    assert.deepEqual([await find(true), await find(), asked], ['unavailable', 'keys', 2]);
    status = 200;
    assert.deepEqual([await find(true), asked], ['keys', 3]);
  });

  it('are fetched for each call until that succeeds, which does not delay later fetches', async () => {
    const { find, later } = open();
    status = 500;
    for (let call = 0; call < 10; call += 1) assert.equal(await find(), 'unavailable');
    status = 200;
    assert.deepEqual([await find(), asked], ['keys', 11]);
    later(20);
    assert.deepEqual([await find(true), asked], ['keys', 12]);
  });

  it('are fetched again after ten minutes, unless there were too many fetches', async () => {
    const { find, later } = open();
    await find();
    later(601);
    status = 500;
    assert.deepEqual([await find(), await find(), await find(), await find()], Array(4).fill('keys'));
    assert.equal(asked, 4);
  });
});
