import { useLocation } from 'preact-iso';
import { keepLanguage } from './chosen-language.ts';
import { useText } from './locale.ts';
import { usePageData } from '../api/page-data.ts';
import styles from './language-menu.module.css';

/** Opens the page in another language. Values that were typed are lost, as on any page change. */
export function LanguageMenu() {
  const text = useText();
  const { Locale, Locales } = usePageData();
  const { url } = useLocation();
  if (Locales.length < 2) return null;
  return (
    <nav class={styles['languages']} aria-label={text('footer.language')}>
      {Locales.map((locale) =>
        locale === Locale ? (
          <span key={locale} class={styles['language']} lang={locale} aria-current="true">
            {nameOfLanguage(locale)}
          </span>
        ) : (
          <a
            key={locale}
            class={styles['language']}
            href={inLanguage(url, locale)}
            lang={locale}
            hreflang={locale}
            target="_top"
            onClick={() => keepLanguage(locale, () => localStorage)}
          >
            {nameOfLanguage(locale)}
          </a>
        ),
      )}
    </nav>
  );
}

/** The same page in another language. The rest of its query stays as it is, for example the request of an app. */
function inLanguage(url: string, locale: string): string {
  const query = new URLSearchParams(url.split('?')[1]);
  query.set('locale', locale);
  return `?${query.toString()}`;
}

/** The name of a language in that language. */
export function nameOfLanguage(locale: string): string {
  const name = new Intl.DisplayNames([locale], { type: 'language' }).of(locale) ?? locale;
  return name.charAt(0).toLocaleUpperCase(locale) + name.slice(1);
}
