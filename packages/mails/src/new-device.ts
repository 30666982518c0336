import type { MailContentOf } from '@gatehouse/events';
import { greeting, languageOf, letter, moment, type Letter } from './letter.ts';
import { requestSource } from './request-source.ts';

/** Somebody signed in from a device that the account was never used on before. */
export function newDevice(content: MailContentOf<'new-device'>, publicUrl: string): Letter {
  const language = languageOf(content.Locale);
  const at = moment(language, content.At);
  const words = {
    en: {
      subject: 'A new device signed in to your account',
      what: `On ${at} somebody signed in to your account from a device that is new to us${requestSource(language, content)}.`,
      unasked: 'If it was you, there is nothing to do. If not, choose a new password at once:',
    },
    de: {
      subject: 'Anmeldung an Ihrem Konto von einem neuen Gerät',
      what: `Am ${at} hat sich jemand von einem uns unbekannten Gerät an Ihrem Konto angemeldet${requestSource(language, content)}.`,
      unasked: 'Falls Sie das waren, ist nichts zu tun. Falls nicht, wählen Sie sofort ein neues Passwort:',
    },
  }[language];
  return letter(language, words.subject, [
    greeting(language, content.DisplayName),
    words.what,
    words.unasked,
    { link: publicUrl },
  ]);
}
