import { readBrand } from '@gatehouse/brand';
import { createMailWriter, readMailLocales, type WriteMail } from '@gatehouse/mails';
import { readPageAddresses } from '@gatehouse/runtime';

/** The settings for the appearance and links of mails. */
export type MailWriterSettings = Parameters<typeof readPageAddresses>[0] & {
  readonly BRAND_FILE?: string | undefined;
  readonly LOCALES_DIRECTORY?: string | undefined;
  readonly PUBLIC_URL?: string | undefined;
  readonly ISSUER: string;
};

/**
 * Creates a mail writer that is identical to that of a mail worker with the same settings.
 *
 * @throws {ConfigError} that says what is wrong with them.
 */
export function openMailWriter(settings: MailWriterSettings): WriteMail {
  return createMailWriter({
    brand: readBrand(settings.BRAND_FILE),
    locales: readMailLocales(settings.LOCALES_DIRECTORY),
    publicUrl: new URL(settings.PUBLIC_URL ?? settings.ISSUER).href,
    ...readPageAddresses(settings),
  });
}
