import type { MessageKey as SharedKey, Values } from '../ui/locale/locale.ts';
import { fill } from '../ui/locale/locale.ts';
import { usePageData } from '../ui/api/page-data.ts';
import type account from './account/en.json';
import type accountContent from './account-content/en.json';
import type accounts from './accounts/en.json';
import type audit from './audit/en.json';
import type bulk from './bulk/en.json';
import type content from './content/en.json';
import type erasure from './erasure/en.json';
import type imports from './import/en.json';
import type invitations from './invitations/en.json';
import type mails from './mails/en.json';
import type overview from './overview/en.json';
import type persons from './persons/en.json';
import type profile from './profile/en.json';
import type sessions from './sessions/en.json';
import type shell from './shell/en.json';
import type signIn from './sign-in/en.json';
import type methods from './sign-in-methods/en.json';
import type signOn from './sign-on/en.json';
import type system from './system/en.json';
import type tokens from './tokens/en.json';

type Texts = typeof account &
  typeof accountContent &
  typeof accounts &
  typeof audit &
  typeof bulk &
  typeof content &
  typeof erasure &
  typeof imports &
  typeof invitations &
  typeof mails &
  typeof overview &
  typeof persons &
  typeof profile &
  typeof sessions &
  typeof shell &
  typeof signIn &
  typeof methods &
  typeof signOn &
  typeof system &
  typeof tokens;

/** A text's name: en.json of the screen that shows it has it. */
export type TextKey = keyof Texts | SharedKey;

/** Gives a text in the reader's language. */
export type Words = (key: TextKey, values?: Values) => string;

/** The texts of the reader's language. */
export function useWords(): Words {
  const { Messages } = usePageData();
  return (key, values) => fill(Messages[key] ?? key, values);
}

/** The words for one of several values; the value itself where there are none. */
export function useWordsFor(): (prefix: string, value: string | number) => string {
  const { Messages } = usePageData();
  return (prefix, value) => Messages[`${prefix}.${value}`] ?? String(value);
}

/** The keys of texts that are different for one: `bulk.count` and `bulk.count.one`. */
export type CountedKey = { [K in TextKey]: `${K}.one` extends TextKey ? K : never }[TextKey];

/** A text with how many there are; that for one where there is one. */
export function useCounted(): (key: CountedKey, count: number, values?: Values) => string {
  const { Messages, Locale } = usePageData();
  const number = new Intl.NumberFormat(Locale);
  return (key, count, values) =>
    fill(Messages[count === 1 ? `${key}.one` : key] ?? key, { ...values, count: number.format(count) });
}
