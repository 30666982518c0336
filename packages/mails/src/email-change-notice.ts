import type { MailContentOf } from '@gatehouse/events';
import { greeting, languageOf, letter, moment, type Letter } from './letter.ts';
import { requestSource } from './request-source.ts';

/** Tells the present address that another one was asked for, while there is still time to prevent it. */
export function emailChangeNotice(content: MailContentOf<'email-change-notice'>, publicUrl: string): Letter {
  const language = languageOf(content.Locale);
  const at = moment(language, content.At);
  const words = {
    en: {
      subject: 'Your account is to get another email address',
      what: `On ${at} somebody who knows your password asked for another email address for your account${requestSource(language, content)}. It changes once the new address is confirmed.`,
      unasked:
        'If it was not you, choose a new password at once, which also stops the change of the address:',
    },
    de: {
      subject: 'Ihr Konto soll eine andere E-Mail-Adresse bekommen',
      what: `Am ${at} hat jemand, der Ihr Passwort kennt, eine andere E-Mail-Adresse für Ihr Konto angefordert${requestSource(language, content)}. Sie ändert sich, sobald die neue Adresse bestätigt ist.`,
      unasked:
        'Falls Sie das nicht waren, wählen Sie sofort ein neues Passwort; das verhindert auch die Änderung der Adresse:',
    },
  }[language];
  return letter(language, words.subject, [
    greeting(language, content.DisplayName),
    words.what,
    words.unasked,
    { link: publicUrl },
  ]);
}
