/** The key by which failures are counted; `from` counts those of one address (or network) apart. */
export type ThrottleKey = (
  | { kind: 'email'; emailKey: string }
  /** Something typed as an email that is none: its keyed hash, as people also type passwords there. */
  | { kind: 'user-name'; hash: Buffer }
  | { kind: 'second-factor'; accountId: string }
) & { from?: string };

/**
 * The key as text. Different arrays have different JSON, whatever strings they contain: nothing that is typed can
 * make one key equal another.
 */
export function throttleKeyText(key: ThrottleKey): string {
  const parts = [key.kind, subjectOf(key)];
  return JSON.stringify(key.from === undefined ? parts : [...parts, key.from]);
}

/** How the keys begin, and no others, that count the same at single addresses. */
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
