/** When a session was last seen, to be saved in the source. */
export interface LastSeen {
  sessionId: string;
  seenAtSeconds: number;
  /** Of the latest ping; 0 when there was none. */
  pingedAtSeconds: number;
  contentDefinitionId: string | undefined;
}

/** When sessions were last seen, until that is saved; of each the latest time. */
export function createLastSeen() {
  let noted = new Map<string, LastSeen>();
  return {
    note(lastSeen: LastSeen): void {
      noted.set(lastSeen.sessionId, lastSeen);
    },

    /** Saves what was noted since the previous call; keeps it when saving fails. */
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
