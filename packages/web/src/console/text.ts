import type { MessageKey as SharedKey, Values } from '../ui/locale/locale.ts';
import { fill } from '../ui/locale/locale.ts';
import { usePageData } from '../ui/api/page-data.ts';
import type account from './account/en.json';
import type accountContent from './account-content/en.json';
import type accounts from './accounts/en.json';
import type applications from './applications/en.json';
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
import type signIns from './sign-ins/en.json';
import type signOn from './sign-on/en.json';
import type system from './system/en.json';
import type tokens from './tokens/en.json';
import type webhooks from './webhooks/en.json';

type Texts = typeof account &
  typeof accountContent &
  typeof accounts &
  typeof applications &
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
  typeof signIns &
  typeof signOn &
  typeof system &
  typeof tokens &
  typeof webhooks;

/** The key of a text, from the en.json of a screen or from the shared texts. */
export type TextKey = keyof Texts | SharedKey;

/** Returns a text in the reader's language. */
export type Words = (key: TextKey, values?: Values) => string;

/** The texts of the reader's language. */
export function useWords(): Words {
  const { Messages } = usePageData();
  return (key, values) => fill(Messages[key] ?? key, values);
}

/** Returns the text `<prefix>.<value>`; the value itself if there is no such text. */
export function useWordsFor(): (prefix: string, value: string | number) => string {
  const { Messages } = usePageData();
  return (prefix, value) => Messages[`${prefix}.${value}`] ?? String(value);
}

/** The keys of texts that have a singular, for example `bulk.count` with `bulk.count.one`. */
export type CountedKey = { [K in TextKey]: `${K}.one` extends TextKey ? K : never }[TextKey];

/** Returns a text that contains a number; for 1, the singular text. */
export function useCounted(): (key: CountedKey, count: number, values?: Values) => string {
  const { Messages, Locale } = usePageData();
  const number = new Intl.NumberFormat(Locale);
  return (key, count, values) =>
    fill(Messages[count === 1 ? `${key}.one` : key] ?? key, { ...values, count: number.format(count) });
}
