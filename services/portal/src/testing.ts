import {
  logIn,
  newAccount,
  newContent,
  openTestAccounts,
  someAddress,
  withServiceToken,
  type Person,
  type TestAccounts,
} from '@gatehouse/accounts/testing';
import { listen } from '@gatehouse/http/testing';
import { createMetrics } from '@gatehouse/runtime';
import { createPortal } from './app.ts';

/**
 * Portal as it runs, on real servers, with a database of its own; `stop` ends it. `beside`: another process of the
 * same installation. Accounts and sessions come without Core: `newAccount`, `login`.
 */
export async function startPortal(
  changes: Parameters<typeof openTestAccounts>[0] = {},
  beside?: { house: TestAccounts },
) {
  const house = await openTestAccounts(changes, beside?.house);
  const { auth, log, ...deps } = house;
  const api = createPortal({
    deps: { ...deps, log },
    auth: withServiceToken(auth),
    log,
    metrics: createMetrics('test'),
    trustProxy: '127.0.0.1',
    corsOrigins: '',
  });
  const { http, stop, url } = await listen(api);

  const address = someAddress();
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  /** Calls with a token, or as nobody; a session of `login` will do for its token. */
  const call = (
    method: 'get' | 'post' | 'put' | 'patch' | 'delete',
    path: string,
    who: string | { Token: string } | undefined,
    body?: object,
  ) => {
    const token = typeof who === 'string' ? who : who?.Token;
    const request = http[method](path).set({
      'x-forwarded-for': address,
      ...(token !== undefined && bearer(token)),
    });
    return body === undefined ? request : request.send(body);
  };
  return {
    house,
    http,
    url,
    bearer,
    call,
    get: (path: string, who?: string | { Token: string }) => call('get', path, who),
    post: (path: string, who: string | { Token: string } | undefined, body: object = {}) =>
      call('post', path, who, body),
    /** A verified account of its own. */
    newAccount: (wishes?: Parameters<typeof newAccount>[1]) => newAccount(house, wishes),
    /** Content of this owner, or of nobody. */
    newContent: (owner?: Pick<Person, 'id'>, wishes?: Parameters<typeof newContent>[2]) =>
      newContent(house, owner, wishes),
    /** A session of somebody, as a login gives it. */
    login: (person: Pick<Person, 'id'>, wishes?: Parameters<typeof logIn>[2]) => logIn(house, person, wishes),
    stop: async () => {
      await stop();
      await house.stop();
    },
  };
}

export type TestPortal = Awaited<ReturnType<typeof startPortal>>;
