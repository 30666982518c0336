import { ALL_ROUTES } from '@gatehouse/codegen';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { logIn, newAccount, someAddress } from '@gatehouse/accounts/testing';
import { exchangeRaw } from '@gatehouse/http/testing';
import { during, shuffled, turnsOf, type Turns } from '@gatehouse/runtime/testing';
import { startSso } from '../../../../services/admin/src/sso/testing/browser.ts';
import { createFixtures } from '../../../e2e/src/requests/objects.ts';
import { requestFor } from '../../../e2e/src/requests/request-for.ts';
import { startServices } from '../../../e2e/src/requests/services.ts';
import { filledBody, filledCredentials, filledHeaders, filledTargets } from './filled-requests.ts';
import type { FilledRequest, Valid } from './filled-requests.ts';

type Api = (typeof ALL_ROUTES)[number]['api'];

/** The longest that one request may keep a service from all others. */
const TURN_MS = 20;
/** Less than this says nothing about how the time grows with the size. */
const GROWTH_FROM_MS = 8;
const TRIES = 6;
/** Before a request counts as a stall. */
const TRIES_MAX = 20;

/** Where headers are read: for tokens, browsers, proxies, pages, conditions and streams. */
const TARGETS: Record<Api, readonly string[]> = {
  Core: ['GET /ping?includeHeaders=true', 'GET /ping/auth', 'POST /account/login'],
  Portal: ['GET /account/profile', 'GET /login', 'POST /account/forgot-password'],
  Admin: ['GET /admin/account', 'GET /console', 'POST /console/session'],
};

/** Of each kind of place, `sampleMax` requests are sent, selected by the seed. */
export function nothingStalls(seed: number, sampleMax: number): void {
  const services = during(() => startServices());
  const sso = during(() => startSso({ demo: {} }));
  let bearer: string;
  /** Valid requests by route, made while the proof of the administrator is fresh and nothing has logged them out. */
  let prepared: Map<unknown, Valid>;
  const signIn = async (): Promise<void> => {
    bearer = (await logIn(services.app, await newAccount(services.app, { role: 'Admin' }))).Token;
  };
  before(async () => {
    await signIn();
    const fixtures = createFixtures(services, bearer).of(undefined);
    const made = ALL_ROUTES.map(async ({ route }): Promise<[unknown, Valid]> => {
      const { method, path, body } = await requestFor(route, fixtures);
      const [target = ''] = path.split('?');
      return [route, { method, path: target, body: typeof body === 'object' ? { ...body } : {} }];
    });
    prepared = new Map(await Promise.all(made));
  });

  const portOf = (api: Api): number => Number(new URL(services.url(api)).port);

  const send = async (port: number, filled: FilledRequest, share: number, isSigned: boolean) => {
    const { line, headers, body } = filled.filledTo(Math.floor(filled.bytesMax * share));
    const own = headers.map((header) => header.slice(0, header.indexOf(':')).toLowerCase());
    const all = [
      ...['Host: x', 'Connection: close', `X-Forwarded-For: ${someAddress()}`],
      ...(isSigned ? [`Authorization: Bearer ${bearer}`] : []),
      ...(body === undefined ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
    ].filter((header) => !own.includes(header.slice(0, header.indexOf(':')).toLowerCase()));
    const bytes = `${line} HTTP/1.1\r\n${[...all, ...headers].join('\r\n')}\r\n\r\n${body ?? ''}`;
    let answer = '';
    const turns = await turnsOf(async () => (answer = await exchangeRaw(port, bytes)));
    const status = answer === '' ? 0 : Number(answer.slice(9, 12));
    assert.ok(status < 500, `${filled.about}: ${status}`);
    if (isSigned && status === 401) await signIn();
    return turns;
  };

  /** Takes the least of several tries, because garbage collection and other processes prolong some of them. */
  const takes = async (again: () => Promise<Turns>, isEnough: (found: Turns) => boolean, most: number) => {
    let [longestMs, totalMs, tries] = [Infinity, Infinity, 0];
    do {
      const next = await again();
      [longestMs, totalMs] = [Math.min(longestMs, next.longestMs), Math.min(totalMs, next.totalMs)];
      tries += 1;
    } while (tries < most && !isEnough({ longestMs, totalMs }));
    return { longestMs, totalMs };
  };

  const expectNoStall = async (port: number, requests: readonly FilledRequest[], isSigned = true) => {
    for (const filled of shuffled(requests, seed).slice(0, sampleMax)) {
      const at = (share: number, isEnough: (found: Turns) => boolean, most = TRIES) =>
        takes(() => send(port, filled, share, isSigned), isEnough, most);
      let boundMs = GROWTH_FROM_MS;
      const isFine = ({ longestMs, totalMs }: Turns) => longestMs <= TURN_MS && totalMs <= boundMs;
      let whole = await at(1, isFine);
      if (isFine(whole)) continue;
      const half = await at(0.5, ({ totalMs }) => whole.totalMs <= 3 * totalMs);
      boundMs = Math.max(boundMs, 3 * half.totalMs);
      if (!isFine(whole)) whole = await at(1, isFine, TRIES_MAX);
      assert.ok(whole.longestMs <= TURN_MS, `${filled.about}: a turn of ${whole.longestMs} ms`);
      const isLinear = whole.totalMs <= boundMs;
      assert.ok(isLinear, `${filled.about}: ${half.totalMs} ms, and ${whole.totalMs} ms at double size`);
    }
  };

  for (const [api, targets] of Object.entries(TARGETS)) {
    it(`does not stall ${api} by a header`, async () => {
      await expectNoStall(portOf(api as Api), filledHeaders(targets), false); // a key of TARGETS
    });
  }

  it('does not stall a service by a condition, or by the place to continue a stream', async () => {
    const conditions = filledHeaders([`DELETE /person/${randomUUID()}`], ['If-Match']);
    const places = filledHeaders(['GET /session-event/stream'], ['Last-Event-ID']);
    await expectNoStall(portOf('Core'), [...conditions, ...places]);
  });

  it('does not stall a service by a cookie or a token', async () => {
    const names = ['__Host-gatehouse', '__Host-gatehouse-console'];
    await expectNoStall(portOf('Core'), filledCredentials('/ping/auth', names), false);
    await expectNoStall(portOf('Portal'), filledCredentials('/account/profile', names.slice(0, 1)), false);
    await expectNoStall(portOf('Admin'), filledCredentials('/admin/account', names.slice(1)), false);
  });

  for (const api of ['Core', 'Portal', 'Admin'] as const) {
    const routes = ALL_ROUTES.filter((one) => one.api === api).map(({ route }) => route);
    const filledBy = (fill: (route: (typeof routes)[number], one: Valid) => FilledRequest[]) =>
      routes.flatMap((route) => fill(route, prepared.get(route) ?? assert.fail(route.path)));

    it(`does not stall ${api} by its path or its query`, () =>
      expectNoStall(portOf(api), filledBy(filledTargets)));

    it(`does not stall ${api} by its body`, () => expectNoStall(portOf(api), filledBy(filledBody)));
  }

  it('does not stall a service in a sign-on', async () => {
    const port = Number(new URL(sso.admin.url).port);
    const targets = ['GET /auth/demo/login', 'GET /auth/demo/callback?code=a&state=b'];
    await expectNoStall(port, filledHeaders(targets, ['Cookie', 'User-Agent', 'Forwarded']), false);
    const routes = ALL_ROUTES.filter(({ route }) => route.path.startsWith('/auth/:provider'));
    const all = routes.flatMap(({ route }) => {
      const path = route.path.replace(':provider', 'demo');
      const valid = { method: route.method.toUpperCase(), path, body: {} };
      return [...filledTargets(route, valid), ...filledBody(route, valid)];
    });
    await expectNoStall(port, all, false);
  });
}
