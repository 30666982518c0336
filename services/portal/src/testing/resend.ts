import { remailInvitation, write } from '@gatehouse/accounts';
import { guestAccounts, query } from '@gatehouse/db';
import type { TestPortal } from './index.ts';

/** What happens when an administrator resends a guest's invitation, which Portal does not offer. */
export async function resendAsAdministrator(portal: TestPortal, accountId: string) {
  const { app } = portal;
  const [invitation] = await query<{ id: string; contentDefinitionId: string; invitedBy: string | null }>(
    app.db,
    `select id, content_definition_id as "contentDefinitionId", invited_by as "invitedBy"
     from invitation where account_id = ?`,
    [accountId],
  );
  const author = { actor: { kind: 'System' }, origin: { traceId: 'test', dueAt: Infinity } } as const;
  return write(app, author, async (tx) => {
    const [account] = await guestAccounts.lockMany(tx, [accountId]);
    return account && invitation && remailInvitation(app, tx, { ...invitation, account }, author);
  });
}
