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
  let noted = new Map<string, LastSeen>();
  return {
    note(lastSeen: LastSeen): void {
      noted.set(lastSeen.sessionId, lastSeen);
    },

    /** Saves the times since the previous call; they are retried later if saving fails. */
    async flush(save: (lastSeen: readonly LastSeen[]) => Promise<void>): Promise<void> {
      const taken = noted;
      if (taken.size === 0) return;
      noted = new Map();
      try {
        await save([...taken.values()]);
      } catch (error) {
        noted = new Map([...taken, ...noted]);
        throw error;
      }
    },
  };
}
