/** What failures are counted by; `from` counts those of one address (or network) apart. */
export type ThrottleKey = (
  | { kind: 'email'; emailKey: string }
  /** What was typed as an email and is none: its keyed hash, as people type passwords there too. */
  | { kind: 'user-name'; hash: Buffer }
  | { kind: 'second-factor'; accountId: string }
) & { from?: string };

/**
 * The key as text. An array's JSON is another for another array, whatever strings it holds: no key of one kind is
 * ever that of another, nor that of one address of another, whatever somebody types.
 */
export function throttleKeyText(key: ThrottleKey): string {
  const parts = [key.kind, subjectOf(key)];
  return JSON.stringify(key.from === undefined ? parts : [...parts, key.from]);
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

/** The account that a key is about, by its email or its id; `undefined` where it is about none, or one address alone. */
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
