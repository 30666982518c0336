import type { MailContentOf } from '@gatehouse/events';
import { greeting, languageOf, letter, moment, shownCode, type Letter } from './letter.ts';

/** The code that proves that the address an account is to have is its owner's. It goes to that address. */
export function emailChangeCode(content: MailContentOf<'email-change-code'>, publicUrl: string): Letter {
  const language = languageOf(content.Locale);
  const until = moment(language, content.CodeExpiresAt);
  const words = {
    en: {
      subject: 'Your code for your new email address',
      enter: 'Enter this code to make this the email address of your account:',
      valid: `The code is valid until ${until} and works once.`,
      unasked: 'If you did not ask for it, ignore this mail: without the code nothing happens.',
    },
    de: {
      subject: 'Ihr Code für Ihre neue E-Mail-Adresse',
      enter: 'Geben Sie diesen Code ein, damit dies die E-Mail-Adresse Ihres Kontos wird:',
      valid: `Der Code gilt bis ${until} und nur einmal.`,
      unasked:
        'Falls Sie ihn nicht angefordert haben, ignorieren Sie diese Mail: Ohne den Code geschieht nichts.',
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
