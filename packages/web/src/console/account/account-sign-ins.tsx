import { List } from '../list/list.tsx';
import { SIGN_IN_FILTERS, SIGN_IN_LIST } from '../sign-ins/sign-in-list.tsx';

/** The sign-ins to an account, and the refused attempts. */
export function AccountSignIns({ id }: { id: string }) {
  return <List {...SIGN_IN_LIST} query={{ userId: id, count: true }} filters={SIGN_IN_FILTERS} />;
}
