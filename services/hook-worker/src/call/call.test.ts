import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:net';
import { createEgressRules, createProxyFor, listen, type LookUpName } from '@gatehouse/runtime';
import { endings, serve, startProxy, testAuthority } from '@gatehouse/runtime/testing';
import { startHostileServers } from '../testing/hostile-servers.ts';
import { createCall } from './call.ts';

const authority = testAuthority();

describe('a call of a receiver', () => {
  let asked: string[] = [];
  beforeEach(() => (asked = []));
  const atEnd = endings();

  /** A receiver on a port of this machine, over TLS with a certificate. */
  const start = async (
    answer: (response: ServerResponse) => unknown = (response) => response.end(),
    certificate?: { cert: string; key: string },
  ): Promise<number> => {
    const { port, stop } = await serve((request, response) => {
      asked.push(`${request.headers.host}${request.url}`);
      request.resume().on('end', () => answer(response));
    }, certificate);
    atEnd(stop);
    return port;
  };
  const secure = (certificate: { cert: string; key: string }) => start(undefined, certificate);
  const call = (url: string, options: { networks?: string; lookUp?: LookUpName; callMs?: number } = {}) => {
    const { networks = '127.0.0.1', ...more } = options;
    return createCall({ rules: createEgressRules(networks), ca: authority.pem, ...more })(url, '{}', {});
  };

  it('goes over TLS to the address of the name, with its name in the certificate and the header', async () => {
    const port = await secure(authority.issue('hooks.example.com'));
    const answer = await call(`https://hooks.example.com:${port}/`, { lookUp: async () => ['127.0.0.1'] });
    assert.deepEqual(answer, { kind: 'answered', status: 200, retryAfterSeconds: undefined });
    assert.deepEqual(asked, [`hooks.example.com:${port}/`]);
  });

  it('has a proxy connect to the address that was checked, and to no other', async () => {
    const port = await secure(authority.issue('hooks.example.com'));
    const proxy = await startProxy({ port });
    const ask = (networks: string, lookUp: LookUpName) =>
      createCall({
        ...{ rules: createEgressRules(networks), ca: authority.pem, lookUp },
        proxyFor: createProxyFor({ HTTPS_PROXY: proxy.url }),
      })('https://hooks.example.com/', '{}', {});
    const answer = await ask('', async () => ['93.184.216.34']);
    assert.deepEqual(answer, { kind: 'answered', status: 200, retryAfterSeconds: undefined });
    for (const inside of [['10.0.0.1'], ['127.0.0.1'], ['::ffff:169.254.169.254']])
      assert.deepEqual(await ask('', async () => inside), { kind: 'failed', fault: 'address_not_allowed' });
    await ask('10.0.0.0/8', async () => ['192.168.0.1', '10.0.0.1']);
    assert.deepEqual(proxy.asked, ['93.184.216.34:443', '10.0.0.1:443']);
    await proxy.stop();
  });

  it('refuses a certificate for another name, and one of an authority that is not trusted', async () => {
    for (const certificate of [
      authority.issue('other.example.com'),
      testAuthority().issue('hooks.example.com'),
    ]) {
      const port = await secure(certificate);
      const answer = await call(`https://hooks.example.com:${port}/`, { lookUp: async () => ['127.0.0.1'] });
      assert.deepEqual(answer, { kind: 'failed', fault: 'certificate_invalid' });
    }
    const port = await start((response) => response.end());
    const answer = await call(`https://hooks.example.com:${port}/`, { lookUp: async () => ['127.0.0.1'] });
    assert.deepEqual(answer, { kind: 'failed', fault: 'certificate_invalid' });
    assert.deepEqual(asked, []);
  });

  it('never connects inside, also not if the name server changes its answer', async () => {
    const port = await secure(authority.issue('hooks.example.com'));
    const url = `https://hooks.example.com:${port}/`;
    const answers = [['127.0.0.1'], ['::ffff:127.0.0.1'], ['10.0.0.1', '::1'], ['169.254.169.254']];
    for (const addresses of answers) {
      const answer = await call(url, { networks: '', lookUp: async () => addresses });
      assert.deepEqual(answer, { kind: 'failed', fault: 'address_not_allowed' });
    }
    // The first answer is allowed but leads nowhere; a second look-up would find the receiver inside.
    let looked = 0;
    const lookUp: LookUpName = async () => (looked++ === 0 ? ['192.0.2.1'] : ['127.0.0.1']);
    const changing = await call(url, { networks: '192.0.2.1', lookUp, callMs: 500 });
    assert.deepEqual([changing.kind, looked, asked], ['failed', 1, []]);
  });

  it('follows no redirect', async () => {
    const port = await start((response) => response.writeHead(302, { location: '/inside' }).end());
    const answer = await call(`http://127.0.0.1:${port}/hook`);
    assert.equal(answer.kind === 'answered' && answer.status, 302);
    assert.deepEqual(asked, [`127.0.0.1:${port}/hook`]);
  });

  it('ends with every hostile server, and long before its time where an answer has no end', async () => {
    const hostile = await startHostileServers();
    atEnd(() => hostile.close());
    const calls = [...hostile.urls].map(async ([what, url]) => {
      const isEndless = what.endsWith('without end') && url.startsWith('http:');
      const answer = await call(url, { callMs: isEndless ? 30_000 : 700 });
      if (isEndless) assert.notDeepEqual(answer, { kind: 'failed', fault: 'timeout' }, what);
      if (what === 'switches to another protocol') assert.equal(answer.kind, 'failed');
      if (/^(never answers|stops)/.test(what))
        assert.deepEqual(answer, { kind: 'failed', fault: 'timeout' }, what);
    });
    await Promise.all(calls);
  });

  it('looks a name up once for calls at the same time, and not again at once if its servers did not answer', async () => {
    let lookUps = 0;
    const lookUp: LookUpName = async () => {
      lookUps += 1;
      return ['10.0.0.1'];
    };
    const one = createCall({ rules: createEgressRules(''), lookUp });
    await Promise.all([1, 2, 3, 4].map(() => one('https://hooks.example.com/', '{}', {})));
    assert.equal(lookUps, 1);
    await one('https://hooks.example.com/', '{}', {});
    assert.equal(lookUps, 2);
    const late: LookUpName = () => {
      lookUps += 1;
      return Promise.reject(Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' }));
    };
    const other = createCall({ rules: createEgressRules(''), lookUp: late });
    for (let count = 0; count < 5; count += 1) await other('https://hooks.example.com/', '{}', {});
    assert.equal(lookUps, 3);
  });

  it('says in a word what failed', async () => {
    const server = createServer((socket) => socket.destroy());
    atEnd(() => server.close());
    const port = await listen(server, { host: '127.0.0.1', port: 0 });
    assert.deepEqual(await call(`http://127.0.0.1:${port}/`), { kind: 'failed', fault: 'connection_failed' });
    for (const [code, fault] of [
      ['ENOTFOUND', 'name_not_found'],
      ['ETIMEDOUT', 'timeout'],
    ] as const) {
      const lookUp: LookUpName = () => Promise.reject(Object.assign(new Error(code), { code }));
      assert.deepEqual(await call('https://hooks.example.com/', { lookUp }), { kind: 'failed', fault });
    }
  });

  it('reads Retry-After as seconds and as a date', async () => {
    for (const [value, least, most] of [
      ['120', 120, 120],
      [new Date(Date.now() + 60_000).toUTCString(), 50, 61],
      ['soon', undefined, undefined],
    ] as const) {
      const port = await start((response) => response.writeHead(503, { 'retry-after': value }).end());
      const answer = await call(`http://127.0.0.1:${port}/`);
      const seconds = answer.kind === 'answered' ? answer.retryAfterSeconds : undefined;
      assert.ok(
        least === undefined ? seconds === undefined : Number(seconds) >= least && Number(seconds) <= most,
      );
    }
  });
});
