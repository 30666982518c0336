import { codeIn, newAccount, PASSWORD } from '@gatehouse/accounts/testing';
import type { Services } from '../services.ts';
import type { Prepared, LoggedInUser } from './prepared.ts';

type Prepare = () => Promise<Prepared>;

/** Bodies of the requests about an erasure, which need a mailed code or an account that will be erased. */
export function erasureBodies(
  app: Services['app'],
  {
    user,
    about,
    ask,
  }: {
    user: () => Promise<LoggedInUser>;
    about: (tell: (user: LoggedInUser) => Promise<Omit<Prepared, 'user'>>) => Prepare;
    ask: (api: 'Core', path: string, body: object, by: LoggedInUser) => Promise<unknown>;
  },
): Record<string, Record<string, Prepare>> {
  const code = async (one: LoggedInUser): Promise<string> => {
    await ask('Core', '/account/erase', { Password: PASSWORD }, one);
    return codeIn(await app.mailsTo(one.email));
  };
  const restoreCode = async (one: LoggedInUser): Promise<string> => {
    await ask('Core', '/account/erase', { Code: await code(one) }, one);
    const content = (await app.mailsTo(one.email)).at(-1)?.content;
    return content !== undefined && 'RestoreCode' in content ? (content.RestoreCode ?? '') : '';
  };
  return {
    'POST /account/export': { plainly: about(() => Promise.resolve({ body: { Password: PASSWORD } })) },
    'POST /account/erase': {
      'to begin': about(() => Promise.resolve({ body: { Password: PASSWORD } })),
      'to confirm': about(async (one) => ({ body: { Code: await code(one) } })),
    },
    'POST /account/restore': {
      plainly: about(async (one) => ({ body: { Code: await restoreCode(one) } })),
    },
    'DELETE /admin/account/{id}': {
      plainly: about(async () => ({ path: `/admin/account/${(await newAccount(app)).id}` })),
    },
    'POST /admin/account/{id}/restore': {
      plainly: about(async () => {
        const closed = await user();
        await restoreCode(closed);
        return { path: `/admin/account/${closed.id}/restore` };
      }),
    },
  };
}
