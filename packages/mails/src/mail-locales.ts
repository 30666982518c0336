import { readLocales, type Locales } from '@gatehouse/brand';
import { de } from './de.ts';
import { en, type MailText } from './en.ts';

/**
 * The texts of mails in all languages, with those of a directory over them.
 *
 * @throws {ConfigError} when a file of the directory is none of texts.
 */
export function readMailLocales(directory: string | undefined): Locales<MailText> {
  return readLocales<MailText>(directory, { en, de }, (key) => key.startsWith('mail.'));
}
