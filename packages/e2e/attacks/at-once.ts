import assert from 'node:assert/strict';
import { query } from '@gatehouse/db';
import { PASSWORD } from '../src/testing/index.ts';
import type { HttpAnswer } from './raw-request.ts';
import type { Target } from './target.ts';

const CALLS = 120;

/** The same call by many clients at once: it takes effect once, and every client gets the right result. */
export function concurrentCallsTakeEffectOnce(given: () => Target): void {
  let target: Target;
  before(() => {
    target = given();
  });

  /** The results of many calls: how often each response occurs. A busy service may refuse (docs/errors.md). */
  const outcomes = async (call: (at: number) => Promise<HttpAnswer>) => {
    const answers = await Promise.all(Array.from({ length: CALLS }, (_, at) => call(at)));
    const counts: Record<string, number> = {};
    for (const { status, json, headers, text } of answers) {
      const isBusy = status === 429 || status === 503;
      assert.ok(status < 500 || isBusy, text);
      assert.ok(!isBusy || Number(headers['retry-after']) > 0, text);
      const name = isBusy ? 'busy' : [status, json['code']].filter(Boolean).join(' ');
      counts[name] = (counts[name] ?? 0) + 1;
    }
    return { answers, counts, busy: counts['busy'] ?? 0 };
  };
  const rows = (sql: string, email: string) => query<Record<string, unknown>>(target.db, sql, [email]);
  const isIn = async (email: string, password: string): Promise<boolean> => {
    const body = { Username: email, Password: password };
    const { status, text } = await target.posts('core', '/account/login', body);
    assert.ok(status === 200 || status === 404, text);
    return status === 200;
  };

  it('register one account, and neither of two passwords is valid', async () => {
    const email = target.someEmail();
    const passwords = [`${PASSWORD} one`, `${PASSWORD} two`, `${PASSWORD} three`];
    const { counts, busy } = await outcomes((at) =>
      target.posts('core', '/account/register', { Email: email, Password: passwords[at % passwords.length] }),
    );
    assert.equal(counts['200'], CALLS - busy);
    assert.equal((await rows('select id from account where email = ?', email)).length, 1);

    const Code = await target.mailedCode(email);
    const verified = await outcomes(() => target.posts('core', '/account/verify', { Email: email, Code }));
    assert.deepEqual(
      [verified.counts['200'], verified.counts['400 invalid_code']],
      [1, CALLS - 1 - verified.busy],
    );
    for (const password of passwords) assert.equal(await isIn(email, password), false);
  });

  it('reset a password to one of many, use up the code once, and end every session', async () => {
    const { email } = await target.newPerson();
    const { Token } = await target.logIn(email);
    await target.posts('core', '/account/forgot-password', { Email: email });
    const Code = await target.mailedCode(email);
    const passwordOf = (at: number) => `${PASSWORD} number ${at}`;
    const { answers, counts, busy } = await outcomes((at) =>
      target.posts('core', '/account/reset-password', { Email: email, Code, Password: passwordOf(at) }),
    );
    assert.deepEqual([counts['200'], counts['400 invalid_code']], [1, CALLS - 1 - busy]);
    const winner = answers.findIndex(({ status }) => status === 200);
    assert.equal(await isIn(email, passwordOf(winner)), true);
    assert.equal(await isIn(email, passwordOf((winner + 1) % CALLS)), false);
    assert.equal(await isIn(email, PASSWORD), false);
    assert.equal((await target.to('core', { method: 'GET', path: '/ping/auth', token: Token })).status, 401);
  });

  it('refresh one token to one successor, without ending the session', async () => {
    const { email } = await target.newPerson();
    const { RefreshToken } = await target.logIn(email);
    const refresh = (token: string) =>
      outcomes(() => target.posts('core', '/account/refresh-token', { RefreshToken: token }));
    const successorsIn = ({ answers }: { answers: HttpAnswer[] }) =>
      new Set(answers.filter(({ status }) => status === 200).map(({ json }) => String(json['RefreshToken'])));
    const first = await refresh(RefreshToken);
    const [next = '', ...others] = successorsIn(first);
    assert.deepEqual([first.counts['200'], others], [CALLS - first.busy, []]);
    // Slower tabs still send the older token, faster ones the new token.
    const both = await outcomes((at) =>
      target.posts('core', '/account/refresh-token', { RefreshToken: at % 2 === 0 ? RefreshToken : next }),
    );
    assert.equal(both.counts['200'], CALLS - both.busy, JSON.stringify(both.counts));
    const sql = `select s.status from user_session s join account a on a.id = s.account_id where a.email = ?`;
    assert.deepEqual(await rows(sql, email), [{ status: 1 }]);
  });

  const invite = (email: string): Promise<HttpAnswer> => {
    const { contentDefinitionId: ContentDefinitionId } = target.stack.facts.seed;
    const body = { Emails: [email], ContentDefinitionId };
    return target.posts('portal', '/account/invite-user', body, target.adminToken);
  };

  it('invite one guest once', async () => {
    const email = target.someEmail();
    const { counts, busy } = await outcomes(() => invite(email));
    assert.equal(counts['200'], CALLS - busy);
    const pending = `select i.id from invitation i join account a on a.id = i.account_id where a.email = ?`;
    assert.equal((await rows(pending, email)).length, 1);
  });

  it('accept an invitation once', async () => {
    const email = target.someEmail();
    assert.equal((await invite(email)).status, 200);
    const InvitationToken = await target.mailedInvitation(email);
    const passwordOf = (at: number) => `${PASSWORD} of guest ${at}`;
    const { answers, counts, busy } = await outcomes((at) =>
      target.posts('portal', '/account/register-guest', {
        ...{ InvitationToken, DisplayName: `Gus ${at}` },
        Password: passwordOf(at),
      }),
    );
    assert.deepEqual([counts['200'], counts['400 invalid_invitation']], [1, CALLS - 1 - busy]);
    const winner = answers.findIndex(({ status }) => status === 200);
    assert.equal(await isIn(email, passwordOf(winner)), true);
    assert.equal(await isIn(email, passwordOf((winner + 1) % CALLS)), false);
  });

  it('log in with one session left', async () => {
    const { email } = await target.newPerson();
    const { counts, busy } = await outcomes(() =>
      target.posts('core', '/account/login', { Username: email, Password: PASSWORD }),
    );
    assert.equal(counts['200'], CALLS - busy, JSON.stringify(counts));
    const sql = `select s.id from user_session s join account a on a.id = s.account_id where a.email = ? and s.status = 1`;
    assert.equal((await rows(sql, email)).length, 1);
  });
}
