import { useLocation } from 'preact-iso';
import { usePageData } from '../../ui/api/page-data.ts';
import { Button } from '../../ui/form/button.tsx';
import { AccountLink } from '../accounts/account-link.tsx';
import { defineList } from '../list/define-list.tsx';
import { useWords } from '../text.ts';
import { Copy } from '../ui/copy.tsx';
import { Icon } from '../ui/icon.tsx';
import { KINDS } from './content.ts';
import { SaveDialog } from './save-dialog.tsx';

/** The list of all content. */
export const ContentsScreen = defineList({
  operation: 'GET /admin/content-definition',
  query: { count: true, members: true },
  caption: 'c.content.title',
  none: 'content.none',
  noMatch: 'content.noMatch',
  first: (words) => <p>{words('content.none.lead')}</p>,
  hrefOf: ({ Id }) => `/console/content/${Id}`,
  accountOf: ({ OwnerId }) => OwnerId,
  filters: [
    { name: 'search', label: 'content.search', type: 'search' },
    { name: 'kind', label: 'content.kind', options: KINDS, texts: 'content.kind' },
    { name: 'ownerId', label: 'content.ownerId' },
  ],
  columns: ({ words, wordsFor, emails }) => [
    { head: words('content.name'), cell: ({ Name }) => Name },
    { head: words('content.kind'), cell: ({ Kind }) => wordsFor('content.kind', Kind) },
    { head: words('content.owner'), cell: ({ OwnerId }) => <AccountLink id={OwnerId} emails={emails} /> },
    {
      head: words('content.access'),
      align: 'end',
      cell: ({ AccessCount }) => <Members count={AccessCount} />,
    },
    {
      head: words('content.pending'),
      align: 'end',
      cell: ({ PendingCount }) => <Members count={PendingCount} />,
    },
    { head: words('content.id'), cell: ({ Id }) => <Copy value={Id} label={words('content.id')} /> },
  ],
  actions: ({ words, open }) => (
    <Button
      kind="primary"
      icon={<Icon name="plus" />}
      onClick={() => open((close) => <CreateDialog onClose={close} />)}
    >
      {words('content.create')}
    </Button>
  ),
});

/** Creates content, and opens its screen. */
function CreateDialog({ onClose }: { onClose: () => void }) {
  const { route } = useLocation();
  return <SaveDialog onClose={onClose} onSaved={({ Id }) => route(`/console/content/${Id}`)} />;
}

/** The API counts up to this number; a larger count means "more than this" (docs/openapi/admin.json). */
const COUNTED_MAX = 1000;

/** A number of members as counted in the list. */
function Members({ count }: { count: number | undefined }) {
  const words = useWords();
  const { Locale } = usePageData();
  const number = new Intl.NumberFormat(Locale);
  if (count === undefined) return <>–</>;
  if (count <= COUNTED_MAX) return <>{number.format(count)}</>;
  return <>{words('content.moreThan', { count: number.format(COUNTED_MAX) })}</>;
}
