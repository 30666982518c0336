import assert from 'node:assert/strict';
import { logout, openSession } from '@gatehouse/accounts';
import { newAccount, type TestAccounts } from '@gatehouse/accounts/testing';
import { accounts, BY_PASSWORD, type Account } from '@gatehouse/db';
import type { Nodes } from './cluster-nodes.ts';

export type Session = Awaited<ReturnType<typeof openSome>>;

export const origin = { traceId: 'test', dueAt: Infinity, authentication: BY_PASSWORD };

/** Logs in a new account. */
export async function openSome(app: TestAccounts) {
  const { id } = await newAccount(app);
  const account = await accounts.findById(app.db, id);
  assert.ok(account);
  const opening = await openSession(app, account, origin);
  assert.ok(opening.kind === 'opened');
  return { account, accountId: account.id, sessionId: opening.sessionId, Token: opening.tokens.Token };
}

/** Users who log in and out continuously, and the guarantees that were broken for them. */
export interface RunningUsers {
  /** The number of logins. */
  turns(): number;
  forSeconds(seconds: number): Promise<void>;
  /** Stops the users after their current turn. Returns the guarantees that were broken. */
  stop(): Promise<string[]>;
  /** The states of everyone's latest session according to one process, and below those of all ended sessions. */
  currentStates(at: TestAccounts): Promise<string[]>;
  endedStates(at: TestAccounts): Promise<string[]>;
}

interface User {
  account: Account;
  current: string | undefined;
  ended: { Token: string; at: number }[];
}

/** An ended session is refused everywhere within this time, unless the network is split. */
const HOLDS_MS = 1000;
const ANSWER_MS = 5000;
const PAUSE_MS = 15;

/** Lets users work on these processes, roughly the same number on each of the first three nodes. */
export async function runUsersOn(
  processes: readonly TestAccounts[],
  { nodes, users, holdsMs = HOLDS_MS }: { nodes: Nodes; users: number; holdsMs?: number },
): Promise<RunningUsers> {
  const [app] = processes;
  assert.ok(app);
  const all: User[] = [];
  const onNode = [0, 0, 0];
  while (all.length < users) {
    const { id } = await newAccount(app);
    const at = (await nodes.indexOf(id)) % 3;
    if ((onNode[at] ?? 0) >= users / 3) continue;
    onNode[at] = (onNode[at] ?? 0) + 1;
    const account = await accounts.findById(app.db, id);
    assert.ok(account);
    all.push({ account, current: undefined, ended: [] });
  }
  const breaches = new Set<string>();
  let turns = 0;
  let isStopped = false;

  /** Checks a session: `active`, or the reason why it is refused. */
  const look = async (at: TestAccounts, Token: string): Promise<string> => {
    const begun = performance.now();
    const found = await Promise.resolve(at.auth.authenticate(`Bearer ${Token}`)).catch((error: unknown) => ({
      kind: 'refused' as const,
      code: (error as Error).name, // it rejects only with errors
    }));
    const ms = performance.now() - begun;
    if (ms > ANSWER_MS) breaches.add(`an answer after ${Math.round(ms)} ms`);
    return found.kind === 'refused' ? found.code : 'active';
  };

  const turn = async (user: User, at: TestAccounts): Promise<void> => {
    const opening = await openSession(at, user.account, origin);
    assert.ok(opening.kind === 'opened');
    if (user.current !== undefined) user.ended.push({ Token: user.current, at: performance.now() });
    user.current = opening.tokens.Token;
    for (const process of processes) {
      const state = await look(process, user.current);
      if (state !== 'active') breaches.add(`a new session is ${state}`);
    }
    for (const { Token, at: endedAt } of [...user.ended.slice(-1), ...someOf(user.ended)]) {
      for (const process of processes) {
        const asked = performance.now();
        const state = await look(process, Token);
        const isOver = state !== 'active' || asked - endedAt < holdsMs;
        if (!isOver) breaches.add(`an ended session is active ${Math.round(asked - endedAt)} ms later`);
        if (state === 'Unavailable') breaches.add('nothing is known of a session while Postgres is there');
      }
    }
    if (turns % 4 === 0) {
      const caller = { accountId: user.account.id, sessionId: opening.sessionId };
      await logout(at, caller, origin);
      user.ended.push({ Token: user.current, at: performance.now() });
      user.current = undefined;
    }
    turns += 1;
  };
  const live = async (user: User, first: number): Promise<void> => {
    for (let count = first; !isStopped; count += 1) {
      const at = processes[count % processes.length];
      assert.ok(at);
      await turn(user, at).catch((error: unknown) => breaches.add(`a login failed: ${String(error)}`));
      await pause(PAUSE_MS);
    }
  };
  const ends = all.map((user, index) => live(user, index));

  const stateOfAll = (at: TestAccounts, tokens: (string | undefined)[]): Promise<string[]> =>
    Promise.all(tokens.filter((token) => token !== undefined).map((token) => look(at, token)));
  return {
    turns: () => turns,
    forSeconds: (seconds) => pause(seconds * 1000),
    stop: async () => {
      isStopped = true;
      await Promise.all(ends);
      return [...breaches];
    },
    currentStates: (at) =>
      stateOfAll(
        at,
        all.map(({ current }) => current),
      ),
    endedStates: (at) =>
      stateOfAll(
        at,
        all.flatMap(({ ended }) => ended.map(({ Token }) => Token)),
      ),
  };
}

function someOf<T>(list: readonly T[]): T[] {
  const one = list[Math.floor(Math.random() * list.length)];
  return one === undefined ? [] : [one];
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
