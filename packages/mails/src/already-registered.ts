import type { MailContentOf } from '@gatehouse/events';
import { greeting, languageOf, letter, moment, type Letter } from './letter.ts';

/** Somebody registered an address that has an account: only its owner may learn that. */
export function alreadyRegistered(content: MailContentOf<'already-registered'>, publicUrl: string): Letter {
  const language = languageOf(content.Locale);
  const at = moment(language, content.At);
  const words = {
    en: {
      subject: 'You already have an account',
      what: `On ${at} somebody asked for an account with this email address. It has one already.`,
      how: 'If that was you, sign in with your password, or ask for a new one:',
      unasked: 'If it was not you, there is nothing to do: your account has not changed.',
    },
    de: {
      subject: 'Sie haben bereits ein Konto',
      what: `Am ${at} wurde mit dieser E-Mail-Adresse ein Konto angefordert. Es gibt bereits eines.`,
      how: 'Falls Sie das waren, melden Sie sich mit Ihrem Passwort an oder fordern Sie ein neues an:',
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
