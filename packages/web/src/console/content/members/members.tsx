import { AccountLink } from '../../accounts/account-link.tsx';
import { List, type ListTools } from '../../list/list.tsx';
import { useWords } from '../../text.ts';
import { Badge, type Meaning } from '../../ui/badge.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import type { Column } from '../../ui/table/data-table.tsx';
import { Time } from '../../ui/time.tsx';
import styles from '../content.module.css';
import type { Content, Member } from '../content.ts';
import { RemoveMemberDialog } from './remove-member-dialog.tsx';

const MEANINGS: Record<Member['Relation'], Meaning> = {
  Owner: 'information',
  Access: 'success',
  Pending: 'neutral',
};

/** The accounts that own content, have access to it or are invited to it. */
export function Members({ content }: { content: Content }) {
  const words = useWords();
  return (
    <div class={styles['part']}>
      <h2>{words('content.members')}</h2>
      <List
        operation="GET /admin/content-definition/{id}/member"
        path={{ id: content.Id }}
        caption="content.members"
        none="content.noMembers"
        keyOf={({ UserId, Relation }) => `${UserId} ${Relation}`}
        hrefOf={({ UserId }) => `/console/accounts/${UserId}`}
        accountOf={({ By }) => By}
        filters={[
          {
            name: 'relation',
            label: 'content.relation',
            options: Object.keys(MEANINGS),
            texts: 'content.relation',
          },
        ]}
        columns={(tools) => columnsOf(content, tools)}
      />
    </div>
  );
}

/** The columns of the member list, including the button that takes access back. */
function columnsOf(content: Content, { words, wordsFor, emails, open }: ListTools): Column<Member>[] {
  return [
    { head: words('content.email'), cell: ({ Email }) => Email },
    { head: words('content.person'), cell: ({ DisplayName }) => DisplayName ?? '–' },
    {
      head: words('content.relation'),
      cell: ({ Relation }) => (
        <Badge meaning={MEANINGS[Relation]}>{wordsFor('content.relation', Relation)}</Badge>
      ),
    },
    { head: words('content.since'), cell: ({ Since }) => <Time at={Since} /> },
    { head: words('content.by'), cell: ({ By }) => <AccountLink id={By} emails={emails} /> },
    { head: words('content.ends'), cell: ({ ExpiresAt }) => <Time at={ExpiresAt} /> },
    { head: words('content.linkExpires'), cell: ({ LinkExpiresAt }) => <Time at={LinkExpiresAt} /> },
    {
      head: words('content.do'),
      isPinned: true,
      cell: (member) =>
        member.Relation !== 'Owner' && (
          <Menu label={words('content.menu', { email: member.Email })}>
            <MenuItem
              danger
              onClick={() =>
                open((close) => <RemoveMemberDialog content={content} member={member} onClose={close} />)
              }
            >
              {words(member.Relation === 'Access' ? 'content.revoke' : 'content.uninvite')}
            </MenuItem>
          </Menu>
        ),
    },
  ];
}
