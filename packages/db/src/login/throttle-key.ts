/** The key by which failures are counted; with `from`, they are counted separately for one address or network. */
export type ThrottleKey = (
  | { kind: 'email'; emailKey: string }
  /** Text that was typed as an email but is not one: its keyed hash, because people also type passwords there. */
  | { kind: 'user-name'; hash: Buffer }
  | { kind: 'second-factor'; accountId: string }
) & { from?: string };

/**
 * The key as text. Different arrays have different JSON, whatever strings they contain, so no input can make one key
 * equal another.
 */
export function throttleKeyText(key: ThrottleKey): string {
  const parts = [key.kind, subjectOf(key)];
  return JSON.stringify(key.from === undefined ? parts : [...parts, key.from]);
}

/** The common prefix of the keys that count the same per address; no other keys have it. */
export function throttleKeyPrefix(key: ThrottleKey): string {
  return `${JSON.stringify([key.kind, subjectOf(key)]).slice(0, -1)},`;
}

function subjectOf(key: ThrottleKey): string {
  switch (key.kind) {
    case 'email':
      return key.emailKey;
    case 'user-name':
      return key.hash.toString('base64url');
    case 'second-factor':
      return key.accountId;
  }
}

/**
 * The account of a key, by its email or its id; `undefined` if the key has no account, or counts for one address only.
 */
export function throttledSubjectOf(keyText: string): Exclude<ThrottleKey, { kind: 'user-name' }> | undefined {
  const [kind, subject, ...from] = partsOf(keyText);
  if (subject === undefined || from.length > 0) return undefined;
  if (kind === 'email') return { kind, emailKey: subject };
  return kind === 'second-factor' ? { kind, accountId: subject } : undefined;
}

function partsOf(keyText: string): string[] {
  try {
    return JSON.parse(keyText) as string[]; // as `throttleKeyText` writes it
  } catch {
    return [];
  }
}
