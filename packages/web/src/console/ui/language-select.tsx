import { Select } from '../../ui/fields.tsx';
import { usePageData } from '../../ui/locale.ts';
import { nameOfLanguage } from '../../ui/page.tsx';

interface LanguageSelectProps {
  label: string;
  /** The present language of the account; by default that of the console. */
  locale?: string;
  onChange?: (locale: string) => void;
}

/** A field `Locale`: the language in which somebody else is addressed. */
export function LanguageSelect({ label, locale, onChange }: LanguageSelectProps) {
  const { Locale, Locales } = usePageData();
  const chosen = locale ?? Locale;
  // An account may have one that the console does not.
  const all = Locales.includes(chosen) ? Locales : [...Locales, chosen];
  return (
    <Select
      name="Locale"
      label={label}
      defaultValue={chosen}
      options={all.map((value) => ({ value, words: nameOfLanguage(value), lang: value }))}
      {...(onChange && { onChange })}
    />
  );
}
