import { useEffect } from 'preact/hooks';
import { chosenLanguage } from '../../ui/locale/chosen-language.ts';
import { usePageData } from '../../ui/api/page-data.ts';
import { usePageState, useFragment } from '../page-state.ts';
import type { Profile } from './own-account.ts';

/** The language of the pages that corresponds to an account's `Locale`, if any. */
export function languageOf(locale: string, locales: readonly string[]): string | undefined {
  const same = locales.find((one) => one.toLowerCase() === locale.toLowerCase());
  return same ?? locales.find((one) => baseOf(one) === baseOf(locale));
}

/**
 * Reloads the page in the language of the signed-in account, or in the one chosen in this browser. A page whose
 * address names a language keeps it. Returns whether it is about to reload.
 */
export function useAccountLanguage(profile: Profile | undefined): boolean {
  const { Locale, Locales } = usePageData();
  const { isLanguageAsked } = usePageState();
  const params = new URLSearchParams(useFragment()).toString();
  const wanted =
    profile === undefined || isLanguageAsked
      ? undefined
      : languageOf(chosenLanguage(() => localStorage) ?? profile.Locale, Locales);
  const isOther = wanted !== undefined && wanted !== Locale;
  useEffect(() => {
    // Unused data of a link is passed on to the reloaded page.
    const fragment = params && `#${params}`;
    if (isOther) location.replace(`?${new URLSearchParams({ locale: wanted }).toString()}${fragment}`);
  }, [isOther, wanted]);
  return isOther;
}

function baseOf(locale: string): string {
  return locale.split('-')[0]?.toLowerCase() ?? '';
}
