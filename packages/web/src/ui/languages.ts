/** The languages that come with Gatehouse, in the order in which each text has them. */
export const LANGUAGES = ['en', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];

type InEach<Languages extends readonly Language[]> = { readonly [Place in keyof Languages]: string };

/** Texts by their keys, each in every language: a text that lacks a language does not compile. */
export type Texts = Readonly<Record<string, InEach<typeof LANGUAGES>>>;

export function byLanguage(texts: Texts): Record<Language, Record<string, string>> {
  const inPlace = (place: number): Record<string, string> =>
    Object.fromEntries(Object.entries(texts).map(([key, each]) => [key, each[place] ?? '']));
  const each = LANGUAGES.map((language, place) => [language, inPlace(place)] as const);
  return Object.fromEntries(each) as Record<Language, Record<string, string>>; // each of `LANGUAGES`
}

/** The one of these languages that a tag means: the same, or one of the same base. */
export function languageOf<L extends string>(tag: string, languages: readonly L[]): L | undefined {
  const same = languages.find((one) => one.toLowerCase() === tag.toLowerCase());
  return same ?? languages.find((one) => baseOf(one) === baseOf(tag));
}

function baseOf(tag: string): string {
  // Some apps write `de_DE`, as the settings of a system do.
  return tag.split(/[-_]/)[0]?.toLowerCase() ?? '';
}
