import {
  authenticator,
  codeIn,
  invitationTokenIn,
  newAccount,
  newContent,
  PASSWORD,
  someEmail,
  switchOnTwoFactor,
  TEST_PASSKEY_SITE,
} from '@gatehouse/accounts/testing';
import type { CreationOptionsJson } from '@gatehouse/auth-core';
import { createSoftwareAuthenticator } from '@gatehouse/auth-core/testing';
import { query } from '@gatehouse/db';
import type { Services } from '../services.ts';
import { ask, mailedCode, newCaller, type Caller, type Prepared } from './prepared.ts';

const NEW = 'a wholly new one';

/** Requests with a code, a link or a second factor that was mailed or shown before, or about an account to be erased. */
export function accountRequests(services: Services): Prepared {
  const { app } = services;
  const register = async (): Promise<string> => {
    const Email = someEmail();
    await ask(services, '/account/register', { Email, Password: PASSWORD });
    return Email;
  };
  const changeEmail = async (caller: Caller): Promise<string> => {
    const Email = someEmail();
    await ask(services, '/account/change-email', { Email, Password: PASSWORD }, caller);
    return mailedCode(services, Email);
  };
  const invite = async (caller: Caller): Promise<string> => {
    const email = someEmail();
    const ContentDefinitionId = await newContent(app, caller);
    await ask(services, '/account/invite-user', { Emails: [email], ContentDefinitionId }, caller);
    return email;
  };
  const recoveryCode = async ({ id }: Caller) => (await switchOnTwoFactor(app, id)).recoveryCodes[0];
  const byCode = async (caller: Caller) => ({ body: { TwoFactorCode: await recoveryCode(caller) } });
  const handOver = async (path: string, caller: Caller) => {
    const { Url } = await ask(services, path, {}, caller);
    return { body: { HandoverCode: String(Url).split('#HandoverCode=')[1] } };
  };
  const createPasskey = async (caller: Caller) => {
    const { PasskeyToken, Options } = await ask(services, '/account/passkey/options', {}, caller);
    const device = createSoftwareAuthenticator(TEST_PASSKEY_SITE.origins[0] ?? '', 'synced');
    return { PasskeyToken, Credential: device.create(Options as CreationOptionsJson) }; // guaranteed by its schema
  };
  const withPasskey = async (caller: Caller) => {
    await ask(services, '/account/passkey', await createPasskey(caller), caller);
    return {};
  };
  const newWaiting = async (): Promise<string> => {
    const { id } = await newAccount(app);
    const pending = `signup = 'new', password_hash = null, password_scheme = null`;
    await query(app.db, `update account set ${pending} where id = ?`, [id]);
    return id;
  };
  const eraseCode = async (caller: Caller): Promise<string> => {
    await ask(services, '/account/erase', { Password: PASSWORD }, caller);
    return codeIn(await app.mailsTo(caller.email));
  };
  const restoreCode = async (caller: Caller): Promise<string> => {
    await ask(services, '/account/erase', { Code: await eraseCode(caller) }, caller);
    const content = (await app.mailsTo(caller.email)).at(-1)?.content;
    return content !== undefined && 'RestoreCode' in content ? (content.RestoreCode ?? '') : '';
  };
  const login = ({ email }: Caller) => ({ Username: email, Password: PASSWORD });

  return {
    'POST /account/login': (caller) => ({ body: login(caller) }),
    'POST /account/login, for a second factor': async (caller) => {
      await switchOnTwoFactor(app, caller.id);
      return { body: login(caller) };
    },
    'POST /account/login, with both factors': async (caller) => ({
      body: { ...login(caller), TwoFactorCode: await recoveryCode(caller) },
    }),
    'POST /account/login, with the second factor': async (caller) => {
      const TwoFactorCode = await recoveryCode(caller);
      const { TwoFactorToken } = await ask(services, '/account/login', login(caller));
      return { body: { TwoFactorToken, TwoFactorCode } };
    },
    'POST /account/login, with a mailed code': async ({ id, email: Username }) => {
      // Administrators cannot log in this way.
      await query(app.db, `update account set role = 'Guest' where id = ?`, [id]);
      const { RequestToken } = await ask(services, '/account/login/email', { Email: Username });
      return { body: { Username, MailCode: await mailedCode(services, Username), RequestToken } };
    },
    'POST /console/session': (caller) => ({ body: login(caller) }),
    'POST /admin/account/{id}/invite': async () => ({ path: `/admin/account/${await newWaiting()}/invite` }),
    'POST /admin/account/bulk/invite': async () => ({ body: { Filter: { Ids: [await newWaiting()] } } }),
    'POST /account/verify': async () => {
      const Email = await register();
      return { body: { Email, Code: await mailedCode(services, Email) } };
    },
    'POST /account/resend-verification': async () => ({ body: { Email: await register() } }),
    'POST /account/forgot-password': ({ email: Email }) => ({ body: { Email } }),
    'POST /account/reset-password': async ({ email: Email }) => {
      await ask(services, '/account/forgot-password', { Email });
      return { body: { Email, Code: await mailedCode(services, Email), Password: NEW } };
    },
    'POST /account/change-password': () => ({ body: { CurrentPassword: PASSWORD, Password: NEW } }),
    'POST /account/confirm-email': async (caller) => ({ body: { Code: await changeEmail(caller) } }),
    'POST /account/take-back-email': async (caller) => {
      await ask(services, '/account/confirm-email', { Code: await changeEmail(caller) }, caller);
      const content = (await app.mailsTo(caller.email)).at(-1)?.content;
      const isLink = content !== undefined && 'TakeBack' in content;
      return { body: { Code: isLink ? content.TakeBack.Code : undefined } };
    },
    'POST /account/invitation': async (caller) => ({
      body: { InvitationToken: invitationTokenIn(await app.mailsTo(await invite(caller))) },
    }),
    'POST /account/register-guest': async (caller) => {
      const InvitationToken = invitationTokenIn(await app.mailsTo(await invite(caller)));
      return { body: { InvitationToken, Password: NEW, DisplayName: 'Gus' } };
    },
    'POST /account/resend-invitation': async (caller) => ({ body: { Email: await invite(caller) } }),
    'POST /account/two-factor, to begin': () => ({ body: { Password: PASSWORD } }),
    'POST /account/two-factor, to confirm': async (caller) => {
      const begun = await ask(services, '/account/two-factor', { Password: PASSWORD }, caller);
      const { Secret } = begun['TwoFactorSetup'] as { Secret: string }; // guaranteed by its schema
      return { body: { TwoFactorCode: authenticator(app, Secret).codeAt() } };
    },
    'POST /account/recovery-codes': byCode,
    'DELETE /account/two-factor': byCode,
    'DELETE /admin/account/{id}/two-factor': async () => {
      const { id } = await newAccount(app);
      await switchOnTwoFactor(app, id);
      return { path: `/admin/account/${id}/two-factor` };
    },
    'POST /account/handover/exchange': (caller) => handOver('/account/handover', caller),
    'POST /console/handover/exchange': (caller) => handOver('/console/handover', caller),
    'POST /account/passkey': async (caller) => ({ body: await createPasskey(caller) }),
    'POST /account/passkey/confirmation': withPasskey,
    'POST /console/session/confirm/passkey': withPasskey,
    'POST /account/erase, to begin': () => ({ body: { Password: PASSWORD } }),
    'POST /account/erase, to confirm': async (caller) => ({ body: { Code: await eraseCode(caller) } }),
    'POST /account/restore': async (caller) => ({ body: { Code: await restoreCode(caller) } }),
    'POST /admin/hook-delivery/retry': () => ({ body: { Filter: { Type: 'guest.removed' } } }),
    'DELETE /admin/account/{id}': async () => ({ path: `/admin/account/${(await newAccount(app)).id}` }),
    'POST /admin/account/{id}/restore': async () => {
      const closed = await newCaller(services);
      await restoreCode(closed);
      return { path: `/admin/account/${closed.id}/restore` };
    },
  };
}
