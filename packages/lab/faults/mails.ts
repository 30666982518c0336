import { eventually } from '@gatehouse/runtime/testing';
import type { Sink } from '../../e2e/src/world/mail-sink.ts';

/** The latest of at least `count` mails to an address. */
export async function mailTo({ sink }: { sink: Sink }, email: string, count = 1): Promise<string> {
  const mails = await eventually(() => {
    const found = sink.mailsTo(email);
    return found.length >= count && found;
  }, 30);
  return mails.at(-1)?.text ?? '';
}

/** The code in a mail. It is on a separate line; elsewhere, parts of ids can look like a code. */
export function codeIn(mail: string): string {
  return /^([0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4})\r?$/m.exec(mail)?.[1] ?? '';
}

/** The secret of the link in a mail. */
export function secretIn(mail: string, name: 'InvitationToken' | 'restore-account#Code'): string {
  return new RegExp(`${name}=(?:3D)?([\\w-]+)`).exec(mail)?.[1] ?? '';
}
