/**
 * The language of a page: the one requested in its address, or else the one that the browser prefers
 * (`Accept-Language`, RFC 9110 §12.5.4), or else the first.
 */
export function chooseLocale(
  locales: readonly string[],
  { asked, accepted = '' }: { asked: string | undefined; accepted: string | undefined },
): string {
  const wanted = [asked ?? '', ...preferences(accepted)];
  for (const language of wanted) {
    const found = locales.find((locale) => locale.toLowerCase() === language.toLowerCase());
    const related = locales.find((locale) => baseOf(locale) === baseOf(language));
    if (found ?? related) return found ?? related ?? '';
  }
  return locales[0] ?? 'en';
}

const PREFERENCES_MAX = 20;

function preferences(accepted: string): string[] {
  return accepted
    .split(',', PREFERENCES_MAX)
    .map((part) => {
      const [language = '', weight = ''] = part.split(';');
      return { language: language.trim(), weight: Number(/q=([\d.]{1,5})/.exec(weight)?.[1] ?? 1) };
    })
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ language }) => language);
}

function baseOf(language: string): string {
  return language.split('-')[0]?.toLowerCase() ?? '';
}
