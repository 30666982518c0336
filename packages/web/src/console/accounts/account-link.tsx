import { shortened } from '../ui/copy.tsx';

interface AccountLinkProps {
  id: string | null;
  /** The emails of accounts, by account id. */
  emails: ReadonlyMap<string, string>;
}

/** Links to an account, by its email if known, else by its shortened id. */
export function AccountLink({ id, emails }: AccountLinkProps) {
  if (id === null) return <>–</>;
  return <a href={`/console/accounts/${id}`}>{emails.get(id) ?? shortened(id)}</a>;
}
