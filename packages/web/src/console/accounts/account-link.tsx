import { shortened } from '../ui/copy.tsx';

interface AccountLinkProps {
  id: string | null;
  /** Of accounts, by their ids. */
  emails: ReadonlyMap<string, string>;
}

/** Leads to an account, by its email as far as that is known. */
export function AccountLink({ id, emails }: AccountLinkProps) {
  if (id === null) return <>–</>;
  return <a href={`/console/accounts/${id}`}>{emails.get(id) ?? shortened(id)}</a>;
}
