import assert from 'node:assert/strict';
import { during, eventually, serve, startProxy, testAuthority } from '../testing/index.ts';
import { sendBounded } from './bounded-request.ts';
import { createProxyFor } from './proxy.ts';

describe('HTTPS_PROXY and NO_PROXY', () => {
  it('say which calls go through the proxy: https to other machines, but for the exceptions', () => {
    const HTTPS_PROXY = 'http://proxy.example.com:3128';
    const isProxied = (url: string, NO_PROXY?: string) =>
      createProxyFor({ HTTPS_PROXY, NO_PROXY })(new URL(url)) !== undefined;
    assert.ok(isProxied('https://idp.example.com/'));
    for (const url of ['http://idp.example.com/', 'https://localhost/', 'https://[::1]/'])
      assert.ok(!isProxied(url), url);
    const several = 'localhost 127.0.0.1 example.com';
    for (const excepted of ['*', 'idp.example.com', '.example.com', '*.example.com', several])
      assert.ok(!isProxied('https://idp.example.com/', excepted), excepted);
    for (const other of ['', ',', 'example.org', 'p.example.com', 'com.idp', 'www.idp.example.com'])
      assert.ok(isProxied('https://idp.example.com/', other), other);
    for (const range of ['10.0.0.1', '10.0.0.0/8', '127.0.0.1,10.0.0.0/24,.svc', '0.0.0.0/0'])
      assert.ok(!isProxied('https://10.0.0.1/', range), range);
    for (const range of ['10.0.1.0/24', '10.0.0.0/33', '10.0.0.0/', 'fd00::/8', '10/8', 'x/8'])
      assert.ok(isProxied('https://10.0.0.1/', range), range);
    assert.ok(!isProxied('https://[fd00::7]/', 'fd00::/8'));
    assert.ok(isProxied('https://[fe80::7]/', 'fd00::/8'));
    assert.equal(createProxyFor({})(new URL('https://idp.example.com/')), undefined);
  });

  it('are refused without the value if the proxy is no URL', () => {
    for (const HTTPS_PROXY of ['proxy:3128', 'socks5://user:secret@proxy', 'http://', 'x'])
      assert.throws(() => createProxyFor({ HTTPS_PROXY }), { name: 'ConfigError', message: /^(?!.*secret)/ });
  });
});

describe('a request through a proxy', () => {
  const authority = testAuthority();
  const server = during(() =>
    serve(
      (request, response) => response.end(`${request.headers.host} ${request.url}`),
      authority.issue('idp.example.com'),
    ),
  );

  type More = Partial<Parameters<typeof sendBounded>[1]>;
  const ask = (proxy: string, more: More = {}, host = 'idp.example.com') =>
    sendBounded(new URL(`https://${host}/x?y=z`), {
      ...{ method: 'GET', headers: {}, body: Buffer.alloc(0), addresses: [], bytesMax: 10_000 },
      ...{ signal: AbortSignal.timeout(5000), ca: [authority.pem], proxy: new URL(proxy), ...more },
    });

  it('has the proxy look up the name, and TLS to its end, and leaves nothing open', async () => {
    const proxy = await startProxy({ port: server.port });
    const answer = await ask(proxy.url);
    assert.deepEqual([answer.status, answer.body.toString()], [200, 'idp.example.com /x?y=z']);
    assert.deepEqual([proxy.asked, proxy.credentials], [['idp.example.com:443'], [undefined]]);
    await eventually(async () => proxy.open() === 0);
    await proxy.stop();
  });

  it('shows the user and the password of the proxy to the proxy', async () => {
    const proxy = await startProxy({ port: server.port });
    await ask(proxy.url.replace('//', '//ann:a%40b@'));
    assert.deepEqual(proxy.credentials, [`Basic ${Buffer.from('ann:a@b').toString('base64')}`]);
    await proxy.stop();
  });

  it('trusts no proxy with the name of the server, and reads no more through it', async () => {
    const proxy = await startProxy({ port: server.port });
    await assert.rejects(ask(proxy.url, {}, 'other.example.com'), { code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
    await assert.rejects(ask(proxy.url, { ca: undefined }), /certificate/);
    assert.equal((await ask(proxy.url, { bytesMax: 100 }).catch(() => ({ isWhole: false }))).isWhole, false);
    await eventually(async () => proxy.open() === 0);
    await proxy.stop();
  });

  it('ends if the proxy refuses, or does not answer in time', async () => {
    const refusing = await startProxy({ port: server.port, answer: 407 });
    await assert.rejects(ask(refusing.url), /the proxy answered 407/);
    await refusing.stop();
    const silent = await startProxy({ port: server.port, answer: 'none' });
    await assert.rejects(ask(silent.url, { signal: AbortSignal.timeout(200) }), { name: 'AbortError' });
    await eventually(async () => silent.open() === 0);
    await silent.stop();
    await assert.rejects(ask(silent.url), { code: 'ECONNREFUSED' });
  });
});
