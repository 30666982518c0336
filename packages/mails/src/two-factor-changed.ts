import type { MailContentOf } from '@gatehouse/events';
import { greeting, languageOf, letter, moment, type Letter } from './letter.ts';
import { requestSource } from './request-source.ts';

type Change = 'two-factor-enabled' | 'two-factor-disabled' | 'recovery-code-used';

/** Writes to the owner about each change of the second factor, as a thief would not tell. */
export function twoFactorChanged(change: Change) {
  return (content: MailContentOf<Change>, publicUrl: string): Letter => {
    const language = languageOf(content.Locale);
    const at = moment(language, content.At) + requestSource(language, content);
    const { subject, what } = WORDS[change][language];
    return letter(language, subject, [
      greeting(language, content.DisplayName),
      what(at),
      UNASKED[language],
      { link: publicUrl },
    ]);
  };
}

const UNASKED = {
  en: 'If it was not you, ask for a new password at once, and tell an administrator:',
  de: 'Falls Sie das nicht waren, fordern Sie sofort ein neues Passwort an und benachrichtigen Sie die Administration:',
};

const WORDS = {
  'two-factor-enabled': {
    en: {
      subject: 'Two-factor authentication was switched on',
      what: (at: string) => `From ${at} on, signing in to your account takes a code besides the password.`,
    },
    de: {
      subject: 'Die Zwei-Faktor-Anmeldung wurde eingeschaltet',
      what: (at: string) =>
        `Seit dem ${at} ist für die Anmeldung an Ihrem Konto neben dem Passwort ein Code nötig.`,
    },
  },
  'two-factor-disabled': {
    en: {
      subject: 'Two-factor authentication was switched off',
      what: (at: string) => `From ${at} on, the password alone is enough to sign in to your account.`,
    },
    de: {
      subject: 'Die Zwei-Faktor-Anmeldung wurde ausgeschaltet',
      what: (at: string) => `Seit dem ${at} genügt für die Anmeldung an Ihrem Konto das Passwort allein.`,
    },
  },
  'recovery-code-used': {
    en: {
      subject: 'A recovery code was used',
      what: (at: string) =>
        `On ${at} somebody signed in to your account with one of its recovery codes. It does not work again.`,
    },
    de: {
      subject: 'Ein Wiederherstellungscode wurde benutzt',
      what: (at: string) =>
        `Am ${at} wurde für die Anmeldung an Ihrem Konto ein Wiederherstellungscode benutzt. Er gilt nicht noch einmal.`,
    },
  },
};
