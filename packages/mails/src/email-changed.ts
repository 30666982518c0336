import type { MailContentOf } from '@gatehouse/events';
import { greeting, languageOf, letter, moment, type Letter } from './letter.ts';
import { requestSource } from './request-source.ts';

/** The last mail to an address that is no longer the account's. */
export function emailChanged(content: MailContentOf<'email-changed'>, publicUrl: string): Letter {
  const language = languageOf(content.Locale);
  const at = moment(language, content.At);
  const words = {
    en: {
      subject: 'Your account has another email address now',
      what: `The email address of your account was changed on ${at}${requestSource(language, content)}. Sign in with the new address from now on; nothing more will be mailed to this one.`,
      unasked: 'If it was not you, ask those who run this service for help:',
    },
    de: {
      subject: 'Ihr Konto hat jetzt eine andere E-Mail-Adresse',
      what: `Die E-Mail-Adresse Ihres Kontos wurde am ${at}${requestSource(language, content)} geändert. Melden Sie sich ab jetzt mit der neuen Adresse an; an diese hier wird nichts mehr geschickt.`,
      unasked: 'Falls Sie das nicht waren, wenden Sie sich an die Betreiber dieses Dienstes:',
    },
  }[language];
  return letter(language, words.subject, [
    greeting(language, content.DisplayName),
    words.what,
    words.unasked,
    { link: publicUrl },
  ]);
}
