import { Button } from '../../ui/form/button.tsx';
import type { Account } from '../account/account.ts';
import { AccountLink } from '../accounts/account-link.tsx';
import { useList, type ListTools } from '../list/list.tsx';
import { Badge, type Meaning } from '../ui/badge.tsx';
import { Icon } from '../ui/icon.tsx';
import type { Column } from '../ui/table/data-table.tsx';
import { Time } from '../ui/time.tsx';
import styles from './account-content.module.css';
import { GrantAccessDialog } from './grant-access-dialog.tsx';
import { RemoveAccessDialog, type Item } from './remove-access-dialog.tsx';

const MEANINGS: Record<Item['Relation'], Meaning> = {
  Owner: 'information',
  Access: 'success',
  Pending: 'neutral',
};

/** The content that an account owns, has access to or is invited to. */
export function AccountContent({ account }: { account: Account }) {
  const { body, tools } = useList({
    operation: 'GET /admin/account/{id}/content',
    path: { id: account.Id },
    caption: 'c.content.title',
    none: 'accountContent.none',
    keyOf: ({ ContentDefinitionId, Relation }) => `${ContentDefinitionId} ${Relation}`,
    hrefOf: ({ ContentDefinitionId }) => `/console/content/${ContentDefinitionId}`,
    accountOf: ({ By }) => By,
    columns: (given) => columnsOf(account, given),
  });
  return (
    <>
      <div class={styles['head']}>
        <Button
          icon={<Icon name="plus" />}
          onClick={() => tools.open((close) => <GrantAccessDialog account={account} onClose={close} />)}
        >
          {tools.words('accountContent.give')}
        </Button>
      </div>
      {body}
    </>
  );
}

/** The columns of the content list, including the button that takes content away. */
function columnsOf(account: Account, { words, wordsFor, emails, open }: ListTools): Column<Item>[] {
  return [
    { head: words('accountContent.name'), cell: ({ Name }) => Name },
    { head: words('content.kind'), cell: ({ Kind }) => wordsFor('content.kind', Kind) },
    {
      head: words('content.relation'),
      cell: ({ Relation }) => (
        <Badge meaning={MEANINGS[Relation]}>{wordsFor('content.relation', Relation)}</Badge>
      ),
    },
    { head: words('accountContent.since'), cell: ({ Since }) => <Time at={Since} /> },
    { head: words('accountContent.by'), cell: ({ By }) => <AccountLink id={By} emails={emails} /> },
    { head: words('accountContent.until'), cell: ({ ExpiresAt }) => <Time at={ExpiresAt} /> },
    {
      head: words('accountContent.do'),
      align: 'end',
      cell: (item) =>
        item.Relation !== 'Owner' && (
          <Button
            onClick={() =>
              open((close) => <RemoveAccessDialog account={account} item={item} onClose={close} />)
            }
          >
            {words(`accountContent.take.${item.Relation}`)}
          </Button>
        ),
    },
  ];
}
