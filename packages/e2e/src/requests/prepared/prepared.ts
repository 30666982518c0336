import { codeIn, newAccount, logIn } from '@gatehouse/accounts/testing';
import { eventually } from '@gatehouse/runtime/testing';
import type { Services } from '../services.ts';

export type Caller = Awaited<ReturnType<typeof newCaller>>;

/** The parts of a caller's request that cannot be derived from the schema of its route. */
interface Parts {
  path?: string;
  headers?: Record<string, string>;
  body?: object;
}

/** Requests by the name of their route, or by this name and a variant: `POST /account/erase, to confirm`. */
export type Prepared = Record<string, (caller: Caller) => Parts | Promise<Parts>>;

export async function newCaller({ app }: Services, role: 'Guest' | 'User' | 'Admin' = 'Admin') {
  const person = await newAccount(app, { role });
  return { ...person, ...(await logIn(app, person)) };
}

export async function ask(services: Services, path: string, body: object, by?: { Token: string }) {
  const answer = await services.call(`POST ${path}`, { body, token: by?.Token });
  if (answer.status >= 300) throw new Error(`POST ${path}: ${answer.status} ${answer.text}`);
  return answer.body;
}

/** The code that was mailed to an address, maybe after the response. */
export function mailedCode({ app }: Services, email: string): Promise<string> {
  return eventually(async () => {
    const mails = await app.mailsTo(email);
    return mails.length > 0 && codeIn(mails);
  });
}
