import type { MailContentOf } from '@gatehouse/events';
import { greeting, languageOf, letter, moment, shownCode, type Letter } from './letter.ts';

/** The code that proves that a new account's address is its owner's. */
export function verificationCode(content: MailContentOf<'verification-code'>, publicUrl: string): Letter {
  const language = languageOf(content.Locale);
  const until = moment(language, content.CodeExpiresAt);
  const code = shownCode(content.Code);
  const words = {
    en: {
      subject: 'Your verification code',
      enter: 'Enter this code to verify your email address:',
      valid: `The code is valid until ${until} and works once.`,
      unasked: 'If you did not ask for an account, ignore this mail: without the code nothing happens.',
    },
    de: {
      subject: 'Ihr Bestätigungscode',
      enter: 'Geben Sie diesen Code ein, um Ihre E-Mail-Adresse zu bestätigen:',
      valid: `Der Code gilt bis ${until} und nur einmal.`,
      unasked:
        'Falls Sie kein Konto angefordert haben, ignorieren Sie diese Mail: Ohne den Code geschieht nichts.',
    },
  }[language];
  return letter(language, words.subject, [
    greeting(language, content.DisplayName),
    words.enter,
    { code },
    words.valid,
    { link: publicUrl },
    words.unasked,
  ]);
}
