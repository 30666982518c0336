import { FAILED_CHECK, withAddressThrottle } from '@gatehouse/accounts';
import { oauthClients, type OAuthClient, type OAuthClientWithSecrets } from '@gatehouse/db';
import { invalidRequest, tooManyFailures, type Refuse, type RequestFacts } from '@gatehouse/http';
import { isUuid, Optional, Type, type Static } from '@gatehouse/schema';
import type { Deps } from '../deps.ts';
import { isCalled, storedIdOf } from './agents/find-agent.ts';

/** How a client authenticates, if not by the header `Authorization`. */
export const ClientCredentials = Type.Object({
  client_id: Optional.String({
    maxLength: 255,
    description: 'The id of the client, or the address of its document',
  }),
  client_secret: Optional.String({ maxLength: 200, description: 'The secret of a confidential client' }),
});

export const CLIENT_ERRORS = ['invalid_client', 'too_many_requests'] as const;

/** What a client says it is, and the texts of which one must be its secret. */
interface Shown {
  id: string;
  secrets: readonly string[];
}

/**
 * The client that calls, authenticated by its secret, in the header or in the form (RFC 6749 §2.3.1); a public client says
 * only who it is. Secrets are too long to guess, so a right one is never refused because of wrong ones: failures are
 * counted by address once they have failed. A client that fails is logged, too.
 */
export async function callingClient(
  deps: Deps,
  form: Static<typeof ClientCredentials>,
  request: RequestFacts,
  refuse: Refuse<(typeof CLIENT_ERRORS)[number]>,
): Promise<OAuthClient> {
  const { authorization } = request.headers;
  const { client_id: formId, client_secret: formSecret } = form;
  const inForm = formId && { id: formId, secrets: formSecret === undefined ? [] : [formSecret] };
  const shown = authorization === undefined ? inForm : readBasic(authorization);
  const isTwice = authorization !== undefined && formSecret !== undefined;
  if (isTwice || (formId !== undefined && shown && formId !== shown.id))
    throw invalidRequest('A client authenticates in one way only');
  const client = shown ? await readCalled(deps, shown.id) : undefined;
  request.addToLog({ clientId: client?.id });
  if (shown && client !== undefined && isAuthentic(deps, client, shown.secrets)) return client;
  const counters = { ...deps, failures: deps.clientFailures };
  const outcome = await withAddressThrottle(counters, request, () => Promise.resolve(FAILED_CHECK));
  throw outcome.kind === 'throttled' ? tooManyFailures(refuse, outcome) : refuse('invalid_client');
}

async function readCalled(deps: Deps, clientId: string): Promise<OAuthClientWithSecrets | undefined> {
  const id = storedIdOf(deps, clientId);
  if (id === undefined) return undefined;
  // One with a document appears when somebody lets it in, and nobody can have it remembered as missing.
  const client = await (isUuid(clientId) ? deps.readClient(id) : oauthClients.findWithSecrets(deps.db, id));
  return client !== undefined && isCalled(client, clientId) ? client : undefined;
}

function isAuthentic(
  { clientSecrets }: Pick<Deps, 'clientSecrets'>,
  { isPublic, secretHashes }: { isPublic: boolean; secretHashes: readonly Buffer[] },
  secrets: readonly string[],
): boolean {
  if (secrets.length === 0) return isPublic;
  return !isPublic && secrets.some((secret) => clientSecrets.matches(secret, secretHashes));
}

/**
 * The two parts of `Basic …`, each of which is encoded like a form's value (RFC 6749 §2.3.1). Many clients do not encode
 * them, so the secret counts as it is, too: ours have nothing to encode, but a declared one may have `+` or `%`.
 */
function readBasic(authorization: string): Shown | undefined {
  const [, encoded = ''] = BASIC.exec(authorization) ?? [];
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon === -1) return undefined;
  const [id, secret] = [decode(text.slice(0, colon)), text.slice(colon + 1)];
  if (id === undefined) return undefined;
  const decoded = decode(secret);
  return { id, secrets: decoded === undefined ? [secret] : [decoded, secret] };
}

const BASIC = /^basic +([A-Za-z0-9+/]{1,1000}={0,2})$/i;

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
