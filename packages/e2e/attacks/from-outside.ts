import assert from 'node:assert/strict';
import { exchangeRaw } from '@gatehouse/http/testing';
import { eventually } from '@gatehouse/runtime/testing';
import { PASSWORD } from '../src/testing/index.ts';
import { someAddress } from './raw-request.ts';
import { FAILURES_FREE, type Target } from './target.ts';

const EVIL = 'evil.example';

/** Headers that claim that the request was sent to another host. */
const CLAIMS: Record<string, string>[] = [
  { host: EVIL },
  { host: `${EVIL}:443` },
  { 'x-forwarded-host': EVIL },
  { forwarded: `host=${EVIL};proto=https` },
  { 'x-host': EVIL, 'x-original-host': EVIL, 'x-forwarded-server': EVIL, 'x-http-host-override': EVIL },
  {
    'x-forwarded-proto': `https://${EVIL}`,
    'x-forwarded-prefix': `//${EVIL}`,
    'x-original-url': `//${EVIL}/`,
  },
  { origin: `https://${EVIL}`, referer: `https://${EVIL}/` },
];

/** Tests what a stranger can do to the owner of an account, by mail, by guessing and through the log. */
export function ownersAreSafeFromStrangers(given: () => Target): void {
  let target: Target;
  before(() => {
    target = given();
  });

  it('mails link only to the configured address, whatever Host header a request has', async () => {
    const { baseUrl, seed } = target.stack.facts;
    const emails: string[] = [];
    for (const claims of CLAIMS) {
      const email = target.someEmail();
      const invitation = { Emails: [email], ContentDefinitionId: seed.contentDefinitionId };
      const invited = {
        method: 'POST',
        path: '/account/invite-user',
        body: invitation,
        token: target.adminToken,
        headers: claims,
      };
      assert.equal((await target.to('portal', invited)).status, 200);
      const registered = target.someEmail();
      const registration = { Email: registered, Password: PASSWORD };
      await target.to('core', {
        method: 'POST',
        path: '/account/register',
        body: registration,
        headers: claims,
      });
      emails.push(email, registered);
    }
    const absolute = target.someEmail();
    const body = JSON.stringify({ Email: absolute, Password: PASSWORD });
    const head = `POST http://${EVIL}/account/register HTTP/1.1\r\nHost: ${EVIL}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
    await exchangeRaw(Number(new URL(baseUrl).port), `${head}${body}`);
    for (const email of emails) {
      const [mail] = await eventually(async () => {
        const mails = await target.mailsTo(email);
        return mails.length > 0 && mails;
      }, 20);
      assert.ok(!JSON.stringify(mail).includes(EVIL), JSON.stringify(mail));
      for (const [link] of `${mail?.text} ${mail?.html}`.matchAll(/https?:\/\/[^\s"'<]+/g)) {
        assert.ok(link.startsWith(`${target.stack.facts.pagesUrl}/`), link);
      }
    }
    for (const mail of await target.mailsTo(absolute)) assert.ok(!JSON.stringify(mail).includes(EVIL));
  });

  it('distributed guesses are counted together, delay the owner and never lock them out', async () => {
    const { email } = await target.newPerson();
    const spellings = [email, email.toUpperCase(), ` ${email} `, email.replace('@', '＠')];
    const guess = (at: number) => {
      const body = { Username: spellings[at % spellings.length], Password: 'a wrong password' };
      return at % 10 === 0
        ? target.post('/account/login', body)
        : target.to('core', {
            method: 'POST',
            path: '/account/login',
            body,
            headers: { 'x-forwarded-for': someAddress() },
          });
    };
    const right = () => target.posts('core', '/account/login', { Username: email, Password: PASSWORD });
    // A guess counts before it is checked, so that on a busy machine a login may come only after the wait. Each try
    // guesses once more than the one before, which doubles the wait.
    let waitMs = 500;
    const slowed = await eventually(async () => {
      waitMs *= 2;
      let lastAt = 0;
      for (let at = 0; at < FAILURES_FREE + Math.log2(waitMs / 1000); at += 1) {
        await eventually(async () => {
          lastAt = Date.now();
          const { status } = await guess(at);
          assert.ok(status === 404 || (status === 429 && at >= FAILURES_FREE), `guess ${at}: ${status}`);
          return status === 404;
        }, 30);
      }
      const answer = await right();
      return (answer.status !== 200 || Date.now() - lastAt < waitMs) && answer;
    }, 90);
    assert.deepEqual([slowed.status, slowed.json['code']], [429, 'too_many_requests']);
    assert.ok(Number(slowed.headers['retry-after']) <= waitMs / 1000 + 1, slowed.headers['retry-after']);
    const token = await eventually(async () => {
      const { json } = await right();
      return typeof json['Token'] === 'string' && json['Token'];
    }, 30);
    // A success resets the failures.
    for (let at = 1; at < 5; at += 1) assert.equal((await guess(at)).status, 404);
    assert.equal((await target.to('core', { method: 'GET', path: '/ping/auth', token })).status, 200);
    assert.equal((await right()).status, 200);
  });

  it('nobody can inject a line into a log', async () => {
    const forged = '{"level":"error","message":"FORGED"}';
    const { email } = await target.newPerson();
    for (const text of [
      `x\r\n${forged}`,
      `x\n${forged}`,
      `x\u2028${forged}`,
      `x\u0085${forged}`,
      `","message":"FORGED","x":"`,
    ]) {
      const login = { Username: email, Password: PASSWORD, DeviceName: text };
      const { status } = await target.posts('core', '/account/login', login);
      assert.equal(status, text.startsWith('x') ? 400 : 200);
      await target.posts('core', '/account/register', {
        Email: text,
        Password: PASSWORD,
        DisplayName: text,
        Locale: text,
      });
      const headers = {
        'user-agent': text.replaceAll(/[\r\n\u2028]/g, '%0a'),
        traceparent: `00-${text.slice(-20)}-01`,
      };
      await target.to('core', {
        method: 'GET',
        path: `/person/${encodeURIComponent(text)}?${encodeURIComponent(text)}`,
        headers,
      });
      await target.call('GET', `/nowhere/${encodeURIComponent(text)}`);
    }
    for (const [file, text] of target.logs()) {
      if (!/(core|portal|admin|mail-worker|gateway)\.log$/.test(file)) continue;
      for (const line of text.trimEnd().split('\n')) {
        const { message } = JSON.parse(line) as { message?: string };
        assert.ok(message?.includes('FORGED') !== true, line);
      }
    }
  });
}
