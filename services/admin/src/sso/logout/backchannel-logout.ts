import { createHash } from 'node:crypto';
import { identityDigest, PROVIDER_LOGOUT, recordLogout, tagFact, write } from '@gatehouse/accounts';
import type { AccountsDeps, Origin } from '@gatehouse/accounts';
import { accounts, sessionCodes, ssoAttempts, ssoIdentities, userSessions } from '@gatehouse/db';
import type { Identity, Transaction } from '@gatehouse/db';
import { form, invalidField } from '@gatehouse/http';
import { Unavailable } from '@gatehouse/runtime';
import { Type } from '@gatehouse/schema';
import { route } from '../../deps.ts';

export const backchannelLogout = route('POST /auth/:provider/backchannel-logout', {
  operationId: 'endSessionsByProvider',
  tag: 'Single sign-on',
  summary: 'Receive the logout token of an identity provider',
  description:
    'For identity providers (OpenID Connect Back-Channel Logout 1.0). Ends the sessions that the token ' +
    'identifies before the response is sent. A token has an effect only once.',
  access: 'public',
  params: { provider: Type.String({ maxLength: 64 }) },
  body: form({
    logout_token: Type.String({
      maxLength: 16_384,
      pattern: /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*$/.source,
      examples: ['eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJzb21lYm9keSJ9.c2lnbmF0dXJl'],
    }),
  }),
  status: 200,
  errors: ['not_found', 'too_many_requests'],
  handler: async ({ params, body, deps, request, refuse }) => {
    const provider = deps.sso.find(params.provider);
    if (provider === undefined) throw refuse('not_found');
    const { id, issuer } = provider.settings;
    const check = await provider.readLogoutToken(body.logout_token, deps.now());
    if (check.kind === 'too_many')
      throw refuse('too_many_requests', 'The keys of this provider were fetched too often', {
        retryAfterSeconds: check.retryAfterSeconds,
      });
    if (check.kind === 'unavailable') throw new Unavailable(`the identity provider ${id}`);
    const refused = (refusal: string): Error => {
      request.addToLog({ provider: id, refusal });
      return invalidField('/logout_token', 'is no logout token of this provider', 'malformed');
    };
    if (check.kind === 'invalid') throw refused(check.reason);
    const outcome = await logoutByProvider(deps, { provider: id, issuer, ...check.token }, request);
    if (outcome.kind === 'used') throw refused('used');
    request.addToLog({ provider: id, sessionsEnded: outcome.sessions });
    return undefined;
  },
});

interface ProviderLogout {
  /** The provider's name in sessions. */
  provider: string;
  issuer: string;
  subject: string | undefined;
  sid: string | undefined;
  /** The id of the provider's message, which is accepted only once. */
  id: string;
  isOldAtSeconds: number;
}

/** How many sessions ended; `used`: the message was already processed. */
type ProviderLogoutOutcome = { kind: 'done'; sessions: number } | { kind: 'used' };

/**
 * Ends the sessions that this provider's sign-ons have opened, like a logout: those of one provider session if the
 * provider names it, otherwise all of that person, also those that the owner kept when unlinking the identity. Sign-ons
 * in progress open no session and confirm nothing. A message of the provider is accepted only once, so that nobody can
 * use a copy of it to end a later session.
 */
export async function logoutByProvider(deps: AccountsDeps, logout: ProviderLogout, origin: Origin) {
  const { provider, issuer, subject, sid } = logout;
  const message = JSON.stringify(['logout', issuer, provider, logout.id]);
  const digest = createHash('sha256').update(message).digest();
  return write<ProviderLogoutOutcome>(deps, { actor: { kind: 'System' }, origin }, async (tx) => {
    if (!(await ssoAttempts.use(tx, { digest, expiresAtSeconds: logout.isOldAtSeconds })))
      return { kind: 'used' };
    await recordLogout(tx, logout);
    const person = subject === undefined ? undefined : { issuer, subject };
    if (person !== undefined) await invalidateConfirmations(tx, person);
    const digestOfPerson = person && identityDigest(person);
    const target = { kind: 'logged-out', provider, identityDigest: digestOfPerson, sid } as const;
    const ended = await tx.endSessions(target, PROVIDER_LOGOUT);
    for (const { sessionId, tag } of await userSessions.findStates(tx, ended))
      tx.audit(
        'session.ended',
        { Provider: provider, ...tagFact(tag) },
        { kind: 'UserSession', id: sessionId },
      );
    return { kind: 'done', sessions: ended.length };
  });
}

/** Locks the account that is linked to a person, and invalidates its confirmations. */
async function invalidateConfirmations(tx: Transaction, person: Identity): Promise<void> {
  const linked = await ssoIdentities.findAccount(tx, person);
  if (linked === undefined) return;
  await accounts.lockById(tx, linked.id);
  await sessionCodes.invalidateConfirmations(tx, linked.id);
}
