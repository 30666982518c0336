import assert from 'node:assert/strict';
import { query } from '@gatehouse/db';
import { refresh, type Refreshing } from '../session/refresh/refresh.ts';
import { logIn, newAccount, type AccountRef } from './accounts.ts';
import { openTestAccounts, type TestAccounts } from './open-test-accounts.ts';

/** A session that was opened, with its first refresh token. */
export interface Opened {
  person: AccountRef;
  sessionId: string;
  first: string;
}

/** The refresh token in the result of a refresh. */
export function successorIn(answer: Refreshing): string {
  assert.ok(answer.kind === 'refreshed', JSON.stringify(answer));
  return answer.tokens.RefreshToken;
}

export type Rotations = Awaited<ReturnType<typeof openRotations>>;

/** Two instances with one database, and the helpers for tests of refresh tokens. */
export async function openRotations() {
  const app = await openTestAccounts();
  const secondInstance = await openTestAccounts({}, app);
  let statements: string[] = [];
  app.db.on('query', ({ sql }: { sql: string }) => {
    if (sql.includes('refresh_next = case')) statements.push(sql);
  });
  const use = (token: string, at: TestAccounts = app) =>
    refresh(at, token, { traceId: 'test', dueAt: Infinity });
  return {
    app,
    secondInstance,
    use,
    next: async (token: string): Promise<string> => successorIn(await use(token)),
    open: async (): Promise<Opened> => {
      const person = await newAccount(app);
      const { RefreshToken, sessionId } = await logIn(app, person);
      return { person, sessionId, first: RefreshToken };
    },
    /** How many statements have refreshed tokens in batches since the last `forgetStatements`. */
    batches: (): number => statements.filter((sql) => sql.includes('skip locked')).length,
    forgetStatements: (): void => {
      statements = [];
    },
    stop: async (): Promise<void> => {
      await secondInstance.stop();
      await app.stop();
    },
  };
}

/** Whether each of the sessions is still active. */
export async function activeOf(app: TestAccounts, sessions: Opened[]): Promise<boolean[]> {
  const rows = await query<{ id: string }>(
    app.db,
    'select id from user_session where id = any(?::uuid[]) and ended_at is null',
    [sessions.map(({ sessionId }) => sessionId)],
  );
  return sessions.map(({ sessionId }) => rows.some(({ id }) => id === sessionId));
}
