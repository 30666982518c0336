import type { ClientDocument } from '@gatehouse/db';
import { ConfigError, setting } from '@gatehouse/runtime';
import { OAUTH_SCOPES, uriFault, type Static, type TObject } from '@gatehouse/schema';
import { HOST } from './client-document.ts';

export function agentSettings() {
  return {
    AGENT_HOSTS: setting(
      'off',
      'Hosts, with commas, whose applications say in a document what they are; `*` for all',
    ),
    AGENT_RESOURCES: setting('', 'The APIs, with commas, for which such applications may request tokens'),
    AGENT_SCOPES: setting('', 'Scopes of these APIs that they may ask for, with commas'),
  };
}

/** Which applications may say in a document what they are, and what they may ask for. */
export interface AgentRules {
  /** Null: of all hosts. */
  hosts: readonly string[] | null;
  scopes: string[];
  resources: string[];
}

export interface Agents extends AgentRules {
  /** Answers that requests wait for, so that one look serves all of them. */
  waiting: Map<string, Promise<ClientDocument>>;
}

/** @throws {ConfigError} for what is no host, resource or scope, for too many, or if nobody would fetch documents. */
export function readAgentRules(
  settings: Static<TObject<ReturnType<typeof agentSettings>>> & { AUDIENCE: string; WEBHOOKS: 'off' | 'on' },
): AgentRules | undefined {
  const hosts = listOf(settings.AGENT_HOSTS);
  const resources = listOf(settings.AGENT_RESOURCES);
  const own = listOf(settings.AGENT_SCOPES);
  const isWord = hosts.length === 1 && /^(?:off|\*)$/.test(hosts[0] ?? '');
  const wrongHost = isWord ? undefined : hosts.find((host) => !HOST.test(host));
  if (wrongHost !== undefined || hosts.length === 0)
    throw new ConfigError(
      `AGENT_HOSTS: "${wrongHost ?? ''}" is no host in lower case, such as agent.example.com; or set it to off or * alone`,
    );
  const wrongResource = resources.find((uri) => uriFault(uri) !== undefined || uri === settings.AUDIENCE);
  if (wrongResource !== undefined)
    throw new ConfigError(
      `AGENT_RESOURCES: "${wrongResource}" is no absolute URI, or Gatehouse’s own AUDIENCE`,
    );
  const wrongScope = own.find((scope) => !SCOPE.test(scope));
  if (wrongScope !== undefined) throw new ConfigError(`AGENT_SCOPES: "${wrongScope}" is no scope`);
  const scopes = [...new Set([...OAUTH_SCOPES.filter((scope) => scope !== 'groups'), ...own])];
  if (resources.length > RESOURCES_MAX)
    throw new ConfigError(`AGENT_RESOURCES names more than ${RESOURCES_MAX}`);
  if (scopes.length > SCOPES_MAX)
    throw new ConfigError(`AGENT_SCOPES: with those of OpenID Connect, there are more than ${SCOPES_MAX}`);
  if (hosts[0] === 'off') return undefined;
  if (settings.WEBHOOKS === 'off')
    throw new ConfigError('AGENT_HOSTS needs a hook worker, which fetches the documents: set WEBHOOKS to on');
  return { hosts: hosts[0] === '*' ? null : hosts, scopes, resources };
}

/** What the table of clients holds of each. */
const RESOURCES_MAX = 20;
const SCOPES_MAX = 50;

function listOf(text: string): string[] {
  const entries = text.split(',').map((entry) => entry.trim());
  return [...new Set(entries.filter((entry) => entry !== ''))];
}

/** RFC 6749 §3.3, without the comma, which separates them here. */
const SCOPE = /^(?!.*,)[!#-[\]-~]{1,80}$/;
