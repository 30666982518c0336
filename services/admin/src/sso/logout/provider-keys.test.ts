import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createProviderKeys } from './provider-keys.ts';

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
    const keys = createProviderKeys({ now: () => now });
    const find = async (isNewer = false) =>
      (await keys.find(url, { deadline: AbortSignal.timeout(5000), isNewer })) !== undefined;
    return { find, later: (seconds: number) => (now += seconds * 1000) };
  };

  it('are fetched again for an unknown key, a minute later at the earliest', async () => {
    const { find, later } = open();
    assert.deepEqual([await find(), await find(true), asked], [true, true, 1]);
    later(61);
    assert.deepEqual([await find(), await find(true), asked], [true, true, 2]);
  });

  it('are unavailable for an unknown key if that failed, and remain valid for known ones', async () => {
    const { find, later } = open();
    await find();
    later(61);
    status = 500;
    assert.deepEqual([await find(), await find(true), await find(true), asked], [true, false, false, 2]);
    later(61);
    status = 200;
    assert.deepEqual([await find(true), asked], [true, 3]);
  });
});
