import type { MailContentOf } from '@gatehouse/events';
import { greeting, languageOf, letter, type Letter } from './letter.ts';

/** Access to content was taken back. */
export function accessRemoved(content: MailContentOf<'access-removed'>): Letter {
  const language = languageOf(content.Locale);
  const { ContentName: name } = content;
  const words = {
    en: {
      subject: 'Your access has ended',
      what: `You no longer have access to “${name}”.`,
      how: 'There is nothing to do. If you did not expect this, ask whoever invited you.',
    },
    de: {
      subject: 'Ihr Zugang ist beendet',
      what: `Sie haben keinen Zugang mehr zu „${name}“.`,
      how: 'Es ist nichts zu tun. Falls Sie das nicht erwartet haben, fragen Sie, wer Sie eingeladen hat.',
    },
  }[language];
  return letter(language, words.subject, [greeting(language, content.DisplayName), words.what, words.how]);
}
