import { readLocales, type Locales, type LocaleTexts } from '@gatehouse/brand';
import { shownName } from '@gatehouse/schema';
import { en, type MailText } from './en.ts';
import { de } from './de.ts';

/** Files in `directory` override the texts. @throws {ConfigError} if one of them is not a text file. */
export function readMailLocales(directory: string | undefined): Locales<MailText> {
  return readLocales<MailText>(directory, { en, de }, (key) => key.startsWith('mail.'));
}

export type Phrasebook = ReturnType<typeof createPhrasebook>;

/** `brand` is the name of the installation in texts. */
export function createPhrasebook({ locale, texts }: LocaleTexts<MailText>, brand: string) {
  // English without a region uses the international order of dates.
  const dates = new Intl.DateTimeFormat(locale === 'en' ? 'en-GB' : locale, {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'UTC',
  });
  const say = (key: MailText, values: Readonly<Record<string, string>> = {}): string =>
    fill(texts[key], { brand, ...values });
  return {
    locale,
    say,

    /** `Hello Ann,`. */
    greet: (chosen: string | undefined): string => {
      const name = shownName(chosen);
      return name === undefined ? say('mail.greeting') : say('mail.greeting-by-name', { name });
    },

    /** A date and time as text, in UTC, as the recipient's time zone is unknown. */
    moment: (timestamp: string): string => `${dates.format(new Date(timestamp))} UTC`,

    /** `10 minutes`, `24 hours`; `undefined` for two days and more, of which people want to know the end. */
    duration: (from: string, until: string): string | undefined => {
      // The two clocks may differ by seconds.
      const minutes = Math.round((Date.parse(until) - Date.parse(from)) / 60_000);
      const [unit, count] = minutes < 120 ? ['minute', minutes] : ['hour', Math.round(minutes / 60)];
      if (count < 1 || minutes >= 2 * 24 * 60) return undefined;
      return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(count);
    },
  };
}

/** Replaces names in braces by their values, in one pass: braces within a value stay unchanged. */
function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}

/** Formats `ABCD1234` as `ABCD-1234`. */
export function shownCode(code: string): string {
  const plain = code.replaceAll(/[\s-]/g, '');
  return plain.length === 8 ? `${plain.slice(0, 4)}-${plain.slice(4)}` : plain;
}
