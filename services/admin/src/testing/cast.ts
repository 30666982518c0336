import assert from 'node:assert/strict';
import { othersOf, PASSWORD, peopleOf, servicesOf, someAddress } from '@gatehouse/accounts/testing';
import type { Who } from '@gatehouse/http/testing';
import { v7 as newId } from 'uuid';
import { startAdmin, type TestAdmin } from './index.ts';

export { problem } from '@gatehouse/http/testing';

type Settings = Parameters<typeof startAdmin>[0];
type Own = Parameters<typeof startAdmin>[2];

const service = servicesOf(() => startAdmin());

/** Admin, an administrator (`boss`) and people; without settings the Admin that files share (`servicesOf`). */
export function cast(settings?: Settings, own?: Own) {
  const another = othersOf((changes: Settings = {}, ownChanges?: Own) =>
    startAdmin(changes, admin(), ownChanges),
  );
  const admin = service(settings === undefined ? undefined : () => startAdmin(settings, undefined, own));
  return { ...castOf(admin), another };
}

/** People of an Admin, and an administrator of it (`boss`). */
export function castOf(admin: () => TestAdmin) {
  const people = peopleOf(() => admin().app);
  const administrator = async () => {
    const person = await people.member({ role: 'Admin' });
    const session = await person.logsIn();
    const calls = callsOf((method, path, body) => admin().call(method, path, session, body));
    return { ...person, ...session, ...calls };
  };
  const signIn = (body: object, headers: Record<string, string> = SAME_ORIGIN) =>
    admin()
      .http.post('/console/session')
      .set({ 'x-forwarded-for': someAddress(), ...headers })
      .send(body);
  const boss = {} as Awaited<ReturnType<typeof administrator>>; // filled before the tests
  before(async () => void Object.assign(boss, await administrator()));
  return {
    ...people,
    admin,
    app: () => admin().app,
    http: () => admin().http,
    call: (...given: Parameters<TestAdmin['call']>) => admin().call(...given),
    get: (path: string, who?: Who) => admin().get(path, who),
    post: (path: string, who: Who, body?: object) => admin().post(path, who, body),
    administrator,
    signIn,
    /** The console of somebody who has logged in there, in a browser. */
    openConsole: async (email: string, more: object = {}) => {
      const answer = await signIn({ Username: email, Password: PASSWORD, ...more }).expect(200);
      return { ...inBrowser(admin, cookieOf(answer)), session: answer.body };
    },
    boss,
    /** A guest who has not accepted an invitation yet, and the invitation’s id. */
    invited: async (
      content: string,
      { by = null, hours = 1 }: { by?: string | null; hours?: number } = {},
    ) => {
      const [guest, invitationId] = [await people.member({ role: 'Guest' }), newId()];
      await guest.set(`signup = 'invitation', password_hash = null, password_scheme = null`);
      await people.sql(INVITE, {
        id: invitationId,
        guest: guest.id,
        content,
        by,
        hours,
        hash: Buffer.from(invitationId),
      });
      return { ...guest, invitationId };
    },
  };
}

const INVITE = `insert into invitation (
    id, account_id, content_definition_id, token_hash, invited_by, invited_email, expires_at)
  values (:id, :guest, :content, :hash, :by, '', now() + make_interval(hours => :hours))`;

export const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' };

export const cookieLine = (answer: { headers: Record<string, unknown> }): string =>
  String((answer.headers['set-cookie'] as string[] | undefined)?.[0]);

export const cookieOf = (answer: { headers: Record<string, unknown> }): string =>
  cookieLine(answer).split(';')[0] ?? '';

function inBrowser(admin: () => TestAdmin, cookie: string) {
  const headers = { ...SAME_ORIGIN, cookie };
  const calls = callsOf((method, path, body) =>
    admin()
      .http[method](path)
      .set({ ...headers, 'x-forwarded-for': someAddress() })
      .send(body),
  );
  return {
    ...calls,
    headers,
    confirm: (body: object = { Password: PASSWORD }) => calls.post('/console/session/confirm', body),
  };
}

export type Browser = ReturnType<typeof inBrowser>;

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

function callsOf(call: (method: Method, path: string, body?: object) => ReturnType<TestAdmin['call']>) {
  const get = (path: string) => call('get', path);
  const read = async (path: string) => (await get(path).expect(200)).body;
  return {
    get,
    read,
    ids: async (path: string): Promise<string[]> => (await read(path)).Items.map(({ Id }: Item) => Id),
    post: (path: string, body: object = {}) => call('post', path, body),
    patch: (path: string, body: object) => call('patch', path, body),
    put: (path: string, body: object) => call('put', path, body),
    delete: (path: string, body?: object) => call('delete', path, body),
    imports: (lines: string | readonly (object | string)[], search = '') =>
      call('post', `/admin/account/import${search}`)
        .set('content-type', 'application/x-ndjson')
        .serialize((value: unknown) => value as string)
        .send(typeof lines === 'string' ? lines : lines.map(lineOf).join('\n')),
    /** The ids of a list, page by page; `between` runs after the first page. */
    pages: async (path: string, between?: () => Promise<unknown>): Promise<string[][]> => {
      const pages: string[][] = [];
      let cursor: string | undefined = '';
      while (cursor !== undefined) {
        const page = await read(`${path}${cursor}`);
        pages.push(page.Items.map(({ Id }: Item) => Id));
        if (pages.length === 1) await between?.();
        cursor = page.NextCursor === undefined ? undefined : `&cursor=${page.NextCursor}`;
      }
      return pages;
    },
  };
}

const lineOf = (line: object | string) => (typeof line === 'string' ? line : JSON.stringify(line));

interface Item {
  Id: string;
}

/** Checks that each of these requests is refused, and which field is named. */
export async function refusesEach<Given>(
  send: (given: Given) => ReturnType<TestAdmin['post']>,
  cases: readonly (readonly [given: Given, pointer: string])[],
): Promise<void> {
  for (const [given, pointer] of cases) {
    const { body } = await send(given).expect(400);
    assert.equal(body.errors[0].pointer, pointer, JSON.stringify({ given }).slice(0, 200));
  }
}
