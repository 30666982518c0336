import assert from 'node:assert/strict';
import { createAccount } from '@gatehouse/accounts';
import { codeIn, newAccount, othersOf, readAudit, servicesOf, someEmail } from '@gatehouse/accounts/testing';
import { eventually } from '@gatehouse/runtime/testing';
import { claimsIn } from '../oauth/testing.ts';
import { BY_SYSTEM, PASSWORD, someAddress, startCore, type TestCore } from './index.ts';

export { atOnce } from '@gatehouse/accounts/testing';
export { problem } from './index.ts';

type Test = ReturnType<TestCore['post']>;
type Settings = Parameters<typeof startCore>[0];
type Own = Parameters<typeof startCore>[2];

const service = servicesOf(() => startCore());

/** People, and Core for them; without settings the Core that files share (`servicesOf`). */
export function cast(settings?: Settings, own?: Own) {
  const another = othersOf((changes: Settings = {}, changesOfCore?: Own) =>
    startCore(changes, core(), changesOfCore),
  );
  const core = service(settings === undefined ? undefined : () => startCore(settings, undefined, own));
  const member = async (overrides?: Parameters<typeof newAccount>[1]): Promise<Person> => {
    const { id, email } = await newAccount(core().app, overrides);
    return person(core, email, { id });
  };
  return {
    core,
    another,
    /** Somebody without an account. */
    someone: (email = someEmail()) => person(core, email),
    /** Somebody with a verified account and the password of all tests, as if they had registered. */
    member,
    /** Somebody for whom an administrator has made an account, by default without a password. */
    created: async (overrides: Partial<Parameters<typeof createAccount>[1]> = {}): Promise<Person> => {
      const ann = person(core, someEmail());
      const usual = { displayName: 'Ann', locale: undefined, role: 'User', isMigrated: false } as const;
      const given = { email: ann.email, password: undefined, ...usual, ...overrides };
      assert.ok(await createAccount(core().app, given, BY_SYSTEM));
      return ann;
    },
    memberWithSession: async () => {
      const ann = await member();
      return [ann, await ann.session()] as const;
    },
  };
}

export type Person = ReturnType<typeof person>;
export type Session = ReturnType<typeof sessionOf>;

interface Tokens {
  Token: string;
  RefreshToken: string;
  ExpirationSeconds: number;
}

/**
 * What somebody does with their account. Each request is sent from an address of its own, unless they stay at one, so
 * that failures do not count as brute force. What a test may expect to be refused is a request, all else its result.
 */
function person(
  core: () => TestCore,
  email: string,
  known: { id?: string | undefined; address?: string } = {},
) {
  const post = (path: string, body: object = {}): Test =>
    core()
      .http.post(path)
      .set('x-forwarded-for', known.address ?? someAddress())
      .send(body);
  const mails = () => core().app.mailsTo(email);
  const id = async (): Promise<string> => {
    const sql = 'select id from account where email = ?';
    known.id ??= (await core().sql<{ id: string }>(sql, [email]))[0]?.id;
    return known.id ?? assert.fail(`${email} has no account`);
  };
  const logsIn = (password = PASSWORD, more: object = {}) =>
    post('/account/login', { Username: email, Password: password, ...more });
  return {
    email,
    id,
    post,
    mails,
    /** The same person, who uses another process. */
    at: (other: TestCore) => person(() => other, email, known),
    /** The same person, who stays at an address. */
    from: (home: string) => person(core, email, { ...known, address: home }),
    registers: (password = PASSWORD, more: object = {}) =>
      post('/account/register', { Email: email, Password: password, ...more }),
    verifies: (code: unknown, more: object = {}) =>
      post('/account/verify', { Email: email, Code: code, ...more }),
    logsIn,
    session: async (more: object = {}): Promise<Session> =>
      sessionOf(core, (await logsIn(PASSWORD, more).expect(200)).body as Tokens, known.address), // checked by tests of the document
    /** Requests a code for a new password, and waits for its mail. */
    forgets: async (): Promise<string> => {
      const { length } = await mails();
      await post('/account/forgot-password', { Email: email }).expect(200, {});
      return codeIn(await eventually(async () => ((await mails()).length > length ? mails() : false)));
    },
    resets: (code: unknown, password: string, more: object = {}) =>
      post('/account/reset-password', { Email: email, Code: code, Password: password, ...more }),
    mailTypes: async () => (await mails()).map(({ type }) => type),
    codes: async (): Promise<string[]> =>
      (await mails()).flatMap(({ content }) => ('Code' in content ? [content.Code] : [])),
    row: async <Row extends object>(columns: string) =>
      (await core().sql<Row>(`select ${columns} from account where id = ?`, [await id()]))[0],
    /** Changes the row of their account: `is_disabled = true`. */
    set: async (sets: string) => core().sql(`update account set ${sets} where id = ?`, [await id()]),
    sessions: async <Row extends object>(columns: string, condition = 'true'): Promise<Row[]> => {
      const sql = `select ${columns} from user_session where account_id = ? and ${condition} order by id`;
      return core().sql<Row>(sql, [await id()]);
    },
    /** The audit of their account, oldest first, and the whole audit as text. */
    audit: async () => {
      const { entries, text } = await readAudit(core().app, { targetId: await id() });
      return { entries: entries.toReversed(), text };
    },
  };
}

function sessionOf(core: () => TestCore, tokens: Tokens, address?: string) {
  const call = (method: 'get' | 'post' | 'delete', path: string): Test =>
    core()
      .http[method](path)
      .set({ 'x-forwarded-for': address ?? someAddress(), ...core().bearer(tokens.Token) });
  const post = (path: string, body: object = {}) => call('post', path).send(body);
  const id = String(claimsIn(tokens.Token)['sid']);
  return {
    ...tokens,
    id,
    post,
    get: (path: string) => call('get', path),
    delete: (path: string, body: object = {}) => call('delete', path).send(body),
    at: (other: TestCore) => sessionOf(() => other, tokens, address),
    with: (others: Tokens) => sessionOf(core, others, address),
    pings: () => core().pingWith(tokens.Token),
    /** A request of another service, which needs a session that is active. */
    isChecked: () => call('get', '/ping/auth'),
    refreshes: (on = core()) => refresh(on, tokens.RefreshToken),
    next: async (on = core()): Promise<Tokens> =>
      (await refresh(on, tokens.RefreshToken).expect(200)).body as Tokens, // as of a login
    logsOut: () => post('/account/logout'),
    /** Ends the time in which its replaced refresh tokens are still accepted. */
    letGracePass: () => {
      const sql = `update user_session
         set refresh_overtaken_at = array(select unnest(refresh_overtaken_at) - interval '31 seconds') where id = ?`;
      return core().sql(sql, [id]);
    },
  };
}

export function refresh(core: TestCore, RefreshToken: string): Test {
  return core.post('/account/refresh-token', { RefreshToken });
}

/** Until all requests for mails that were acknowledged are done. */
export function areDone({ sql }: TestCore): Promise<true> {
  return eventually(async () => (await sql('select id from reset_request')).length === 0, 15);
}

export function pingsOf(sessions: readonly Session[]): Promise<number[]> {
  return Promise.all(sessions.map((session) => session.pings()));
}

export function countOf(status: number, answers: readonly { status: number }[]): number {
  return answers.filter((answer) => answer.status === status).length;
}
