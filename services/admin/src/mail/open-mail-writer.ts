import { brandSettings, readBrand } from '@gatehouse/brand';
import { createMailWriter, readMailLocales, type WriteMail } from '@gatehouse/mails';
import { readPageAddresses } from '@gatehouse/runtime';

/** The settings that say how mails look, and where they lead. */
export interface MailWriterSettings
  extends Partial<Record<keyof typeof brandSettings, string | undefined>>, Parameters<typeof readPageAddresses>[0] {
  readonly PUBLIC_URL?: string | undefined;
  readonly ISSUER: string;
}

/**
 * Gives the one who writes mails as the mail worker does that has the same settings.
 *
 * @throws {ConfigError} naming what is wrong with them.
 */
export function openMailWriter(settings: MailWriterSettings): WriteMail {
  return createMailWriter({
    brand: readBrand(settings.BRAND_FILE),
    locales: readMailLocales(settings.LOCALES_DIRECTORY),
    publicUrl: new URL(settings.PUBLIC_URL ?? settings.ISSUER).href,
    ...readPageAddresses(settings),
  });
}
