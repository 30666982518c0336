import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { ConfigError } from '@gatehouse/runtime';
import { endings, testAuthority } from '@gatehouse/runtime/testing';
import { SMTPServer } from 'smtp-server';
import { createMailer } from './transport.ts';

/** How the mail server uses TLS: from the first byte, after STARTTLS, or not at all. */
type Encryption = 'smtps' | 'starttls' | 'plain';

describe('TLS to the mail server', () => {
  const authority = testAuthority();
  const atEnd = endings();

  const start = async (encryption: Encryption, name = 'localhost') => {
    const seen = { logins: 0, mails: 0, isSecure: false };
    const server = new SMTPServer({
      ...authority.issue(name),
      secure: encryption === 'smtps',
      disabledCommands: encryption === 'plain' ? ['STARTTLS'] : [],
      authOptional: true,
      allowInsecureAuth: true,
      closeTimeout: 50,
      onAuth: (_auth, session, done) => {
        seen.logins += 1;
        seen.isSecure = session.secure;
        done(null, { user: 'gatehouse' });
      },
      onData: (stream, session, done) => {
        seen.mails += 1;
        seen.isSecure = session.secure;
        stream.on('end', () => done()).resume();
      },
    });
    server.on('error', () => {});
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
    atEnd(() => new Promise<void>((resolve) => server.close(() => resolve())));
    return { seen, port: (server.server.address() as AddressInfo).port };
  };
  const sendThrough = async (smtpUrl: string, ca?: string) => {
    const mailer = createMailer({ smtpUrl, ca, from: { name: '', address: 'us@gatehouse.example' } });
    const letter = { subject: 'Hello', text: 'Hello', html: 'Hello', pictures: [] };
    try {
      return (await mailer.send({ id: 'tls', to: 'you@gatehouse.example', letter })).status;
    } finally {
      mailer.close();
    }
  };

  for (const [encryption, url] of [
    ['smtps', 'smtps://us:hush@localhost'],
    ['starttls', 'smtp://us:hush@localhost'],
    ['starttls', 'smtp://localhost'],
  ] as const) {
    it(`trusts the configured certificate authority (${url})`, async () => {
      const { seen, port } = await start(encryption);
      assert.equal(await sendThrough(`${url}:${port}`, authority.pem), 'sent');
      assert.deepEqual([seen.mails, seen.isSecure], [1, true]);
    });

    it(`sends nothing to a server of another authority or host (${url})`, async () => {
      const right = await start(encryption);
      const elsewhere = await start(encryption, 'elsewhere.example');
      assert.equal(await sendThrough(`${url}:${right.port}`, testAuthority().pem), 'unreachable');
      assert.equal(await sendThrough(`${url}:${right.port}`), 'unreachable');
      assert.equal(await sendThrough(`${url}:${elsewhere.port}`, authority.pem), 'unreachable');
      for (const { seen } of [right, elsewhere]) assert.deepEqual([seen.logins, seen.mails], [0, 0]);
    });
  }

  it('sends no password and no mail unencrypted when STARTTLS is stripped', async () => {
    const { seen, port } = await start('plain');
    assert.equal(await sendThrough(`smtp://us:hush@localhost:${port}`), 'unreachable');
    assert.equal(await sendThrough(`smtp://localhost:${port}`, authority.pem), 'unreachable');
    assert.equal(await sendThrough(`smtp://localhost:${port}?requireTLS=true`), 'unreachable');
    assert.deepEqual([seen.logins, seen.mails], [0, 0]);
  });

  it('does so if the URL allows it', async () => {
    const { seen, port } = await start('plain');
    assert.equal(await sendThrough(`smtp://us:hush@localhost:${port}?requireTLS=false`), 'sent');
    assert.deepEqual([seen.logins, seen.mails, seen.isSecure], [1, 1, false]);
  });

  it('refuses unchecked certificates at startup', () => {
    const from = { name: '', address: 'us@gatehouse.example' };
    for (const [smtpUrl, ca] of [
      ['smtps://localhost?tls.rejectUnauthorized=false', undefined],
      ['smtp://localhost?requireTLS=false', authority.pem],
      ['smtps://localhost', 'no certificate'],
    ] as const)
      assert.throws(() => createMailer({ smtpUrl, ca, from }), ConfigError, smtpUrl);
  });
});
