import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { exchangeRaw } from '@gatehouse/http/testing';
import { during } from '@gatehouse/runtime/testing';
import { mailbox } from './mailbox.ts';
import { call } from '../testing/index.ts';
import { privateServers } from '../testing/private-servers.ts';

describe('the mail inbox', () => {
  const inbox = during(() =>
    privateServers('mail', async ({ supervisor, place }) => {
      await supervisor.start(mailbox(place).server);
      await sendMail(place.ports.smtp);
      return { port: place.ports.mail };
    }),
  );

  const own = (): string => `http://127.0.0.1:${inbox.port}`;
  const upgrade = (headers: string): Promise<string> =>
    exchangeRaw(
      inbox.port,
      `GET /socket.io/?EIO=3&transport=websocket HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
        `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n${headers}\r\n\r\n`,
    );
  const poll = '/socket.io/?EIO=3&transport=polling';

  it('is readable by scripts and its own page, but not by other origins', async () => {
    for (const headers of [
      {},
      { Host: `localhost:${inbox.port}` },
      { Host: `[::1]:${inbox.port}` },
      { Origin: own() },
      { 'Sec-Fetch-Site': 'same-origin' },
      { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Dest': 'document' },
    ] satisfies Record<string, string>[]) {
      const { status, headers: answered, body } = await call(inbox.port, '/email', { headers });
      assert.equal(status, 200, JSON.stringify(headers));
      assert.match(body, /SECRET-CODE/);
      assert.equal(answered['access-control-allow-origin'], undefined);
      assert.equal(answered['cross-origin-resource-policy'], 'same-origin');
    }
    assert.equal((await call(inbox.port, '/', { headers: { Origin: own() } })).status, 200);
  });

  it('refuses unknown host names', async () => {
    for (const Host of ['evil.example', '127.0.0.1.evil.example', 'x@localhost']) {
      for (const path of ['/email', poll, '/', '/healthz']) {
        const { status, body } = await call(inbox.port, path, { headers: { Host } });
        assert.equal(status, 403, `${Host} ${path}`);
        assert.doesNotMatch(body, /SECRET-CODE/);
      }
    }
    assert.match(await exchangeRaw(inbox.port, 'GET /email HTTP/1.0\r\n\r\n'), /^HTTP\/1\.1 403 /);
  });

  it('refuses all requests of other origins', async () => {
    for (const headers of [
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
      { Origin: `http://localhost:${inbox.port}` },
      { Origin: `https://127.0.0.1:${inbox.port}` },
      { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Dest': 'script' },
      { 'Sec-Fetch-Site': 'same-site', 'Sec-Fetch-Dest': 'iframe' },
    ] satisfies Record<string, string>[]) {
      for (const [method, path] of [
        ['GET', '/email'],
        ['OPTIONS', '/email/all'],
        ['DELETE', '/email/all'],
        ['GET', poll],
        ['POST', poll],
      ] as const) {
        const { status, headers: answered } = await call(inbox.port, path, { method, headers });
        assert.deepEqual([status, answered['access-control-allow-origin']], [403, undefined], path);
      }
    }
    assert.match((await call(inbox.port, '/email')).body, /SECRET-CODE/);
  });

  it('opens websockets for its own page only', async () => {
    assert.match(await upgrade(`Host: 127.0.0.1:${inbox.port}\r\nOrigin: ${own()}`), /^HTTP\/1\.1 101 /);
    for (const headers of [
      `Host: 127.0.0.1:${inbox.port}\r\nOrigin: https://evil.example`,
      `Host: evil.example:${inbox.port}\r\nOrigin: http://evil.example:${inbox.port}`,
    ])
      assert.match(await upgrade(headers), /^HTTP\/1\.1 403 /);
  });
});

async function sendMail(port: number): Promise<void> {
  const lines = [
    'EHLO x',
    'MAIL FROM:<a@x.example>',
    'RCPT TO:<b@x.example>',
    'DATA',
    'Subject: SECRET-CODE\r\n\r\nSECRET-CODE\r\n.',
    'QUIT',
  ];
  const socket = connect(port, '127.0.0.1');
  // One line per complete answer: the answer to EHLO has several lines, and only the last has no hyphen.
  for await (const chunk of socket)
    if (/^\d{3} /m.test(String(chunk))) socket.write(`${lines.shift() ?? ''}\r\n`);
}
