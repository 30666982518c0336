import assert from 'node:assert/strict';
import { redact, redactText } from './redact.ts';

const TOKEN = `-${'aB3_'.repeat(21)}-`;
const JWT = 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJlLWZvci10ZXN0';
const HASH = `$2b$10$${'N9qo8uLOickgx2ZMRZoMye.IjdQvOQ5bCu/GrmxRF'.padEnd(53, 'x')}`;

describe('redact', () => {
  const NAMES = 'password NewPassword TOKEN_SECRET Code authorization set-cookie api_key private-key email';
  for (const name of NAMES.split(' '))
    it(`hides fields named ${name}`, () => {
      assert.equal(redact(name, 'plain'), '[redacted]');
      const request = redact('request', { body: { [name]: { is: ['plain'] } } });
      assert.deepEqual(request, { body: { [name]: '[redacted]' } });
    });

  for (const [what, secret] of [
    ['a JWT', JWT],
    ['a refresh token', TOKEN],
    ['a static API token', 'sat_4fGh-8kLm_x'],
    ['a bcrypt hash', HASH],
    ['a hash by argon2', '$argon2id$v=19$m=65536,t=3,p=4$c2FsdHNhbHQ$aGFzaGhhc2hoYXNoaGFzaA+/'],
    ['a hash as it is kept', '$gh$27$argon2id,19,65536,3,4,32$c2FsdHNhbHQ$aGFzaGhhc2hoYXNoaGFzaA-_'],
    ['a wrapped hash', `$gh$10$md5-prefix$c2FsdA$2b$10$${'a'.repeat(22)}$${'b'.repeat(31)}`],
    ['a hash by PBKDF2', '$pbkdf2-sha256$29000$c2FsdHNhbHQ$aGFzaGhhc2hoYXNoaGFzaA'],
    ['a hash by scrypt', '$scrypt$ln=16,r=8,p=1$c2FsdHNhbHQ$aGFzaGhhc2hoYXNoaGFzaA'],
    ['a bearer token of any shape', 'Bearer abc123'],
    ['an email', 'ann.o+tag@example.com'],
    ['an email of a bare host', 'ann@localhost'],
    ['an email of a host that is no ASCII', 'ann@bücher.example'],
    ['an email in a query', 'ann%40example.com'],
  ] as const)
    it(`hides ${what} everywhere`, () => {
      const rest = secret.replace('Bearer ', '');
      for (const text of [secret, `saw "${secret}" twice: ${secret}`, `a=${secret}&b`, `\n${secret}\n`]) {
        const shown = redactText(text);
        assert.ok(shown.includes('[redacted]') && !shown.includes(rest), shown);
      }
    });

  it('hides the password in a URL and shows the rest', () => {
    const shown = redactText('to amqp://guest:hush@queue:5672/%2f');
    assert.equal(shown, 'to amqp://guest:[redacted]@queue:5672/%2f');
    assert.equal(redactText('redis://:hush@cache:6379'), 'redis://:[redacted]@cache:6379');
    assert.deepEqual(redact('url', new URL('redis://u:hush@cache:6379')), 'redis://u:[redacted]@cache:6379');
  });

  for (const text of [
    '/account/ping',
    '0190a1b2-0000-7000-8000-0000000000aa',
    '4bf92f3577b34da6a3ce929d0e0e4736',
    'at handle (/app/node_modules/.pnpm/express@5.3.0/node_modules/express/lib/express.js:1:2)',
    'at file:///app/node_modules/.pnpm/knex@3.3.0_pg@8.23.1/node_modules/@types/knex.js',
    'connect ECONNREFUSED 127.0.0.1:5432',
  ])
    it(`shows ${text}`, () => assert.equal(redactText(text), text));

  it('redacts nested values without changing the original', () => {
    const er = { count: 2, ok: true, none: null };
    const facts = { list: [{ note: `for ${JWT}` }], deep: { er: { ...er, password: 'x' } } };
    const before = structuredClone(facts);
    const deep = { er: { ...er, password: '[redacted]' } };
    assert.deepEqual(redact('facts', facts), { list: [{ note: 'for [redacted]' }], deep });
    assert.deepEqual(facts, before);
  });

  it('shows an error with its causes, without the fields that a driver adds', () => {
    const cause = Object.assign(new Error('key of ann@example.com taken'), { code: '23505', detail: 'hush' });
    const error = new Error('not saved', { cause: new AggregateError([cause], 'all failed') });
    const shown = redact('error', error) as { message: string; stack: string; cause: { errors: unknown[] } };
    assert.equal(shown.message, 'not saved');
    assert.ok(shown.stack.startsWith('Error: not saved\n    at '));
    const first = { ...(shown.cause.errors[0] as object), stack: '' };
    assert.deepEqual(first, { name: 'Error', message: 'key of [redacted] taken', errno: '23505', stack: '' });
    assert.ok(!JSON.stringify(shown).includes('hush'));
  });

  it('handles circular references and values that JSON cannot represent', () => {
    const error = new Error('round');
    error.cause = error;
    const circle: Record<string, unknown> = { big: 12n, bytes: Buffer.from('hush'), error };
    circle['self'] = circle;
    const text = JSON.stringify(redact('circle', circle));
    assert.ok(text.includes('"[deep]"') && text.includes('"big":"12","bytes":"[4 bytes]"'), text);
  });

  it('takes linear time for any text', () => {
    for (const part of ['eyJaaaaaaaa.', 'a.', 'a@', '://a:', 'sat_', '$2b$10$', '-', 'a%40b.']) {
      const text = `@${part.repeat(100_000 / part.length)}`;
      const start = performance.now();
      redactText(text);
      const ms = performance.now() - start;
      assert.ok(ms < 1000, `${part}: ${ms} ms for 100,000 characters`);
    }
  });
});
