import type { ComponentChildren } from 'preact';
import type { useWordsFor, Words } from '../../text.ts';
import { Badge, type Meaning } from '../../ui/badge.tsx';
import type { Column } from '../../ui/table/data-table.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { Time } from '../../ui/time.tsx';
import type { Member } from '../content.ts';

interface MemberColumns {
  words: Words;
  wordsFor: ReturnType<typeof useWordsFor>;
  /** Renders the account that gave access. */
  by: (accountId: string | null) => ComponentChildren;
  onTakeBack: (member: Member) => void;
}

const MEANINGS: Record<Member['Relation'], Meaning> = {
  Owner: 'information',
  Access: 'success',
  Pending: 'neutral',
};

/** The columns of the member list, including the button that takes access back. */
export function memberColumns({ words, wordsFor, by, onTakeBack }: MemberColumns): Column<Member>[] {
  return [
    { key: 'email', head: words('content.email'), cell: ({ Email }) => Email },
    { key: 'name', head: words('content.person'), cell: ({ DisplayName }) => DisplayName ?? '–' },
    {
      key: 'relation',
      head: words('content.relation'),
      cell: ({ Relation }) => (
        <Badge meaning={MEANINGS[Relation]}>{wordsFor('content.relation', Relation)}</Badge>
      ),
    },
    { key: 'since', head: words('content.since'), cell: ({ Since }) => <Time at={Since} /> },
    { key: 'by', head: words('content.by'), cell: ({ By }) => by(By) },
    { key: 'ends', head: words('content.ends'), cell: ({ ExpiresAt }) => <Time at={ExpiresAt} /> },
    {
      key: 'link',
      head: words('content.linkExpires'),
      cell: ({ LinkExpiresAt }) => <Time at={LinkExpiresAt} />,
    },
    {
      key: 'do',
      head: words('content.do'),
      isPinned: true,
      cell: (member) =>
        member.Relation !== 'Owner' && (
          <Menu label={words('content.menu', { email: member.Email })}>
            <MenuItem danger onClick={() => onTakeBack(member)}>
              {words(member.Relation === 'Access' ? 'content.revoke' : 'content.uninvite')}
            </MenuItem>
          </Menu>
        ),
    },
  ];
}
