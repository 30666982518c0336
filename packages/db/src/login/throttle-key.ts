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
