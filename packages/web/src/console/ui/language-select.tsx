import { Select } from '../../ui/fields.tsx';
import { pageData } from '../../ui/locale.ts';
import { nameOfLanguage } from '../../ui/page.tsx';
import { words } from '../text.ts';

interface LanguageSelectProps {
  label: string;
  /** The present language of the account; by default that of the console. */
  locale?: string;
  onChange?: (locale: string) => void;
}

/** A field `Locale`: the language in which somebody else is addressed. */
export function LanguageSelect({ label, locale, onChange }: LanguageSelectProps) {
  const { Locale, Locales } = pageData;
  const chosen = locale ?? Locale;
  // The API takes any language tag, for the apps around it: an account may have one that is none of these.
  const all = Locales.includes(chosen) ? Locales : [...Locales, chosen];
  return (
    <Select
      name="Locale"
      label={label}
      defaultValue={chosen}
      options={all.map((tag) => ({
        value: tag,
        words: Locales.includes(tag) ? nameOfLanguage(tag) : words('language.none', { tag }),
        lang: tag,
      }))}
      {...(onChange && { onChange })}
    />
  );
}
