import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { listen } from './listen.ts';

describe('listen', () => {
  const reached = async (host: string): Promise<string[]> => {
    const server = createServer((_, response) => response.end('here'));
    const port = await listen(server, { host, port: 0 });
    const answers = await Promise.all(
      ['127.0.0.1', '[::1]'].map(async (address) => {
        const answer = await fetch(`http://${address}:${port}/`).catch(() => undefined);
        return answer === undefined ? [] : [address];
      }),
    );
    await new Promise((resolve) => server.close(resolve).closeAllConnections());
    return answers.flat();
  };

  it('listens at one address, or at every one of both families', async () => {
    assert.deepEqual(await reached('127.0.0.1'), ['127.0.0.1']);
    assert.deepEqual(await reached('0.0.0.0'), ['127.0.0.1']);
    assert.deepEqual(await reached('::1'), ['[::1]']);
    assert.deepEqual(await reached('::'), ['127.0.0.1', '[::1]']);
  });

  it('says why it cannot', async () => {
    await assert.rejects(reached('192.0.2.1'), { code: 'EADDRNOTAVAIL' });
  });
});
