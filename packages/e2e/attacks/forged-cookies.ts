import assert from 'node:assert/strict';
import { PASSWORD } from '../src/testing/index.ts';
import type { HttpAnswer } from './raw-request.ts';
import type { ServiceName, Target } from './target.ts';

const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' };
const NAME = 'gatehouse-pages';
/** A path of each service that accepts the cookie of the account pages. */
const OPENED = [
  ['core', '/ping/auth'],
  ['portal', '/account/profile'],
] as const satisfies (readonly [ServiceName, string])[];

/** Cookies that each differ from a genuine one in one way, and the genuine one where it does not belong. */
export function forgedCookiesAreRefused(given: () => Target): void {
  let target: Target;
  let genuine: string;
  let others: string;
  before(async () => {
    target = given();
    [genuine, others] = await Promise.all([newCookie(), newCookie()]);
  });

  const newCookie = async (): Promise<string> => {
    const { email } = await target.newPerson();
    const { headers } = await target.to('core', {
      method: 'POST',
      path: '/account/login',
      headers: SAME_ORIGIN,
      body: { Username: email, Password: PASSWORD, Delivery: 'Cookie' },
    });
    const [, value] = /^gatehouse-pages=([^;]+);/.exec(headers['set-cookie']?.[0] ?? '') ?? [];
    return value ?? assert.fail('there is no cookie');
  };
  const show = (
    value: string,
    [service, path]: readonly [ServiceName, string],
    headers: Record<string, string> = SAME_ORIGIN,
  ): Promise<HttpAnswer> =>
    target.to(service, { method: 'GET', path, headers: { cookie: `${NAME}=${value}`, ...headers } });

  it('refuses modified cookies', async () => {
    const forged = forgeriesOf(genuine, others);
    assert.ok(forged.length > 100, `${forged.length} forgeries`);
    for (const opened of OPENED) {
      assert.equal((await show(genuine, opened)).status, 200, 'what is genuine opens it');
      for (const value of forged) {
        const { status, json } = await show(value, opened);
        assert.equal(status, 401, value);
        assert.match(String(json['code']), /^token_(invalid|missing)$/, value);
      }
    }
  });

  it('refuses a genuine cookie in a request of another site', async () => {
    for (const opened of OPENED) {
      for (const site of ['same-site', 'cross-site', 'none', 'same-origin,same-origin']) {
        const { status, json } = await show(genuine, opened, { 'sec-fetch-site': site });
        assert.deepEqual([status, json['code']], [403, 'cross_site'], site);
      }
      const { json } = await show(genuine, opened, {});
      assert.equal(json['code'], 'cross_site', 'nobody says where it comes from');
    }
  });

  it('does not accept a cookie as a token, or for administration', async () => {
    const [core] = OPENED;
    const asToken = await target.to(core[0], { method: 'GET', path: core[1], token: genuine });
    assert.equal(asToken.status, 401);
    for (const name of [NAME, 'gatehouse-console', '__Host-gatehouse-console', '__Host-gatehouse']) {
      const headers = { cookie: `${name}=${genuine}`, ...SAME_ORIGIN };
      const { status } = await target.to('admin', { method: 'GET', path: '/admin/account', headers });
      assert.equal(status, 401, name);
    }
  });
}

/** Each character changed; parts removed, replaced by those of another session, extended or encoded differently. */
function forgeriesOf(genuine: string, others: string): string[] {
  const changed = Array.from(
    genuine,
    (sign, at) => genuine.slice(0, at) + (sign === 'A' ? 'B' : 'A') + genuine.slice(at + 1),
  );
  // The last character of a base64url text may contain unused bits, so a different character may have the same meaning.
  changed.pop();
  const [parts, otherParts] = [genuine.split('.'), others.split('.')];
  const swapped = [2, 3, 4, 5].map((at) => parts.with(at, otherParts[at] ?? '').join('.'));
  const cut = parts.map((_, at) => parts.filter((_part, index) => index !== at).join('.'));
  return [
    ...changed,
    ...swapped,
    ...cut,
    ...parts.map((_, at) => parts.with(at, '').join('.')),
    `${genuine}.x`,
    `.${genuine}`,
    parts.with(1, 'console').join('.'),
    parts.with(0, '1').join('.'),
    [...parts.slice(0, 4), 'handed-over', ...parts.slice(4)].join('.'),
    parts.with(4, parts[5] ?? '').join('.'),
    parts.with(5, `${parts[5]}=`).join('.'),
    genuine.toUpperCase(),
    genuine.replaceAll('.', '%2E'),
    '',
    '....',
  ];
}
