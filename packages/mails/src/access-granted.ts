import type { MailContentOf } from '@gatehouse/events';
import { greeting, languageOf, letter, type Letter } from './letter.ts';

/** Somebody who has an account was given access to content. */
export function accessGranted(content: MailContentOf<'access-granted'>, publicUrl: string): Letter {
  const language = languageOf(content.Locale);
  const { ContentName: name } = content;
  const words = {
    en: {
      subject: 'You have been given access',
      what: `You now have access to “${name}”.`,
      how: 'Sign in with your account as usual:',
    },
    de: {
      subject: 'Sie haben Zugang erhalten',
      what: `Sie haben jetzt Zugang zu „${name}“.`,
      how: 'Melden Sie sich wie gewohnt mit Ihrem Konto an:',
    },
  }[language];
  return letter(language, words.subject, [
    greeting(language, content.DisplayName),
    words.what,
    words.how,
    { link: publicUrl },
  ]);
}
