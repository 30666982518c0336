import type { Replacement } from '@gatehouse/auth-core';
import { sessionsOfOwner, type Db } from '@gatehouse/db';
import type { CachedSession } from '@gatehouse/redis';

/** Finds the login that replaced a session; `undefined` if there is none, or if it cannot be found in time. */
export type FindReplacement = (
  session: Pick<CachedSession, 'accountId' | 'sessionId' | 'version'>,
) => Promise<Replacement | undefined>;

/** How long a refusal waits for this additional information. */
const WAIT_MS = 300;
/** Results are remembered, because some clients repeat refused requests, and a session's replacement never changes. */
const KNOWN_MAX = 10_000;

/** Looks up logins that replaced others, each only once while it is remembered. */
export function createReplacements(db: Db): FindReplacement {
  const known = new Map<string, Promise<Replacement | undefined>>();

  const find: FindReplacement = async ({ accountId, sessionId }) => {
    const found = await sessionsOfOwner.findReplacement(db, { accountId, sessionId });
    return (
      found && {
        ...(found.deviceName !== null && { deviceName: found.deviceName }),
        ...(found.userAgent !== null && found.userAgent !== '' && { userAgent: found.userAgent }),
        at: found.createdAt,
        ...(found.tag !== '' && { tag: found.tag }),
      }
    );
  };

  return (session) => {
    const key = `${session.sessionId} ${session.version}`;
    const earlier = known.get(key);
    if (earlier !== undefined) return inTime(earlier);
    const found = find(session).catch(() => {
      known.delete(key);
      return undefined;
    });
    known.set(key, found);
    const [oldest] = known.keys();
    if (known.size > KNOWN_MAX && oldest !== undefined) known.delete(oldest);
    return inTime(found);
  };
}

async function inTime<T>(work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, WAIT_MS, undefined);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
