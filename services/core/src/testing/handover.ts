import { accountFixtures, someAddress } from '@gatehouse/accounts/testing';
import { callsOver } from '@gatehouse/http/testing';
import { startCore } from './index.ts';

/** Core with sessions that can be handed over; `newAccount` and `login` create them. */
export async function startHandovers(...options: Parameters<typeof startCore>) {
  const core = await startCore(...options);
  return { ...core, ...callsOver(core.http, someAddress()), ...accountFixtures(core.app) };
}

export type TestHandovers = Awaited<ReturnType<typeof startHandovers>>;
