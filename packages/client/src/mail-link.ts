/** A browser's `location`, as far as it is read. */
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
  const said = new URLSearchParams(place.hash.slice(1));
  const page = place.pathname.replace(/\/$/, '').split('/').at(-1);
  const [email, code] = [said.get('Email') ?? '', said.get('Code') ?? ''];
  const invitationToken = said.get('InvitationToken') ?? '';
  let link: MailLink | undefined;
  if ((page === 'verify-email' || page === 'reset-password') && email && code)
    link = { kind: page, email, code };
  else if (page === 'confirm-email' && code) link = { kind: page, code };
  else if (page === 'register-guest' && invitationToken) link = { kind: page, invitationToken };
  if (link !== undefined) showInstead(place.pathname + place.search);
  return link;
}

/** Replaces the address that the browser shows, and keeps in its history. */
export function showInstead(address: string): void {
  globalThis.history?.replaceState(globalThis.history.state, '', address);
}
