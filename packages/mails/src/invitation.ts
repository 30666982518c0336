import type { MailContentOf } from '@gatehouse/events';
import { greeting, languageOf, letter, moment, type Letter } from './letter.ts';
import { shownName } from './shown-name.ts';

/** The link by which a guest registers. */
export function invitation(content: MailContentOf<'invitation'>, publicUrl: string): Letter {
  const language = languageOf(content.Locale);
  const until = moment(language, content.InvitationExpiresAt);
  const name = content.ContentName;
  const inviter = shownName(content.InviterName);
  const words = {
    en: {
      subject: 'You are invited',
      what: `${inviter ?? 'Somebody'} invites you to “${name}”.`,
      how: 'Follow this link to choose a password and a name:',
      valid: `The link is valid until ${until} and works once.`,
      unasked: 'If you do not know what this is about, ignore this mail: without the link nothing happens.',
    },
    de: {
      subject: 'Sie sind eingeladen',
      what: `${inviter ?? 'Jemand'} lädt Sie zu „${name}“ ein.`,
      how: 'Folgen Sie diesem Link, um ein Passwort und einen Namen zu wählen:',
      valid: `Der Link gilt bis ${until} und nur einmal.`,
      unasked: 'Falls Ihnen das nichts sagt, ignorieren Sie diese Mail: Ohne den Link geschieht nichts.',
    },
  }[language];
  return letter(language, words.subject, [
    greeting(language, content.DisplayName),
    words.what,
    words.how,
    { link: invitationLink(publicUrl, content.InvitationToken) },
    words.valid,
    words.unasked,
  ]);
}

/**
 * Where a guest registers. The secret stands behind the `#`, which no browser and no mail scanner sends to a
 * server: opening the link uses nothing up and leaves the secret in no log.
 */
function invitationLink(publicUrl: string, token: string): string {
  const url = new URL(publicUrl);
  url.pathname = `${url.pathname.replace(/\/$/, '')}/register-guest`;
  url.hash = `InvitationToken=${token}`;
  return url.href;
}
