import type { OAuthClient } from '@gatehouse/db';
import { isUuid } from '@gatehouse/schema';
import type { AccountsDeps, ThrottleDeps } from '../deps.ts';
import { withThrottle, type Throttled } from '../checks/attempts.ts';

export interface ShownClient {
  /** The header `Authorization`. */
  authorization: string | undefined;
  form: { client_id?: string | undefined; client_secret?: string | undefined };
  addressGroup: string;
}

/** The client that calls, or why it is refused; `invalid_request`: it has authenticated in two ways. */
export type ClientAuthentication =
  | { kind: 'client'; client: OAuthClient }
  | { kind: 'invalid_request' }
  /** `clientId`: the client whose secret was wrong, if there is such a client. */
  | (({ kind: 'invalid_client' } | Throttled) & { clientId: string | undefined });

/**
 * Authenticates a client by its secret, in the header or in the form (RFC 6749 §2.3.1); a public client says only who it
 * is. Secrets are too long to guess, so a right one is never refused because of wrong ones: failures are counted by address
 * once they have failed.
 */
export async function authenticateClient(
  deps: ThrottleDeps & Pick<AccountsDeps, 'clientSecrets' | 'clientFailures' | 'readClient'>,
  { authorization, form, addressGroup }: ShownClient,
): Promise<ClientAuthentication> {
  const shown =
    authorization === undefined
      ? { id: form.client_id, secret: form.client_secret }
      : readBasic(authorization);
  const isTwice = authorization !== undefined && form.client_secret !== undefined;
  if (isTwice || (form.client_id !== undefined && shown !== undefined && form.client_id !== shown.id)) {
    return { kind: 'invalid_request' };
  }
  const { id, secret } = shown ?? {};
  const client = id !== undefined && isUuid(id) ? await deps.readClient(id) : undefined;
  if (client !== undefined && isAuthentic(deps, client, secret)) return { kind: 'client', client };
  const counted = { by: 'address', addressGroup } as const;
  const failed = { counts: 'failed', outcome: { kind: 'invalid_client' } } as const;
  const { outcome } = await withThrottle({ ...deps, failures: deps.clientFailures }, counted, () =>
    Promise.resolve(failed),
  );
  return { ...outcome, clientId: client?.id };
}

function isAuthentic(
  { clientSecrets }: Pick<AccountsDeps, 'clientSecrets'>,
  { isPublic, secretHashes }: { isPublic: boolean; secretHashes: readonly Buffer[] },
  secret: string | undefined,
): boolean {
  if (secret === undefined) return isPublic;
  return !isPublic && clientSecrets.matches(secret, secretHashes);
}

/** The two parts of `Basic …`, each of which is encoded like a form's value. */
function readBasic(authorization: string): { id: string; secret: string } | undefined {
  const [, encoded = ''] = BASIC.exec(authorization) ?? [];
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon === -1) return undefined;
  const decoded = [text.slice(0, colon), text.slice(colon + 1)].map(decode);
  const [id, secret] = decoded;
  return id === undefined || secret === undefined ? undefined : { id, secret };
}

const BASIC = /^basic ([A-Za-z0-9+/]{1,1000}={0,2})$/i;

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
