import type { MailContentOf } from '@gatehouse/events';
import { greeting, languageOf, letter, moment, shownCode, type Letter } from './letter.ts';

/** The code that lets the owner of an account without a password set up a second factor. */
export function twoFactorCode(content: MailContentOf<'two-factor-code'>, publicUrl: string): Letter {
  const language = languageOf(content.Locale);
  const until = moment(language, content.CodeExpiresAt);
  const words = {
    en: {
      subject: 'Your code for two-factor authentication',
      enter: 'Enter this code to set up two-factor authentication:',
      valid: `The code is valid until ${until} and works once.`,
      unasked: 'If you did not ask for it, somebody else is logged in to your account: end your sessions.',
    },
    de: {
      subject: 'Ihr Code für die Zwei-Faktor-Anmeldung',
      enter: 'Geben Sie diesen Code ein, um die Zwei-Faktor-Anmeldung einzurichten:',
      valid: `Der Code gilt bis ${until} und nur einmal.`,
      unasked:
        'Falls Sie ihn nicht angefordert haben, ist jemand anderes in Ihrem Konto angemeldet: Beenden Sie Ihre Sitzungen.',
    },
  }[language];
  return letter(language, words.subject, [
    greeting(language, content.DisplayName),
    words.enter,
    { code: shownCode(content.Code) },
    words.valid,
    { link: publicUrl },
    words.unasked,
  ]);
}
