import { usePageData } from '../../ui/api/page-data.ts';
import type { Input } from '../api/call-api.ts';

export type MailKind = NonNullable<Input<'GET /admin/mail-template/{kind}'>['path']>['kind'];

const PREFIX = 'mails.kind.';

/** Every kind of mail, with its name in the reader's language. Admin adds these names to the texts of the page. */
export function useMailKinds(): { value: MailKind; words: string }[] {
  const { Messages } = usePageData();
  return Object.entries(Messages).flatMap(([key, words]) =>
    // Admin adds one text for each kind.
    key.startsWith(PREFIX) ? [{ value: key.slice(PREFIX.length) as MailKind, words }] : [],
  );
}
