/** The fields of a browser's `location` that are used here. */
export interface Place {
  readonly pathname: string;
  readonly search: string;
  readonly hash: string;
}

/** The action of a link in a mail. */
export type MailLink =
  | { kind: 'verify-email'; email: string; code: string }
  | { kind: 'reset-password'; email: string; code: string }
  | { kind: 'complete-account'; email: string; code: string }
  | { kind: 'confirm-email'; code: string }
  | { kind: 'register-guest'; invitationToken: string };

/**
 * Reads the data that a link in a mail has after its `#`, and removes it from the address bar before other code can
 * read it. Returns `undefined` if the page was not opened by such a link.
 */
export function readMailLink({ pathname, search, hash }: Place): MailLink | undefined {
  const kind = pathname.split('/').filter(Boolean).pop() ?? '';
  const names = FIELDS.get(kind);
  const fragment = new URLSearchParams(hash.slice(1));
  if (names === undefined || !names.every((name) => fragment.get(name))) return undefined;
  // Removed from the address bar and the browser's history.
  globalThis.history?.replaceState(history.state, '', pathname + search);
  const fields = names.map((name) => [name.charAt(0).toLowerCase() + name.slice(1), fragment.get(name)]);
  return { kind, ...Object.fromEntries(fields) } as MailLink; // the fields of FIELDS
}

const CODE_OF_EMAIL = ['Email', 'Code'];
/** The fields after the `#`, by the last part of the page's path. */
const FIELDS = new Map([
  ['verify-email', CODE_OF_EMAIL],
  ['reset-password', CODE_OF_EMAIL],
  ['complete-account', CODE_OF_EMAIL],
  ['confirm-email', ['Code']],
  ['register-guest', ['InvitationToken']],
]);
