import { actorOf, type WriteTransaction } from '@gatehouse/accounts';
import { areWithin, networkCheck, type Caller } from '@gatehouse/auth-core';
import { invalidField, readFutureMoment } from '@gatehouse/http';
import { by, computed, record, sql, time, timeOrNull, type RowOf } from '@gatehouse/kit';
import { NameOf, Nullable, STATIC_TOKEN_ROLES, Timestamp, Type, Uuid } from '@gatehouse/schema';
import { v7 as newId } from 'uuid';
import { changes, creates, list, one, removes, routes } from '../deps.ts';

const Role = NameOf(STATIC_TOKEN_ROLES);

const fields = {
  id: Uuid(),
  name: Type.String(),
  prefix: Type.String({ description: 'The first characters of the token' }),
  role: Role,
  createdAt: time(),
  createdBy: Nullable(Uuid(), { description: 'The account or static token that created it' }),
  lastUsedAt: timeOrNull({ description: 'Updated with a delay of a few seconds; null if never used' }),
  lastUsedIp: computed(
    Nullable(Type.String(), { description: 'The address of the last use; updated with the same delay' }),
    'host(last_used_ip)',
  ),
  expiresAt: timeOrNull({ description: 'null if it never expires' }),
  networks: Nullable(Type.Array(Type.String()), { description: 'null if it is accepted from anywhere' }),
  replacedBy: Nullable(Uuid(), { description: 'The token that replaced it' }),
  revokedAt: timeOrNull({ description: 'null if not revoked' }),
};

/** A static API token, even if revoked, without the token and its hash. */
const ApiToken = record('api_token', fields, { name: 'ApiToken', noun: 'API token', hidden: ['tokenHash'] });

/** Only the answer to a creation or rotation contains it. */
const Token = Type.String({ description: 'The token. Send it as `Authorization: Bearer <Token>`.' });

export const tokenRoutes = routes({ tag: 'API tokens', access: ['Admin'] }, [
  list(ApiToken, 'GET /admin/api-token', {
    summary: 'List static API tokens, newest first',
    description:
      'Includes revoked tokens. The token values are not stored and cannot be shown. `createdBy` is the ID of the ' +
      'account or API token that created them.',
    filters: { createdBy: by(Uuid()) },
  }),

  one(ApiToken, 'GET /admin/api-token/:id', {
    summary: 'Get a static API token',
    description: 'Includes revoked tokens. The token value is not stored and cannot be shown.',
  }),

  creates(ApiToken, 'POST /admin/api-token', {
    summary: 'Create a static API token',
    description:
      'The token acts for the installation, never expires unless `ExpiresAt` is set, and is shown only in this ' +
      'response. With `Networks` it is accepted only from these addresses. `Feed` can only check tokens and follow ' +
      'which sessions ended; the default role, `Service`, can also invite to and revoke access to any content and ' +
      'manage persons; `Admin` has all the rights of an administrator.',
    recent: 'session',
    body: {
      Name: Type.String({
        format: 'plain-text',
        minLength: 1,
        maxLength: 100,
        pattern: /\S/.source,
        description: 'The purpose of the token',
      }),
      Role: Type.Optional(Role),
      ExpiresAt: Type.Optional(Timestamp()),
      Networks: Type.Optional(
        Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
          minItems: 1,
          maxItems: 50,
          description: 'IP addresses and CIDR ranges from which the token is accepted; anywhere if omitted',
        }),
      ),
    },
    also: { Token },
    run: async ({ tx, deps, id, caller, body }) => {
      const { Name: name, Role: role = 'Service', ExpiresAt: end, Networks: networks } = body;
      const expiresAt = end === undefined ? undefined : readFutureMoment(end, '/ExpiresAt', deps.now());
      checkNetworks(networks);
      const bounds = await boundsOf(tx, caller);
      if (networks !== undefined && !areWithin(networks, bounds.networks)) throw exceeds('/Networks');
      if (expiresAt !== undefined && bounds.expiresAt !== null && expiresAt > bounds.expiresAt)
        throw exceeds('/ExpiresAt');
      const { token, hash: tokenHash, prefix } = deps.staticTokens.issue();
      const row = await ApiToken.insert(tx, {
        ...{ id, name, prefix, tokenHash, role, createdBy: actorOf(caller).id },
        expiresAt: expiresAt ?? bounds.expiresAt,
        networks: networks ?? bounds.networks,
      });
      tx.audit('api-token.created', auditedToken(row));
      return { row, Token: token };
    },
  }),

  changes(ApiToken, 'POST /admin/api-token/:id/rotate', {
    operationId: 'rotateApiToken',
    summary: 'Replace a static API token',
    description:
      'Creates a token with the same name, role and networks, which is shown only in this response. The older one ' +
      'works for `OverlapSeconds` more, so that both are valid while callers switch to the new one. If the older ' +
      'one has an expiry, the new one gets the same lifetime, starting now. Returns 409 if it is revoked, expired ' +
      'or already replaced.',
    recent: 'session',
    body: { OverlapSeconds: Type.Integer({ minimum: 0, maximum: 30 * 86_400 }) },
    also: { Token },
    status: 201,
    errors: ['conflict'],
    run: async ({ tx, deps, id, before, caller, body: { OverlapSeconds }, refuse }) => {
      const isValid = 'revoked_at is null and (expires_at is null or expires_at > now())';
      // Of two calls at once, the second has waited for the lock, and finds the token replaced.
      const [valid] = await ApiToken.rows(tx, `where id = ? and replaced_by is null and ${isValid}`, [id]);
      if (valid === undefined)
        throw refuse('conflict', 'The API token is revoked, expired or already replaced');
      // A token that replaces another one, or itself, passes on its own restrictions where those go beyond them.
      const bounds = await boundsOf(tx, caller);
      const { token, hash: tokenHash, prefix } = deps.staticTokens.issue();
      const row = await ApiToken.insert(tx, {
        ...{ id: newId(), name: before.name, prefix, tokenHash, role: before.role },
        createdBy: actorOf(caller).id,
        networks: areWithin(before.networks, bounds.networks) ? before.networks : bounds.networks,
        expiresAt: sql`least(
          (select now() + make_interval(secs => extract(epoch from expires_at - created_at)::float8)
           from api_token where id = ${id}),
          cast(${bounds.expiresAt} as timestamptz))`,
      });
      await ApiToken.update(tx, id, {
        replacedBy: row.id,
        expiresAt: sql`least(expires_at, now() + make_interval(secs => ${OverlapSeconds}))`,
      });
      tx.audit('api-token.rotated', { ReplacedBy: row.id, OverlapSeconds });
      tx.audit('api-token.created', auditedToken(row), row.id);
      return { row, Token: token };
    },
  }),

  removes(ApiToken, 'DELETE /admin/api-token/:id', {
    operationId: 'revokeApiToken',
    summary: 'Revoke a static API token',
    description:
      'All services reject the token within half a second. It remains in the list as revoked. Revoking it again ' +
      'has no effect.',
    recent: 'session',
    run: async ({ tx, id, before }) => {
      if (before.revokedAt !== null) return;
      await ApiToken.update(tx, id, { revokedAt: sql`now()` });
      tx.audit('api-token.revoked');
    },
  }),
]);

/**
 * The restrictions of every token that the caller creates: those of the token that it uses, null where there is none.
 * Otherwise a leaked token could replace itself by one that works from everywhere and for ever.
 */
async function boundsOf(tx: WriteTransaction, caller: Caller) {
  const token = caller.kind === 'service' ? await ApiToken.find(tx, caller.tokenId) : undefined;
  return { networks: token?.networks ?? null, expiresAt: token?.expiresAt ?? null };
}

/** @throws {ApiError} 400 with the first entry that is neither an address nor a range. */
function checkNetworks(networks: readonly string[] | undefined): void {
  for (const [at, network] of (networks ?? []).entries()) {
    if (isNetwork(network)) continue;
    const message = 'must be an IP address or a CIDR range';
    throw invalidField(`/Networks/${at}`, message, 'malformed');
  }
}

function isNetwork(text: string): boolean {
  if (!/^[0-9A-Fa-f.:/]+$/.test(text)) return false;
  try {
    networkCheck([text]);
    return true;
  } catch {
    return false;
  }
}

function exceeds(pointer: string) {
  const message = 'must be within the restrictions of the token that creates it';
  return invalidField(pointer, message, 'does_not_go_with');
}

function auditedToken({ role, networks, expiresAt }: RowOf<typeof fields>): Record<string, unknown> {
  return {
    Role: role,
    ...(networks && { Networks: networks }),
    ...(expiresAt && { ExpiresAt: expiresAt.toISOString() }),
  };
}
