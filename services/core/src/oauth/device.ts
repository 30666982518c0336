import { createHash, randomInt } from 'node:crypto';
import {
  asOwner,
  ownSession,
  takeShare,
  withAddressThrottle,
  withThrottle,
  write,
} from '@gatehouse/accounts';
import { endOfCredential, hashInvitationToken, newInvitationToken } from '@gatehouse/auth-core';
import { accounts, oauthClients, query, txStatement, type OAuthClient } from '@gatehouse/db';
import { form, tooManyFailures, type Refuse, type RequestFacts } from '@gatehouse/http';
import { DEVICE_GRANT, Enum, Optional, PAGE_PATHS, Timestamp, Type, type Static } from '@gatehouse/schema';
import { route, type Deps } from '../deps.ts';
import { OWNER_PROOF_ERRORS, OwnerProofBody } from '../owner-proof.ts';
import { scopesOfSignIn } from './authorization-request.ts';
import { confirm, FRESH_SECONDS, hasProof, isLetIn, sessionOf } from './authorization.ts';
import { callingClient, CLIENT_ERRORS, ClientCredentials } from './calling-client.ts';
import { findSignedIn, grantConsent, insertCode, type SignedIn } from './store.ts';

/** How long somebody has to approve, and how long the device has to ask for its tokens after that. */
const LIFETIME_SECONDS = 600;
const APPROVED_SECONDS = 120;
const POLL_SECONDS = 5;
/** Nobody is known yet. */
export const SYSTEM = { kind: 'System' } as const;

export const authorizeDevice = route('POST /oauth/device_authorization', {
  operationId: 'authorizeDevice',
  tag: 'Applications',
  summary: 'Begin a sign-in on a device without a browser (RFC 8628)',
  description:
    'The device shows `user_code` and `verification_uri`, and `verification_uri_complete` as a QR code. Then it asks ' +
    '`POST /oauth/token` every `interval` seconds.',
  access: 'public',
  rules: { cors: 'any', errors: 'oauth' },
  body: form({
    scope: Optional.String({ maxLength: 2000, description: 'Scopes of the client' }),
    resource: Optional.String({ maxLength: 2000, description: 'The API that the access token is for' }),
    ...ClientCredentials.properties,
  }),
  response: Type.Object(
    {
      device_code: Type.String({ description: 'For the token endpoint; a secret of the device' }),
      user_code: Type.String({ description: 'To be shown', examples: ['WDJB-MJHT'] }),
      verification_uri: Type.String({ description: 'The page where the code is typed' }),
      verification_uri_complete: Type.String({
        description: 'The same page for a QR code; it asks which code the device shows',
      }),
      expires_in: Type.Integer({ description: 'How long both codes work, in seconds' }),
      interval: Type.Integer({ description: 'The time between two calls, in seconds' }),
    },
    { title: 'DeviceAuthorization' },
  ),
  headers: { fixed: { 'Cache-Control': 'no-store' } },
  errors: ['invalid_scope', 'invalid_target', 'unauthorized_client', ...CLIENT_ERRORS],
  handler: async ({ body, deps, request, refuse }) => {
    const client = await callingClient(deps, body, request, refuse);
    if (!client.grantTypes.includes(DEVICE_GRANT)) throw refuse('unauthorized_client');
    const scopes = scopesOfSignIn(body.scope, client);
    if (scopes === undefined) throw refuse('invalid_scope');
    const { resource = null } = body;
    if (resource !== null && !client.resources.includes(resource)) throw refuse('invalid_target');
    // A confidential one may begin them all from its server.
    const limited = client.isPublic ? await takeShare(deps.deviceStarts, request.addressGroup) : undefined;
    if (limited !== undefined) throw tooManyFailures(refuse, limited);
    const [deviceCode, linkCode, userCode] = [newInvitationToken(), newInvitationToken(), newUserCode()];
    const asked = {
      codeHash: hashInvitationToken(deviceCode),
      linkHash: hashInvitationToken(linkCode),
      ...{ userCode, clientId: client.id, scopes, resource, addressGroup: request.addressGroup },
    };
    if (!(await write(deps, { actor: SYSTEM, origin: request }, (tx) => insertAsked(tx, asked)))) {
      // The client may have just been deleted. If not, another device shows the same code, once in a lifetime.
      const isDeleted = (await oauthClients.find(deps.db, client.id)) === undefined;
      throw refuse(isDeleted ? 'invalid_client' : 'unavailable');
    }
    const page = `${deps.publicUrl.replace(/\/$/, '')}${PAGE_PATHS.device}`;
    return {
      device_code: deviceCode,
      user_code: shown(userCode),
      verification_uri: page,
      // After the `#`, as in mails. It is not the user code, which a link that somebody sends must not tell.
      verification_uri_complete: `${page}#Code=${linkCode}`,
      expires_in: LIFETIME_SECONDS,
      interval: POLL_SECONDS,
    };
  },
});

const DeviceAnswer = Type.Object(
  {
    Kind: Enum(['Login', 'LoginAgain', 'Code', 'Prove', 'Ask', 'Refused', 'Approved', 'Denied'], {
      description:
        '`LoginAgain`: the browser has its session from an app; `Prove`: the owner must prove their identity; ' +
        '`Refused`: the application does not let this account in',
    }),
    Client: Type.Optional(
      Type.Object({ Name: Type.String({ description: 'Who asks' }) }, { title: 'DeviceClient' }),
    ),
    Email: Optional.String({ description: '`Ask`: whose account it is' }),
    Scopes: Type.Optional(Type.Array(Type.String(), { description: '`Ask`: what it asks for' })),
    Outlives: Optional.Boolean({ description: '`Ask`: whether it outlives the session' }),
    StartedAt: Type.Optional(Timestamp()),
    AddressGroup: Optional.String({ description: '`Ask`: the network of the device' }),
    IsSameNetwork: Optional.Boolean({ description: '`Ask`: whether it is that of this browser' }),
    Choices: Type.Optional(
      Type.Array(Type.String(), {
        description: '`Ask` with a `LinkCode`: one of them is on the screen of the device',
      }),
    ),
    ConsentTo: Optional.String({ description: '`Ask`: to be sent with the answer' }),
  },
  { title: 'DeviceAnswer' },
);

const Asked = Type.Object({
  UserCode: Optional.String({ maxLength: 40, description: 'What the device shows' }),
  LinkCode: Optional.String({ maxLength: 100, description: 'From the link of the QR code' }),
  Answer: Type.Optional(Enum(['granted', 'denied'], { description: 'What the user has answered' })),
  Choice: Optional.String({
    maxLength: 40,
    description: 'With a `LinkCode`: which of `Choices` the device shows',
  }),
  ConsentTo: Optional.String({ maxLength: 100, description: 'From the question' }),
  ...OwnerProofBody.properties,
});

const ERRORS = [...OWNER_PROOF_ERRORS, 'invalid_code', 'cross_site'] as const;

export const answerDevice = route('POST /oauth/device', {
  operationId: 'answerDevice',
  tag: 'Applications',
  summary: 'Approve or deny a sign-in on a device',
  description:
    'For the page `/device`. The session is that of the browser’s cookie. After a link, a wrong `Choice` denies.',
  access: 'public',
  body: Asked,
  response: DeviceAnswer,
  errors: ERRORS,
  handler: async ({ body, deps, request, refuse }): Promise<Static<typeof DeviceAnswer>> => {
    const session = await sessionOf(deps, request);
    if (session === undefined) return { Kind: 'Login' };
    request.addToLog({ accountId: session.accountId, sessionId: session.sessionId });
    // Whoever handed the session over to this browser may not be its user.
    if (ownSession(session).isHandedOver) return { Kind: 'LoginAgain' };
    if (hasProof(body)) await confirm({ deps, request, refuse }, body, session);
    const own = await findSignedIn(deps.db, ownSession(session));
    if (own === undefined) return { Kind: 'Login' };
    const endsAt = endOfCredential(session) ?? null;
    return decide({ deps, body, own, endsAt, request, refuse });
  },
});

interface DeviceCall {
  deps: Deps;
  body: Static<typeof Asked>;
  own: SignedIn;
  endsAt: number | null;
  request: RequestFacts;
  refuse: Refuse<(typeof ERRORS)[number]>;
}

interface AskedSignIn {
  codeHash: Buffer;
  userCode: string;
  clientId: string;
  scopes: string[];
  resource: string | null;
  addressGroup: string;
  createdAt: Date;
  isApproved: boolean;
}

/**
 * Decides about a sign-in on a device. Whoever types its code has seen its screen, if nobody has told them the code. A link
 * can be sent by anybody, so whoever follows one is asked which code the device shows, and has one try.
 */
async function decide(call: DeviceCall): Promise<Static<typeof DeviceAnswer>> {
  const { deps, body, own, request, refuse } = call;
  if (body.LinkCode === undefined && body.UserCode === undefined) return { Kind: 'Code' };
  const asked = await findAsked(call);
  const client = asked && (await oauthClients.find(deps.db, asked.clientId));
  if (asked === undefined || client?.grantTypes.includes(DEVICE_GRANT) !== true) throw refuse('invalid_code');
  const about = { Client: { Name: client.name } };
  if (asked.isApproved && body.Answer !== 'denied') return { Kind: 'Approved', ...about };
  const deny = async () => {
    if (!(await answer(call, asked, client, false))) throw refuse('invalid_code');
    return { Kind: 'Denied' as const, ...about };
  };
  if (body.Answer === 'denied') return deny();
  if (!isLetIn(client, own)) return { Kind: 'Refused', ...about };
  const isProved = own.authenticatedBy !== null && (own.authenticatedAt ?? 0) >= own.now - FRESH_SECONDS;
  if (!isProved) return { Kind: 'Prove', ...about };

  const consentTo = digestOf(asked, own);
  const isByLink = body.LinkCode !== undefined;
  const isAnswered = body.Answer === 'granted' && body.ConsentTo === consentTo;
  if (!isAnswered || (isByLink && body.Choice === undefined))
    return {
      ...{ Kind: 'Ask', ...about, Email: own.email, Scopes: asked.scopes, ConsentTo: consentTo },
      ...{ StartedAt: asked.createdAt.toISOString(), AddressGroup: asked.addressGroup },
      IsSameNetwork: asked.addressGroup === request.addressGroup,
      ...(isByLink && { Choices: choicesOf(asked) }),
      ...(client.grants === 'own' && { Outlives: true }),
    };
  if (isByLink && readUserCode(body.Choice ?? '') !== asked.userCode) return deny();
  const limited = await takeShare(deps.authorizations, own.accountId);
  if (limited !== undefined) throw tooManyFailures(refuse, limited);
  if (!(await answer(call, asked, client, true))) throw refuse('invalid_code');
  await deps.sessionCache.keepAlive(own.accountId, own.sessionId);
  return { Kind: 'Approved', ...about };
}

/** Counts wrong codes by account and by address. What this account has approved is found: our answer may be lost. */
async function findAsked({ deps, body, own, request, refuse }: DeviceCall): Promise<AskedSignIn | undefined> {
  const { LinkCode: linkCode, UserCode: userCode } = body;
  const by =
    linkCode === undefined
      ? { linkHash: null, userCode: readUserCode(userCode ?? '') ?? null }
      : { linkHash: hashInvitationToken(linkCode), userCode: null };
  const ofAccount = { by: 'address', addressGroup: own.accountId } as const;
  const outcome = await withAddressThrottle(deps, request, () =>
    withThrottle({ ...deps, failures: deps.deviceCodes }, ofAccount, async () => {
      const found = await query.row<AskedSignIn>(
        deps.db,
        `select code_hash as "codeHash", user_code as "userCode", client_id as "clientId", scopes, resource,
           address_group as "addressGroup", created_at as "createdAt", is_approved is not null as "isApproved"
         from device_authorization d
         where (link_hash = cast(:linkHash as bytea) or user_code = cast(:userCode as text)) and expires_at > now()
           and (is_approved is null
             or exists (select from oauth_code c where c.code_hash = d.code_hash and c.account_id = :accountId))`,
        { ...by, accountId: own.accountId },
      );
      return {
        counts: found === undefined ? 'failed' : 'succeeded',
        outcome: { kind: 'found', found },
      } as const;
    }),
  );
  if (outcome.kind === 'throttled') throw tooManyFailures(refuse, outcome);
  return outcome.found;
}

/**
 * Approves a sign-in with a code for the session, and with the consent that was just given, or denies it; `false` if it was
 * answered or has expired, the session has ended, or the client was deleted.
 */
async function answer(
  { deps, own, endsAt, request }: DeviceCall,
  { codeHash, clientId, scopes, resource }: AskedSignIn,
  client: OAuthClient,
  isApproved: boolean,
): Promise<boolean> {
  const { accountId, sessionId, authenticatedAt, authenticatedBy } = own;
  const whose = { clientId, accountId };
  const author = { ...asOwner(accountId, request), target: { kind: 'OauthClient', id: clientId } as const };
  return write<boolean>(deps, author, async (tx, rollBack) => {
    await accounts.lockById(tx, accountId);
    if (!(await oauthClients.hold(tx, { ...whose, sessionId }))) return false;
    if (!(await settle(tx, { codeHash, isApproved }))) return false;
    tx.audit(isApproved ? 'device.approved' : 'device.denied', { Scopes: scopes });
    if (!isApproved) return true;
    if (!client.isTrusted && (await grantConsent(tx, { ...whose, scopes })))
      tx.audit('consent.granted', { Scopes: scopes });
    const isStored = await insertCode(tx, {
      ...{ ...whose, codeHash, sessionId, scopes, resource, authenticatedAt, authenticatedBy, endsAt },
      ...{ redirectUri: '', codeChallenge: null, nonce: null, lifetimeSeconds: APPROVED_SECONDS },
    });
    return isStored ? true : rollBack(false);
  });
}

/** Notes the answer; `false` if there is one already, or the code has expired. */
const settle = txStatement.any<{ codeHash: Buffer; isApproved: boolean }>(`
  update device_authorization set is_approved = :isApproved
  where code_hash = :codeHash and is_approved is null and expires_at > now()
  returning 1`);

const insertAsked = txStatement.any<Omit<AskedSignIn, 'createdAt' | 'isApproved'> & { linkHash: Buffer }>(`
  insert into device_authorization (
    code_hash, user_code, link_hash, client_id, scopes, resource, address_group, poll_interval, expires_at)
  select
    :codeHash, :userCode, :linkHash, id, cast(:scopes as text[]), :resource, :addressGroup, ${POLL_SECONDS},
    now() + make_interval(secs => ${LIFETIME_SECONDS})
  from oauth_client
  where id = :clientId
  for key share
  on conflict (user_code) do nothing
  returning 1`);

/**
 * What a device learns when it asks for its tokens (RFC 8628 §3.5); `undefined`: the code is none of this client. Whoever
 * asks sooner than the interval allows, but for a second of the network, waits five seconds longer from then on.
 */
export const pollDevice = txStatement.value<DeviceState, { codeHash: Buffer; clientId: string }>(`
  with asked as (
      select code_hash, coalesce(polled_at > now() - make_interval(secs => poll_interval - 1), false) as is_early
      from device_authorization
      where code_hash = :codeHash and client_id = :clientId
      for update
    )
    update device_authorization d
    set polled_at = now(), poll_interval = case when is_early then least(poll_interval + 5, 60) else poll_interval end
    from asked
    where d.code_hash = asked.code_hash
    returning case
      when is_approved then 'approved'
      when not is_approved then 'access_denied'
      when expires_at <= now() then 'expired_token'
      when is_early then 'slow_down'
      else 'authorization_pending'
    end as state`);

type DeviceState = 'approved' | 'access_denied' | 'expired_token' | 'slow_down' | 'authorization_pending';

/** Letters of which no words are made, and that nobody confuses with digits (RFC 8628 §6.1). */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
const LENGTH = 8;

function newUserCode(): string {
  return Array.from({ length: LENGTH }, () => LETTERS.charAt(randomInt(LETTERS.length))).join('');
}

/** The letters of a code as somebody has typed it; `undefined` if it cannot be one. */
function readUserCode(text: string): string | undefined {
  const letters = text.replaceAll(/[\s\p{Pd}]/gu, '');
  const isCode = letters.length === LENGTH && /^[A-Za-z]+$/.test(letters);
  return isCode ? letters.toUpperCase() : undefined;
}

function shown(userCode: string): string {
  return `${userCode.slice(0, LENGTH / 2)}-${userCode.slice(LENGTH / 2)}`;
}

/** The code of the device among two others, always the same, in no order that tells which. */
function choicesOf({ codeHash, userCode }: AskedSignIn): string[] {
  const others = [1, 2].map((which) => {
    const bytes = createHash('sha256').update(codeHash).update(String(which)).digest().subarray(0, LENGTH);
    return Array.from(bytes, (byte) => LETTERS.charAt(byte % LETTERS.length)).join('');
  });
  return [userCode, ...others].toSorted().map(shown);
}

function digestOf({ codeHash, clientId }: AskedSignIn, { sessionId }: SignedIn): string {
  return createHash('sha256').update(codeHash).update(`${sessionId} ${clientId}`).digest('base64url');
}
