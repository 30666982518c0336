import { write, type AccountsDeps } from '@gatehouse/accounts';
import { clientDocuments } from '@gatehouse/db';
import type { AgentRules } from './agent-settings.ts';

const NOBODY: AgentRules = { hosts: [], scopes: [], resources: [] };

/**
 * Deletes documents that are over, and their clients that nobody is signed in to, or that the settings no longer admit:
 * whoever is signed in to one of those is signed out. Must be called every minute.
 */
export async function forgetAgents(deps: AccountsDeps, rules: AgentRules | undefined): Promise<void> {
  const target = { kind: 'OauthClient', id: undefined } as const;
  await write(deps, { actor: { kind: 'System' }, target }, async (tx) => {
    for (const { id, name } of await clientDocuments.forget(tx, rules ?? NOBODY))
      tx.audit('client.deleted', { Name: name }, id);
  });
}
