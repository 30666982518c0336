import type { LocaleTexts } from '@gatehouse/brand';
import type { MailText } from './en.ts';
import { shownName } from './shown-name.ts';

/** What a mail says in the language of its reader. */
export interface Phrasebook {
  locale: string;
  say(key: MailText, values?: Readonly<Record<string, string>>): string;
  /** `Hello Ann,`. */
  greet(name: string | undefined): string;
  /** A moment in words, in UTC, as the reader's time zone is not known. */
  moment(timestamp: string): string;
}

/** `brand` is the name that texts call the installation by. */
export function createPhrasebook({ locale, texts }: LocaleTexts<MailText>, brand: string): Phrasebook {
  // As the rest of the world writes dates, where a language does not say which region it is of.
  const dates = new Intl.DateTimeFormat(locale === 'en' ? 'en-GB' : locale, {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'UTC',
  });
  const say: Phrasebook['say'] = (key, values = {}) => fill(texts[key], { brand, ...values });
  return {
    locale,
    say,
    greet: (chosen) => {
      const name = shownName(chosen);
      return name === undefined ? say('mail.greeting') : say('mail.greeting-by-name', { name });
    },
    moment: (timestamp) => `${dates.format(new Date(timestamp))} UTC`,
  };
}

/** Puts values in the place of their names in braces, in one go: what a value says in braces stays as it is. */
function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}
