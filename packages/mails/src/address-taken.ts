import type { MailContentOf } from '@gatehouse/events';
import { greeting, languageOf, letter, moment, type Letter } from './letter.ts';

/** Somebody wanted this address for another account: only its owner may learn that it has one. */
export function addressTaken(content: MailContentOf<'address-taken'>, publicUrl: string): Letter {
  const language = languageOf(content.Locale);
  const at = moment(language, content.At);
  const words = {
    en: {
      subject: 'This email address has an account already',
      what: `On ${at} somebody wanted to use this email address for another account. That is not possible, as it has an account already.`,
      how: 'If that was you, sign in to the account that has this address, or ask for a new password:',
      unasked: 'If it was not you, there is nothing to do: your account has not changed.',
    },
    de: {
      subject: 'Zu dieser E-Mail-Adresse gibt es bereits ein Konto',
      what: `Am ${at} wollte jemand diese E-Mail-Adresse für ein anderes Konto verwenden. Das geht nicht, denn es gibt dazu bereits ein Konto.`,
      how: 'Falls Sie das waren, melden Sie sich bei dem Konto mit dieser Adresse an oder fordern Sie ein neues Passwort an:',
      unasked: 'Falls nicht, ist nichts zu tun: Ihr Konto wurde nicht verändert.',
    },
  }[language];
  return letter(language, words.subject, [
    greeting(language, content.DisplayName),
    words.what,
    words.how,
    { link: publicUrl },
    words.unasked,
  ]);
}
