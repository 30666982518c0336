import { readLocales, type Locales } from '@gatehouse/brand';
import { de } from './de.ts';
import { en, type MailText } from './en.ts';

/**
 * The texts of mails in all languages; files in `directory` override them.
 *
 * @throws {ConfigError} if a file in the directory is not a text file.
 */
export function readMailLocales(directory: string | undefined): Locales<MailText> {
  return readLocales<MailText>(directory, { en, de }, (key) => key.startsWith('mail.'));
}
