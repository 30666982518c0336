import type { MailContentOf } from '@gatehouse/events';
import { greeting, languageOf, letter, moment, shownCode, type Letter } from './letter.ts';

/** The code that allows a new password. */
export function passwordReset(content: MailContentOf<'password-reset'>, publicUrl: string): Letter {
  const language = languageOf(content.Locale);
  const until = moment(language, content.CodeExpiresAt);
  const words = {
    en: {
      subject: 'Your code for a new password',
      enter: 'Enter this code to choose a new password:',
      valid: `The code is valid until ${until} and works once.`,
      unasked: 'If you did not ask for it, ignore this mail: your password stays as it is.',
    },
    de: {
      subject: 'Ihr Code für ein neues Passwort',
      enter: 'Geben Sie diesen Code ein, um ein neues Passwort zu wählen:',
      valid: `Der Code gilt bis ${until} und nur einmal.`,
      unasked:
        'Falls Sie ihn nicht angefordert haben, ignorieren Sie diese Mail: Ihr Passwort bleibt, wie es ist.',
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
