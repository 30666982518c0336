import { logIn, newAccount } from '@gatehouse/accounts/testing';
import { CLIENT, startProvider } from '../../../../services/admin/src/sso/testing/provider.ts';
import { startServices, type Services } from '../requests/services.ts';

/** The URL of Admin for browsers, as configured. */
const ADMIN_URL = 'https://admin.gatehouse.test';

/** Core and Admin of one installation with two identity providers, and helpers for owners of identities. */
export async function startIdentities() {
  const [corp, strict] = [await startProvider(), await startProvider()];
  const returnUrls = ['https://app.gatehouse.test/'];
  const services = await startServices({ SINGLE_SESSION: false }, undefined, {
    ADMIN_URL,
    SSO_PROVIDERS: JSON.stringify([
      { id: 'corp', issuer: corp.issuer, ...CLIENT, returnUrls, trustEmail: false },
      { id: 'strict', issuer: strict.issuer, ...CLIENT, returnUrls, allowedDomains: ['corp.example'] },
    ]),
  });
  const providers: Record<string, typeof corp> = { corp, strict };

  /**
   * Follows a browser's redirects from this URL at Admin. Returns where they end, and the parameters in the fragment.
   */
  const travel = async (url: string, person: Record<string, unknown>): Promise<Travelled> => {
    const { pathname, search } = new URL(url);
    const provider = providers[pathname.split('/')[2] ?? ''];
    if (provider === undefined) throw new Error(`no provider in ${pathname}`);
    Object.assign(provider.behaviour, { person });
    const begun = await services.send('Admin', { method: 'GET', path: pathname + search });
    if (begun.status !== 303) return { status: begun.status, page: '', parameters: {}, asked: undefined };
    const asked = new URL(String(begun.headers['location']));
    const answered = await fetch(asked, { redirect: 'manual' });
    const callback = new URL(answered.headers.get('location') ?? '');
    const cookie = [begun.headers['set-cookie']].flat().map((one) => one?.split(';')[0]);
    const headers = { cookie: cookie.join('; ') };
    const sent = { method: 'GET', path: callback.pathname + callback.search, headers };
    const back = await services.send('Admin', sent);
    const [page, fragment] = String(back.headers['location']).split('#');
    const parameters = Object.fromEntries(new URLSearchParams(fragment));
    return { status: back.status, page, parameters, asked: asked.searchParams };
  };

  /** The mails about identities that an owner gets. */
  const mailsTo = async (email: string) =>
    (await services.app.mailsTo(email)).filter(({ type }) => type.startsWith('account.identity-'));

  /** A logged-in user. */
  const newOwner = async (options: Parameters<typeof newAccount>[1] = {}) =>
    ownerOf(services, await newAccount(services.app, options));

  return {
    services,
    travel,
    mailsTo,
    newOwner,
    stop: async () => {
      await services.stop();
      await corp.stop();
      await strict.stop();
    },
  };
}

interface Travelled {
  status: number;
  page: string | undefined;
  parameters: Record<string, string>;
  /** The parameters of the request to the provider. */
  asked: URLSearchParams | undefined;
}

export type Identities = Awaited<ReturnType<typeof startIdentities>>;

async function ownerOf(services: Services, account: Awaited<ReturnType<typeof newAccount>>) {
  const session = await logIn(services.app, account);
  const call = (method: string, path: string, body?: object, token = session.Token) =>
    services.send('Core', { method, path, headers: { authorization: `Bearer ${token}` }, body });
  return {
    ...account,
    ...session,
    call,
    begin: (provider = 'corp', proof: object = {}) => call('POST', `/account/identity/${provider}`, proof),
    finish: (IdentityCode = '', token?: string) => call('POST', '/account/identity', { IdentityCode }, token),
    unlink: (number: unknown, proof: object = {}) =>
      call('DELETE', '/account/identity', { Number: number, ...proof }),
    list: async () => (await call('GET', '/account/identity')).body['Items'] as Record<string, unknown>[],
  };
}
