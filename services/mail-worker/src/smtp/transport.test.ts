import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { sampleMails, testMailWriter } from '@gatehouse/mails/testing';
import { listen } from '@gatehouse/runtime';
import { during } from '@gatehouse/runtime/testing';
import { v7 as uuid } from 'uuid';
import { startSink } from '../testing/index.ts';
import { createMailer } from './transport.ts';

const from = { name: 'Gate, "house" <x@y.z>', address: 'no-reply@gatehouse.example' };
const subject = 'Grüße\r\nBcc: eve@example.com';
const letter = { subject, text: 'Hällo\n.\nend', html: '<p>Hällo</p>', pictures: [] };

describe('createMailer', () => {
  const sink = during(() => startSink());
  const send = async (options: { smtpUrl?: string; traceId?: string; sendMs?: number } = {}) => {
    const { smtpUrl = sink.url, traceId, sendMs = 5000 } = options;
    const mailer = createMailer({ smtpUrl, from, sendMs });
    try {
      return await mailer.send({ id: uuid(), to: 'ann@example.com', letter, traceId });
    } finally {
      mailer.close();
    }
  };

  it('sends to one recipient, without header injection', async () => {
    assert.deepEqual(await send({ traceId: 'a\r\nBcc: eve@example.com' }), { status: 'sent' });
    const mail = sink.mails.at(-1);
    assert.deepEqual(mail?.to, ['ann@example.com']);
    assert.doesNotMatch(mail?.raw ?? '', /^(Bcc|X-Trace-Id)/im);
    assert.match(mail?.raw ?? '', /^From: .*<no-reply@gatehouse.example>\r$/m);
    assert.match(mail?.raw ?? '', /^To: ann@example.com\r$/m);
  });

  it('embeds images inline, not as attachments', async () => {
    const mailer = createMailer({ smtpUrl: sink.url, from });
    const written = testMailWriter()('new-device', sampleMails['new-device']);
    await mailer.send({ id: uuid(), to: 'ann@example.com', letter: written });
    mailer.close();
    const { raw = '' } = sink.mails.at(-1) ?? {};
    assert.ok(raw.length < 12 * 1024, `${raw.length} bytes`);
    const types = [...raw.matchAll(/^Content-Type: ([^;\r]+)/gm)].map(([, type]) => type);
    const html = ['multipart/related', 'text/html', 'image/png', 'image/png'];
    assert.deepEqual(types, ['multipart/alternative', 'text/plain', ...html]);
    for (const { cid, png } of written.pictures) {
      const part =
        raw.split(/^--\S+\r$/m).find((one) => one.toLowerCase().includes(`content-id: <${cid}>`)) ?? '';
      assert.match(part, /^Content-Disposition: inline/m);
      assert.ok(part.replaceAll('\r\n', '').includes(png.toString('base64')));
    }
  });

  it('classifies a server as unreachable that is down, hangs up or speaks no TLS', async () => {
    assert.equal((await send({ smtpUrl: 'smtp://127.0.0.1:1' })).status, 'unreachable');
    for (const greeting of ['', '220 hi\r\n421 closing\r\n']) {
      const server = createServer((socket) => socket.on('error', () => {}).end(greeting));
      const port = await listen(server, { host: '127.0.0.1', port: 0 });
      assert.equal((await send({ smtpUrl: `smtp://127.0.0.1:${port}` })).status, 'unreachable', greeting);
      server.close();
    }
    assert.equal((await send({ smtpUrl: `smtps://127.0.0.1:${sink.port}` })).status, 'unreachable');
  });

  it('times out on a server that never ends its reply', async () => {
    sink.answerToMail = () => new Promise(() => {});
    assert.equal((await send({ sendMs: 300 })).status, 'deferred');
    sink.answerToMail = () => undefined;
  });
});
