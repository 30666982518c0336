import { codeIn, newAccount, PASSWORD } from '@gatehouse/accounts/testing';
import type { Services } from '../services.ts';
import { ask, newCaller, type Caller, type Prepared } from './prepared.ts';

/** Requests about an erasure, which need a mailed code or an account that will be erased. */
export function erasureRequests(services: Services): Prepared {
  const { app } = services;
  const code = async (caller: Caller): Promise<string> => {
    await ask(services, 'Core', '/account/erase', { Password: PASSWORD }, caller);
    return codeIn(await app.mailsTo(caller.email));
  };
  const restoreCode = async (caller: Caller): Promise<string> => {
    await ask(services, 'Core', '/account/erase', { Code: await code(caller) }, caller);
    const content = (await app.mailsTo(caller.email)).at(-1)?.content;
    return content !== undefined && 'RestoreCode' in content ? (content.RestoreCode ?? '') : '';
  };
  return {
    'POST /account/erase, to begin': () => ({ body: { Password: PASSWORD } }),
    'POST /account/erase, to confirm': async (caller) => ({ body: { Code: await code(caller) } }),
    'POST /account/restore': async (caller) => ({ body: { Code: await restoreCode(caller) } }),
    'POST /admin/hook-delivery/retry': () => ({ body: { Filter: { Type: 'guest.removed' } } }),
    'DELETE /admin/account/{id}': async () => ({ path: `/admin/account/${(await newAccount(app)).id}` }),
    'POST /admin/account/{id}/restore': async () => {
      const closed = await newCaller(services);
      await restoreCode(closed);
      return { path: `/admin/account/${closed.id}/restore` };
    },
  };
}
