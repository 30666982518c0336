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
export function readMailLink(place: Place): MailLink | undefined {
  const fragment = new URLSearchParams(place.hash.slice(1));
  const page = place.pathname.split('/').filter(Boolean).pop() ?? '';
  const fields = FIELDS.get(page)?.map(
    (name) => [name.charAt(0).toLowerCase() + name.slice(1), fragment.get(name)] as const,
  );
  if (fields === undefined || fields.some(([, value]) => !value)) return undefined;
  showInstead(place.pathname + place.search);
  return { kind: page, ...Object.fromEntries(fields) } as MailLink; // as FIELDS says
}

const CODE_OF_EMAIL = ['Email', 'Code'];
/** What stands behind the `#`, by the last part of the page's path. */
const FIELDS = new Map(
  Object.entries({
    'verify-email': CODE_OF_EMAIL,
    'reset-password': CODE_OF_EMAIL,
    'confirm-email': ['Code'],
    'register-guest': ['InvitationToken'],
  }),
);

/** Replaces the address that the browser shows, and keeps in its history. */
function showInstead(address: string): void {
  if (typeof history === 'object') history.replaceState(history.state, '', address);
}
