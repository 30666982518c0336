import { randomBytes } from 'node:crypto';
import {
  allowsEmailLogin,
  asOwner,
  conditionOf,
  mailNotice,
  proveOwner,
  reportLostGroups,
  SIGN_ON_SECONDS,
  withDevice,
  write,
} from '@gatehouse/accounts';
import { hashInvitationToken, newInvitationToken } from '@gatehouse/auth-core';
import { accounts, clientSessions, identityLinks, passkeys, ssoIdentities } from '@gatehouse/db';
import type { Account, Transaction } from '@gatehouse/db';
import { browserSiteFor, confirmationRequired } from '@gatehouse/http';
import { record, time } from '@gatehouse/kit';
import { Nullable, Type } from '@gatehouse/schema';
import { routeOf, type Deps } from '../deps.ts';
import {
  canSignOn,
  orThrow,
  OWNER_PROOF_ERRORS,
  OwnerProofBody,
  proved,
  readOwnerProof,
} from '../owner-proof.ts';

const route = routeOf({ tag: 'Single sign-on', access: 'session' });

/** As long as a sign-on may take at the provider, plus a minute to begin it. */
const TICKET_SECONDS = SIGN_ON_SECONDS + 60;
const CODE_FORM = /^[A-Za-z0-9_-]{43}$/;

const OwnIdentity = record(
  'sso_identity',
  {
    number: Type.Integer({ description: 'Identifies the identity when unlinking; never reused' }),
    provider: Type.String({ description: 'ID of the provider through which it was linked' }),
    name: Nullable(Type.String(), { description: 'The display name of the provider, if it is offered' }),
    issuer: Type.String(),
    linkedAt: time(),
  },
  { name: 'OwnIdentity' },
);

export const ownIdentityRoutes = [
  route('GET /account/identity', {
    operationId: 'listOwnIdentities',
    summary: 'List your single sign-on identities',
    description: 'Oldest first; at most one for each issuer.',
    response: Type.Object({ Items: Type.Array(OwnIdentity.Answer) }),
    handler: async ({ caller, deps: { db, pages } }) => {
      const nameOf = (provider: string) => pages.providers.find(({ Id }) => Id === provider)?.Name ?? null;
      const own = await ssoIdentities.findOfAccount(db, caller.accountId);
      return { Items: own.map((one) => OwnIdentity.answer({ ...one, name: nameOf(one.provider) })) };
    },
  }),

  // A session has one link in progress; a newer one invalidates it. What its sign-on proves is valid only in this
  // session, so neither the ticket nor its URL is useful to anybody else.
  route('POST /account/identity/:provider', {
    operationId: 'beginIdentityLink',
    summary: 'Begin to link an identity of a provider to your account',
    description:
      'Requires a proof of identity, like `POST /account/passkey/options`. Open `Url` in the same browser: after ' +
      'the sign-on it is redirected to `/profile/security` with `IdentityCode` or `SignOnError`, and `State`, ' +
      'after the `#`. Compare `State`, then send the code to `POST /account/identity` in the same session.',
    params: { provider: Type.String({ maxLength: 64 }) },
    body: OwnerProofBody,
    response: Type.Object({
      Url: Type.String({ description: 'The URL at which the sign-on begins' }),
      State: Type.String({ description: 'A random value that is returned with the code' }),
      ExpiresAt: Type.String({
        format: 'date-time',
        description: 'The time by which the sign-on must have returned',
      }),
    }),
    errors: [...OWNER_PROOF_ERRORS, 'not_found', 'forbidden'],
    handler: async ({ params, body, caller, deps, request, refuse }) => {
      browserSiteFor(deps.browser.sites, 'pages');
      const provider = deps.pages.providers.find(({ Id }) => Id === params.provider);
      if (provider === undefined) throw refuse('not_found', 'Unknown identity provider');
      const { accountId, sessionId } = caller;
      const proof = proved(refuse, await proveOwner(deps, readOwnerProof(body, caller, request), request));
      const ticket = newInvitationToken();
      const expiresAt = await write(deps, asOwner(accountId, request), async (tx) => {
        const account = await accounts.lockById(tx, accountId);
        if (account?.passwordVersion !== proof.account.passwordVersion) throw confirmationRequired(refuse);
        if (account.role === 'Guest') throw refuse('forbidden', 'Guests log in with their password');
        if (account.isService) throw refuse('forbidden', 'Service accounts cannot use single sign-on');
        // A challenge stays used up, although the rest of the proof is refused.
        if (!(await proof.use(tx))) return confirmationRequired(refuse);
        await identityLinks.deleteOfSession(tx, sessionId);
        const begun = {
          ticketHash: hashInvitationToken(ticket),
          provider: provider.Id,
          accountId,
          sessionId,
        };
        const endsAt = await identityLinks.insert(tx, { ...begun, lifetimeSeconds: TICKET_SECONDS });
        // Without a session that could end the link, the proof stays used up.
        return endsAt ?? confirmationRequired(refuse);
      });
      const State = randomBytes(32).toString('base64url');
      const query = new URLSearchParams({ link: ticket, state: State });
      const Url = `${provider.LoginUrl}?${query.toString()}`;
      return { Url, State, ExpiresAt: orThrow(expiresAt).toISOString() };
    },
  }),

  route('POST /account/identity', {
    operationId: 'linkIdentity',
    summary: 'Link the identity of a sign-on to your account',
    description:
      'Accepts the code of a sign-on that this session began with `POST /account/identity/{provider}`. It works ' +
      'once, within a minute. Returns 409 `identity_taken` if the identity is linked to another account, and ' +
      '`conflict` if yours has another identity of this provider.',
    body: Type.Object({ IdentityCode: Type.String({ minLength: 1, maxLength: 512 }) }),
    response: Type.Object({ Provider: Type.String() }),
    errors: ['invalid_code', 'identity_taken', 'conflict'],
    handler: async ({ body, caller: { accountId, sessionId }, deps, request, refuse }) => {
      if (!CODE_FORM.test(body.IdentityCode)) throw refuse('invalid_code');
      const codeHash = hashInvitationToken(body.IdentityCode);
      // A refusal is returned, so that the code stays used up.
      const linked = await write(deps, asOwner(accountId, request), async (tx) => {
        const account = await accounts.lockById(tx, accountId);
        const identity = await identityLinks.use(tx, { codeHash, accountId, sessionId });
        if (account === undefined || identity === undefined) return refuse('invalid_code');
        // The account may have become a guest's or a service account while its owner was at the provider.
        const isForPeople = account.role !== 'Guest' && !account.isService;
        if (!isForPeople || conditionOf(account) !== undefined) return refuse('invalid_code');
        const linking = { Provider: identity.provider };
        if (await ssoIdentities.insert(tx, { ...identity, accountId })) {
          // The owner gets a mail, because the identity gives access to the account from now on.
          await mailNotice(deps, tx, account, 'account.identity-linked', linking, withDevice(request));
          tx.audit('sso.linked', linking);
          return linking;
        }
        const owner = await ssoIdentities.findAccount(tx, identity);
        if (owner === undefined)
          return refuse('conflict', 'Your account has another identity of this provider; unlink it first');
        return owner.id === accountId ? linking : refuse('identity_taken');
      });
      return orThrow(linked);
    },
  }),

  route('DELETE /account/identity', {
    operationId: 'unlinkOwnIdentity',
    summary: 'Unlink one of your single sign-on identities',
    description:
      'Requires a proof of identity, like `POST /account/passkey/options`. Ends the other sessions that were ' +
      'opened with it before the response is sent. Returns 409 if it is the only way to log in.',
    body: Type.Object({
      Number: Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description: '`Number` of the identity',
      }),
      ...OwnerProofBody.properties,
    }),
    errors: [...OWNER_PROOF_ERRORS, 'not_found', 'conflict'],
    handler: async ({ body, caller, deps, request, refuse }) => {
      const { accountId, sessionId } = caller;
      const shown = readOwnerProof(body, caller, request);
      const own = await ssoIdentities.findOfAccount(deps.db, accountId);
      if (!own.some(({ number }) => number === body.Number)) throw refuse('not_found', 'Identity not found');
      const proof = proved(refuse, await proveOwner(deps, shown, request));
      await write(deps, asOwner(accountId, request), async (tx) => {
        const account = await accounts.lockById(tx, accountId);
        if (account?.passwordVersion !== proof.account.passwordVersion) throw confirmationRequired(refuse);
        const removed = await ssoIdentities.remove(tx, accountId, body.Number);
        if (removed === undefined) throw refuse('not_found', 'Identity not found');
        if (!(await hasOtherMethod(deps, tx, account)))
          throw refuse('conflict', 'This identity is the only way to log in; set a password first');
        if (!(await proof.use(tx))) throw confirmationRequired(refuse);
        const details = { Provider: removed.provider };
        await mailNotice(deps, tx, account, 'account.identity-unlinked', details, withDevice(request));
        tx.audit('sso.unlinked', details);
        reportLostGroups(tx, accountId, removed, asOwner(accountId, request));
        // Some applications may have let in who has a group that only this provider named.
        await clientSessions.removeNotLetIn(tx, { accountIds: [accountId] });
        const left = await ssoIdentities.findOfAccount(tx, accountId);
        const exceptProviders = left.map(({ provider }) => provider);
        const target = { kind: 'signed-on', accountId, exceptProviders, exceptSessionId: sessionId } as const;
        await tx.endSessions(target, 'identity_unlinked');
      });
      return undefined;
    },
  }),
];

async function hasOtherMethod(deps: Deps, tx: Transaction, account: Account): Promise<boolean> {
  if (account.passwordScheme !== null || allowsEmailLogin(deps.settings, account)) return true;
  const offered = deps.pages.providers.map(({ Id }) => Id);
  if (await canSignOn(tx, account, offered)) return true;
  return deps.passkeys !== undefined && (await passkeys.count(tx, account.id)) > 0;
}
