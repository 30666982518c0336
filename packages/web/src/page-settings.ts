import { brandSettings, readBrand, readLocales, type Brand, type Locales } from '@gatehouse/brand';
import type { Static, TObject } from '@gatehouse/schema';
import { builtInTexts } from './built-in-texts.ts';

/** The additional settings of a service that serves pages. */
export const pageSettings = brandSettings;

/** How the pages of an installation look and read. */
export interface PageStyle {
  brand: Brand;
  /** Whether the brand is another than Gatehouse's own. */
  isBranded: boolean;
  locales: Locales;
}

/**
 * Reads the brand and the texts.
 *
 * @throws {ConfigError} naming what is wrong with their files.
 */
export function readPageStyle(config: Static<TObject<typeof brandSettings>>): PageStyle {
  const { BRAND_FILE: brandFile, LOCALES_DIRECTORY: directory } = config;
  return {
    brand: readBrand(brandFile),
    isBranded: brandFile !== undefined,
    locales: readLocales(directory, builtInTexts(), (key) => !key.startsWith('mail.')),
  };
}
