import { createGathered } from '@gatehouse/runtime';

/** When a session was last seen, for saving in the source. */
export interface LastSeen {
  sessionId: string;
  seenAtSeconds: number;
  /** The time of the latest ping; 0 if there was none. */
  pingedAtSeconds: number;
  contentDefinitionId: string | undefined;
}

/** Remembers when sessions were last seen, until that is saved; only the latest time for each. */
export function createLastSeen() {
  const noted = createGathered<string, LastSeen>();
  return {
    note: (lastSeen: LastSeen): void => noted.add(lastSeen.sessionId, lastSeen),
    flush: (save: (lastSeen: readonly LastSeen[]) => Promise<void>) =>
      noted.flush((taken) => save([...taken.values()])),
  };
}
