import {
  authenticator,
  codeIn,
  invitationTokenIn,
  logIn,
  newAccount,
  newContent,
  PASSWORD,
  someEmail,
  switchOnTwoFactor,
  TEST_PASSKEY_SITE,
} from '@gatehouse/accounts/testing';
import type { CreationOptionsJson } from '@gatehouse/auth-core';
import { createSoftwareAuthenticator } from '@gatehouse/auth-core/testing';
import { ALL_ROUTES, nameOf } from '@gatehouse/codegen';
import { requestFor } from '../roles/requests.ts';
import type { Services } from '../roles/services.ts';
import { createFixtures } from '../roles/fixtures.ts';
import { erasureBodies } from './erasure-bodies.ts';
import { reachCallback } from './sign-on.ts';
import type { Prepared, LoggedInUser } from './prepared.ts';
import { signOnBodies } from './sign-on-bodies.ts';
import type { Sent } from '../roles/wire.ts';

/** A request that writes, and the API that gets it. */
export interface Write {
  name: string;
  api: (typeof ALL_ROUTES)[number]['api'];
  sent: Sent;
}

/** The callback to which browsers are redirected. It is a GET, but opens a session. */
const SIGN_ON = 'GET /auth/{provider}/callback';
/** These write only to Redis. The data reaches Postgres later, in the background. */
const NOT_TO_POSTGRES = ['POST /account/ping', 'POST /console/session/ping'];

/**
 * At least one request for every route that writes, and several if a route has variants. No two requests use the same
 * objects.
 */
export async function makeWrites(
  services: Services,
  { provider, logoutToken }: { provider: string; logoutToken: (claims: object) => string },
): Promise<Write[]> {
  const { app } = services;
  const adminToken = (await logIn(app, await newAccount(app, { role: 'Admin' }))).Token;
  const writing = ALL_ROUTES.filter(
    ({ route }) => route.method !== 'get' && !NOT_TO_POSTGRES.includes(nameOf(route)),
  );
  // Setting up two-factor authentication changes the clock.
  const startedAt = app.clock.now();
  const special = specialBodies(services, { provider, logoutToken, startedAt });
  const writes: Write[] = [];
  for (const { api, route } of writing) {
    const name = nameOf(route);
    for (const [variant, prepare] of Object.entries(special[name] ?? { plainly: somebody })) {
      const { user, path, body, address } = await prepare();
      const fixtures = createFixtures(services, adminToken).of({ id: user.id, sessionId: user.sessionId });
      const smallest = await requestFor(route, fixtures);
      const headers = {
        ...smallest.headers,
        ...(route.access !== 'public' && { authorization: `Bearer ${user.Token}` }),
        ...(address !== undefined && { 'x-forwarded-for': address }),
      };
      const sent = { ...smallest, headers, path: path ?? smallest.path, body: body ?? smallest.body };
      writes.push({ name: `${name} ${variant}`, api, sent });
    }
  }
  app.clock.now = () => startedAt;
  writes.push({ name: SIGN_ON, api: 'Admin', sent: await reachCallback(services, provider) });
  return writes;

  async function somebody(): Promise<Prepared> {
    const person = await newAccount(app, { role: 'Admin' });
    return { user: { ...person, ...(await logIn(app, person)) } };
  }
}

/** Values that the smallest request lacks: codes and links that were mailed or shown before. */
function specialBodies(
  services: Services,
  {
    provider,
    logoutToken,
    startedAt,
  }: { provider: string; logoutToken: (claims: object) => string; startedAt: number },
): Record<string, Record<string, () => Promise<Prepared>>> {
  const { app } = services;
  const user = async (): Promise<LoggedInUser> => {
    const person = await newAccount(app, { role: 'Admin' });
    return { ...person, ...(await logIn(app, person)) };
  };
  const ask = async (api: 'Core' | 'Portal' | 'Admin', path: string, body: object, by?: LoggedInUser) => {
    const headers = by && { authorization: `Bearer ${by.Token}` };
    const answer = await services.send(api, { method: 'POST', path, body, ...(headers && { headers }) });
    if (answer.status >= 300) throw new Error(`POST ${path}: ${answer.status} ${answer.text}`);
    return answer.body;
  };
  /** A request of a new user with only the parts that `tell` returns. */
  const about =
    (tell: (user: LoggedInUser) => Promise<Omit<Prepared, 'user'>>) => async (): Promise<Prepared> => {
      const one = await user();
      return { user: one, ...(await tell(one)) };
    };
  const codeFor = async (email: string): Promise<string> => {
    for (;;) {
      const mails = await app.mailsTo(email);
      if (mails.length > 0) return codeIn(mails);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  const createPasskey = async (one: LoggedInUser) => {
    const { PasskeyToken, Options } = await ask('Core', '/account/passkey/options', {}, one);
    const device = createSoftwareAuthenticator(TEST_PASSKEY_SITE.origins[0] ?? '', 'synced');
    return { PasskeyToken, Credential: device.create(Options as CreationOptionsJson) }; // guaranteed by its schema
  };
  const withPasskey = async (one: LoggedInUser) => {
    await ask('Core', '/account/passkey', await createPasskey(one), one);
    return {};
  };
  const NEW = 'a wholly new one';

  return {
    ...erasureBodies(app, { user, about, ask }),
    'POST /account/login': {
      plainly: about(({ email }) => Promise.resolve({ body: { Username: email, Password: PASSWORD } })),
      'for a second factor': about(async ({ id, email }) => {
        await switchOnTwoFactor(app, id);
        return { body: { Username: email, Password: PASSWORD } };
      }),
      'with both factors': about(async ({ id, email }) => {
        const { recoveryCodes } = await switchOnTwoFactor(app, id);
        return { body: { Username: email, Password: PASSWORD, TwoFactorCode: recoveryCodes[0] } };
      }),
      'with the second factor': about(async ({ id, email }) => {
        const { recoveryCodes } = await switchOnTwoFactor(app, id);
        const asked = await ask('Core', '/account/login', { Username: email, Password: PASSWORD });
        return { body: { TwoFactorToken: asked['TwoFactorToken'], TwoFactorCode: recoveryCodes[0] } };
      }),
    },
    'POST /console/session': {
      plainly: about(({ email }) => Promise.resolve({ body: { Username: email, Password: PASSWORD } })),
    },
    'POST /account/verify': {
      plainly: about(async () => {
        const Email = someEmail();
        await ask('Core', '/account/register', { Email, Password: PASSWORD });
        return { body: { Email, Code: await codeFor(Email) } };
      }),
    },
    'POST /account/forgot-password': {
      plainly: about(({ email: Email }) => Promise.resolve({ body: { Email } })),
    },
    'POST /account/resend-verification': {
      plainly: about(async () => {
        const Email = someEmail();
        await ask('Core', '/account/register', { Email, Password: PASSWORD });
        return { body: { Email } };
      }),
    },
    'POST /account/reset-password': {
      plainly: about(async ({ email: Email }) => {
        await ask('Core', '/account/forgot-password', { Email });
        return { body: { Email, Code: await codeFor(Email), Password: NEW } };
      }),
    },
    'POST /account/change-password': {
      plainly: about(() => Promise.resolve({ body: { CurrentPassword: PASSWORD, Password: NEW } })),
    },
    'POST /account/confirm-email': {
      plainly: about(async (one) => {
        const Email = someEmail();
        await ask('Core', '/account/change-email', { Email, Password: PASSWORD }, one);
        return { body: { Code: await codeFor(Email) } };
      }),
    },
    'POST /account/take-back-email': {
      plainly: about(async (one) => {
        const Email = someEmail();
        await ask('Core', '/account/change-email', { Email, Password: PASSWORD }, one);
        await ask('Core', '/account/confirm-email', { Code: await codeFor(Email) }, one);
        const content = (await app.mailsTo(one.email)).at(-1)?.content;
        const isLink = content !== undefined && 'TakeBack' in content;
        return { body: { Code: isLink ? content.TakeBack.Code : undefined } };
      }),
    },
    'POST /account/register-guest': {
      plainly: about(async (one) => {
        const email = someEmail();
        const ContentDefinitionId = await newContent(app, one);
        await ask('Portal', '/account/invite-user', { Emails: [email], ContentDefinitionId }, one);
        const InvitationToken = invitationTokenIn(await app.mailsTo(email));
        return { body: { InvitationToken, Password: NEW, DisplayName: 'Gus' } };
      }),
    },
    'POST /account/resend-invitation': {
      plainly: about(async (one) => {
        const Email = someEmail();
        const ContentDefinitionId = await newContent(app, one);
        await ask('Portal', '/account/invite-user', { Emails: [Email], ContentDefinitionId }, one);
        return { body: { Email } };
      }),
    },
    'POST /account/two-factor': {
      'to begin': about(() => Promise.resolve({ body: { Password: PASSWORD } })),
      'to confirm': about(async (one) => {
        const begun = await ask('Core', '/account/two-factor', { Password: PASSWORD }, one);
        const { Secret } = begun['TwoFactorSetup'] as { Secret: string }; // guaranteed by its schema
        const phone = authenticator({ clock: { now: () => startedAt } }, Secret);
        return { body: { TwoFactorCode: phone.codeAt() } };
      }),
    },
    'POST /account/recovery-codes': {
      plainly: about(async ({ id }) => {
        const { recoveryCodes } = await switchOnTwoFactor(app, id);
        return { body: { TwoFactorCode: recoveryCodes[0] } };
      }),
    },
    'POST /account/handover/exchange': {
      plainly: about(async (one) => {
        const { Url } = await ask('Core', '/account/handover', {}, one);
        return { body: { HandoverCode: String(Url).split('#HandoverCode=')[1] } };
      }),
    },
    'POST /console/handover/exchange': {
      plainly: about(async (one) => {
        const { Url } = await ask('Admin', '/console/handover', {}, one);
        return { body: { HandoverCode: String(Url).split('#HandoverCode=')[1] } };
      }),
    },
    'DELETE /account/two-factor': {
      plainly: about(async ({ id }) => {
        const { recoveryCodes } = await switchOnTwoFactor(app, id);
        return { body: { TwoFactorCode: recoveryCodes[0] } };
      }),
    },
    'DELETE /admin/account/{id}/two-factor': {
      plainly: about(async () => {
        const { id } = await newAccount(app);
        await switchOnTwoFactor(app, id);
        return { path: `/admin/account/${id}/two-factor` };
      }),
    },
    'POST /account/passkey': { plainly: about(async (one) => ({ body: await createPasskey(one) })) },
    'POST /account/passkey/confirmation': { plainly: about(withPasskey) },
    'POST /console/session/confirm/passkey': { plainly: about(withPasskey) },
    ...signOnBodies(services, provider, { about, ask, logoutToken }),
  };
}
