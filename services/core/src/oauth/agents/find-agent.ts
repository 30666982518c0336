import { takeShare, write, type AccountsDeps } from '@gatehouse/accounts';
import { clientDocuments, oauthClients, type ClientDocument, type OAuthClient } from '@gatehouse/db';
import { tooManyFailures, type Refuse, type RequestFacts } from '@gatehouse/http';
import { Unavailable } from '@gatehouse/runtime';
import { isUuid } from '@gatehouse/schema';
import type { Deps } from '../../deps.ts';
import type { AgentRules, Agents } from './agent-settings.ts';
import { hostOfDocument, idOfDocument, readClientDocument } from './client-document.ts';

export interface FoundClient {
  client: OAuthClient;
  agent?: { host: string; calledItself: string | undefined };
}

type Caller = { facts: RequestFacts; refuse: Refuse<'too_many_requests'> };

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

/** A client’s UUID in the database, the APIs and access tokens; `undefined` if it may not call itself so. */
export function storedIdOf({ agents }: Pick<Deps, 'agents'>, clientId: string): string | undefined {
  if (isUuid(clientId)) return clientId;
  const host = hostOfDocument(clientId);
  const isAgent = agents !== undefined && host !== undefined && isAdmitted(agents, host);
  return isAgent ? idOfDocument(clientId) : undefined;
}

/** Whether a client goes by this `client_id`: one that has a document, by its address alone. */
export function isCalled({ documentUrl }: OAuthClient, clientId: string): boolean {
  return documentUrl === null || documentUrl === clientId;
}

/** What a client knows itself by, such as the `aud` of its ID tokens. */
export function clientIdOf({ id, documentUrl }: OAuthClient): string {
  return documentUrl ?? id;
}

/**
 * The client of a document, as the document says now. It need not be stored yet: it is as soon as somebody lets it in. Why
 * there is none is in the log, for its developer.
 *
 * @throws {Unavailable} if the hook worker does not answer in time.
 */
async function findAgent(deps: Deps, url: string, caller: Caller): Promise<FoundClient | undefined> {
  const { agents, db } = deps;
  const host = hostOfDocument(url);
  if (agents === undefined || host === undefined) return undefined;
  const refused = (fault: string): undefined => {
    caller.facts.addToLog({ clientDocument: url, problem: fault });
    return undefined;
  };
  if (!isAdmitted(agents, host)) return refused('its host is not in AGENT_HOSTS');
  const document = await readDocument(deps, agents, url, caller);
  if ('fault' in document) return refused(document.fault);
  const { redirectUris, calledItself } = document;
  const id = idOfDocument(url);
  const known = await oauthClients.find(db, id);
  const client = {
    ...(known ?? NEW_AGENT),
    ...{ id, documentUrl: url, redirectUris, scopes: agents.scopes, resources: agents.resources },
    // The host first, wherever the name is shown: it is a fact.
    name: calledItself === undefined ? host : `${host} (${calledItself})`,
  };
  return { client, agent: { host, calledItself } };
}

function isAdmitted({ hosts }: Agents, host: string): boolean {
  return hosts === null || hosts.includes(host);
}

const NEW_AGENT: Omit<OAuthClient, 'id' | 'name' | 'redirectUris' | 'scopes' | 'resources'> = {
  documentUrl: null,
  isPublic: true,
  postLogoutRedirectUris: [],
  backchannelLogoutUri: null,
  grantTypes: ['authorization_code', 'refresh_token'],
  isTrusted: false,
  roles: ['User', 'Admin'],
  groups: [],
  requiresPkce: true,
  requiresNonce: true,
  anyLocalhostPort: true,
  idTokenAlg: 'RS256',
  sessionTag: null,
  grants: 'own',
  grantMaxSeconds: null,
  isDeclared: false,
  createdAt: new Date(0),
  previousSecretExpiresAt: null,
};

/** A document that is wrong, or cannot be fetched, is not fetched again for this time. */
const FAULTY_SECONDS = 60;
/** Of all unknown documents together, so that nobody makes the hook worker call others all the time. */
const PER_MINUTE = 20;
/** Less than an answer may take. */
const WAIT_MS = 3500;
const LOOK_MS = 150;

async function readDocument(deps: Deps, agents: Agents, url: string, { facts, refuse }: Caller) {
  const stored = await clientDocuments.find(deps.db, url);
  if (stored !== undefined) {
    const known = readAnswer(stored, url);
    if ('fault' in known ? stored.ageSeconds < FAULTY_SECONDS : stored.leftSeconds > 0) return known;
  }
  const { waiting } = agents;
  if (!waiting.has(url)) {
    const limited = await takeShare(deps.clientDocuments, facts.addressGroup);
    if (limited !== undefined) throw tooManyFailures(refuse, limited);
  }
  const answer = waiting.get(url) ?? fetchDocument(deps, url, facts).finally(() => waiting.delete(url));
  waiting.set(url, answer);
  return readAnswer(await answer, url);
}

function readAnswer({ body, fault }: ClientDocument, url: string) {
  return body === null ? { fault: `could not be fetched: ${fault}` } : readClientDocument(body, url);
}

/** Has the hook worker fetch a document, and waits for it: no service that has keys calls addresses that others choose. */
async function fetchDocument(deps: Deps, url: string, origin: RequestFacts): Promise<ClientDocument> {
  const isWanted = await write(deps, { actor: { kind: 'System' }, origin }, (tx) =>
    clientDocuments.want(tx, { url, perMinute: PER_MINUTE }),
  );
  const until = performance.now() + WAIT_MS;
  while (isWanted && performance.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    const answer = await clientDocuments.find(deps.db, url);
    if (answer !== undefined) return answer;
  }
  throw new Unavailable('the document of an application');
}

const NOBODY: AgentRules = { hosts: [], scopes: [], resources: [] };

/**
 * Deletes documents that are over, and their clients that nobody is signed in to, or that the settings of no instance have
 * admitted for ten minutes: whoever is signed in to one of those is signed out. Must be called every minute.
 */
export async function forgetAgents(deps: AccountsDeps, rules: AgentRules | undefined): Promise<void> {
  const target = { kind: 'OauthClient', id: undefined } as const;
  await write(deps, { actor: { kind: 'System' }, target }, async (tx) => {
    for (const { id, name } of await clientDocuments.forget(tx, rules ?? NOBODY))
      tx.audit('client.deleted', { Name: name }, id);
  });
}
