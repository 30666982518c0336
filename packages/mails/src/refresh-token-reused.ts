import type { MailContentOf } from '@gatehouse/events';
import { greeting, languageOf, letter, moment, type Letter } from './letter.ts';
import { requestSource } from './request-source.ts';

/** A session was ended because two clients used it, one of which must be a thief. */
export function refreshTokenReused(
  content: MailContentOf<'refresh-token-reused'>,
  publicUrl: string,
): Letter {
  const language = languageOf(content.Locale);
  const at = moment(language, content.At);
  const words = {
    en: {
      subject: 'We ended one of your sessions',
      what: `On ${at} a session of your account was used in two places at once${requestSource(language, content)}. It may have been stolen, so we ended it.`,
      how: 'Sign in again, and choose a new password if you did not expect this:',
    },
    de: {
      subject: 'Wir haben eine Ihrer Sitzungen beendet',
      what: `Am ${at} wurde eine Sitzung Ihres Kontos an zwei Stellen zugleich benutzt${requestSource(language, content)}. Sie könnte gestohlen sein, daher haben wir sie beendet.`,
      how: 'Melden Sie sich neu an, und wählen Sie ein neues Passwort, falls Sie das nicht erwartet haben:',
    },
  }[language];
  return letter(language, words.subject, [
    greeting(language, content.DisplayName),
    words.what,
    words.how,
    { link: publicUrl },
  ]);
}
