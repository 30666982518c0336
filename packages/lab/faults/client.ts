import assert from 'node:assert/strict';
import { someEmail } from '@gatehouse/accounts/testing';
import { callsOf } from '../users.ts';
import type { FaultWorld } from './fault-world.ts';
import { codeIn, mailTo } from './mails.ts';

/** The calls of the services, without the gateway, and what was mailed. */
export function clientOf(world: FaultWorld, remember?: Parameters<typeof callsOf>[1]) {
  const calls = callsOf(world.stack.facts.urls, remember);
  const mailedCode = async (email: string): Promise<string> => codeIn(await mailTo(world, email));
  const newAccount = async (): Promise<string> => {
    const email = someEmail();
    assert.equal((await calls.register(email)).status, 200);
    assert.equal((await calls.verify(email, await mailedCode(email))).status, 200);
    return email;
  };
  return { ...calls, mailedCode, newAccount };
}
