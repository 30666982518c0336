import { oauthClients, type OAuthClient } from '@gatehouse/db';
import { isUuid } from '@gatehouse/schema';
import type { Deps } from '../../deps.ts';
import { agentIdOf, findAgent, type Caller, type FoundClient } from './find-agent.ts';

/** The client that a browser comes from: by its id, or by the address of its document, as that says now. */
export async function findClient(
  deps: Deps,
  clientId: string,
  caller: Caller,
): Promise<FoundClient | undefined> {
  if (!isUuid(clientId)) return findAgent(deps, clientId, caller);
  const client = await oauthClients.find(deps.db, clientId);
  return client !== undefined && isCalled(client, clientId) ? { client } : undefined;
}

/**
 * The id by which a client is stored, of what it calls itself; `undefined` if it may not. In the database, the APIs and
 * access tokens, every client is a UUID.
 */
export function storedIdOf({ agents }: Pick<Deps, 'agents'>, clientId: string): string | undefined {
  return isUuid(clientId) ? clientId : agentIdOf(agents, clientId);
}

/** Whether a client goes by this `client_id`: one that has a document, by its address alone. */
export function isCalled({ documentUrl }: OAuthClient, clientId: string): boolean {
  return documentUrl === null || documentUrl === clientId;
}

/** What a client knows itself by, such as the `aud` of its ID tokens. */
export function clientIdOf({ id, documentUrl }: OAuthClient): string {
  return documentUrl ?? id;
}
