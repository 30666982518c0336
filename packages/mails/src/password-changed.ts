import type { MailContentOf } from '@gatehouse/events';
import { greeting, languageOf, letter, moment, type Letter } from './letter.ts';
import { requestSource } from './request-source.ts';

/** The owner hears of every new password, as a thief would not tell. */
export function passwordChanged(content: MailContentOf<'password-changed'>, publicUrl: string): Letter {
  const language = languageOf(content.Locale);
  const at = moment(language, content.At);
  const words = {
    en: {
      subject: 'Your password was changed',
      what: `The password of your account was changed on ${at}${requestSource(language, content)}.`,
      unasked: 'If it was not you, ask for a new password at once:',
    },
    de: {
      subject: 'Ihr Passwort wurde geändert',
      what: `Das Passwort Ihres Kontos wurde am ${at}${requestSource(language, content)} geändert.`,
      unasked: 'Falls Sie das nicht waren, fordern Sie sofort ein neues Passwort an:',
    },
  }[language];
  return letter(language, words.subject, [
    greeting(language, content.DisplayName),
    words.what,
    words.unasked,
    { link: publicUrl },
  ]);
}
