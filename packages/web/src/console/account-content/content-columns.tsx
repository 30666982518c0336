import { Button } from '../../ui/form/button.tsx';
import { AccountLink } from '../accounts/account-link.tsx';
import type { useWordsFor, Words } from '../text.ts';
import { Badge, type Meaning } from '../ui/badge.tsx';
import type { Column } from '../ui/table/data-table.tsx';
import { Time } from '../ui/time.tsx';
import type { Item } from './item.ts';

interface ContentColumns {
  words: Words;
  wordsFor: ReturnType<typeof useWordsFor>;
  /** The emails of the accounts that gave access, by account id. */
  emails: ReadonlyMap<string, string>;
  onTake: (item: Item) => void;
}

const MEANINGS: Record<Item['Relation'], Meaning> = {
  Owner: 'information',
  Access: 'success',
  Pending: 'neutral',
};

/** The columns of the content list, including the button that takes content away. */
export function contentColumns({ words, wordsFor, emails, onTake }: ContentColumns): Column<Item>[] {
  return [
    { key: 'name', head: words('accountContent.name'), cell: ({ Name }) => Name },
    {
      key: 'kind',
      head: words('content.kind'),
      cell: ({ Kind }) => wordsFor('content.kind', Kind),
    },
    {
      key: 'relation',
      head: words('content.relation'),
      cell: ({ Relation }) => (
        <Badge meaning={MEANINGS[Relation]}>{wordsFor('content.relation', Relation)}</Badge>
      ),
    },
    { key: 'since', head: words('accountContent.since'), cell: ({ Since }) => <Time at={Since} /> },
    {
      key: 'by',
      head: words('accountContent.by'),
      cell: ({ By }) => <AccountLink id={By} emails={emails} />,
    },
    {
      key: 'until',
      head: words('accountContent.until'),
      cell: ({ ExpiresAt }) => <Time at={ExpiresAt} />,
    },
    {
      key: 'do',
      head: words('accountContent.do'),
      align: 'end',
      cell: (item) =>
        item.Relation !== 'Owner' && (
          <Button onClick={() => onTake(item)}>{words(`accountContent.take.${item.Relation}`)}</Button>
        ),
    },
  ];
}
