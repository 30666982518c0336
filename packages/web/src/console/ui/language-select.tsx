import { usePageData } from '../../ui/api/page-data.ts';
import { Select } from '../../ui/form/select.tsx';
import { nameOfLanguage } from '../../ui/locale/language-menu.tsx';

/** A field `Locale`: the language in which somebody else is addressed, at first that of the console. */
export function LanguageSelect({ label, onChange }: { label: string; onChange?: (locale: string) => void }) {
  const { Locale, Locales } = usePageData();
  return (
    <Select
      name="Locale"
      label={label}
      defaultValue={Locale}
      options={Locales.map((value) => ({ value, words: nameOfLanguage(value), lang: value }))}
      {...(onChange && { onChange })}
    />
  );
}
