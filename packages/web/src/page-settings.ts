import { brandSettings, readBrand, readLocales, type Brand, type Locales } from '@gatehouse/brand';
import type { Static, TObject } from '@gatehouse/schema';
import { PAGE_TEXTS } from './page-texts.ts';
import { byLanguage } from './ui/locale/languages.ts';

/** The additional settings of a service that serves pages. */
export const pageSettings = brandSettings;

/** The brand and the texts of an installation's pages. */
export interface PageStyle {
  brand: Brand;
  /** Whether a brand file is configured. */
  isBranded: boolean;
  locales: Locales;
}

/**
 * Reads the brand and the texts.
 *
 * @throws {ConfigError} describing the error in one of their files.
 */
export function readPageStyle(config: Static<TObject<typeof brandSettings>>): PageStyle {
  const { BRAND_FILE: brandFile, LOCALES_DIRECTORY: directory } = config;
  return {
    brand: readBrand(brandFile),
    isBranded: brandFile !== undefined,
    locales: readLocales(directory, byLanguage(PAGE_TEXTS), (key) => !key.startsWith('mail.')),
  };
}
