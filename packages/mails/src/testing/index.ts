import { readBrand } from '@gatehouse/brand';
import { createMailWriter, type MailOptions, type WriteMail } from '../create-mail-writer.ts';
import { readMailLocales } from '../phrasebook.ts';

/** Writes mails like an installation that has set only `PUBLIC_URL`. */
export function testMailWriter(options: Partial<MailOptions> = {}): WriteMail {
  return createMailWriter({
    brand: readBrand(undefined),
    locales: readMailLocales(undefined),
    publicUrl: 'https://gatehouse.example/',
    ...options,
  });
}
export { mailKinds } from '@gatehouse/events';
export { sampleMails } from '../sample-mails.ts';
