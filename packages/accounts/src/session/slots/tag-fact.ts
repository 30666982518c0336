/** The tag of a session for events and the audit; nothing if it has none. */
export function tagFact(tag: string): { SessionTag?: string } {
  return tag === '' ? {} : { SessionTag: tag };
}
