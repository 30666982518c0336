/** The part of a browser's `location` that is read. */
export interface Place {
  readonly pathname: string;
  readonly search: string;
  readonly hash: string;
}

/** What the link of a mail asks for. */
export type MailLink =
  | { kind: 'verify-email'; email: string; code: string }
  | { kind: 'reset-password'; email: string; code: string }
  | { kind: 'confirm-email'; code: string }
  | { kind: 'register-guest'; invitationToken: string };

/**
 * Reads what a link of a mail carries behind its `#`, and takes it out of the address bar before anything else may look at
 * it. `undefined` where the page was opened in another way.
 */
export function readMailLink({ pathname, search, hash }: Place): MailLink | undefined {
  const kind = pathname.split('/').filter(Boolean).pop() ?? '';
  const names = FIELDS.get(kind);
  const fragment = new URLSearchParams(hash.slice(1));
  if (names === undefined || !names.every((name) => fragment.get(name))) return undefined;
  // Taken out of what the browser shows, and keeps in its history.
  globalThis.history?.replaceState(history.state, '', pathname + search);
  const fields = names.map((name) => [name.charAt(0).toLowerCase() + name.slice(1), fragment.get(name)]);
  return { kind, ...Object.fromEntries(fields) } as MailLink; // as FIELDS says
}

const CODE_OF_EMAIL = ['Email', 'Code'];
/** What stands behind the `#`, by the last part of the page's path. */
const FIELDS = new Map([
  ['verify-email', CODE_OF_EMAIL],
  ['reset-password', CODE_OF_EMAIL],
  ['confirm-email', ['Code']],
  ['register-guest', ['InvitationToken']],
]);
