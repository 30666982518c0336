import { Button } from '../../ui/form/button.tsx';
import { defineList } from '../list/define-list.tsx';
import { Badge } from '../ui/badge.tsx';
import { Copy } from '../ui/copy.tsx';
import { Icon } from '../ui/icon.tsx';
import { Time } from '../ui/time.tsx';
import { CreateDialog } from './create-dialog.tsx';

/** The applications that sign people in through Gatehouse. */
export const ApplicationsScreen = defineList({
  operation: 'GET /admin/oauth-client',
  caption: 'c.applications.title',
  none: 'applications.none',
  first: (words) => <p>{words('applications.none.lead')}</p>,
  columns: ({ words, wordsFor }) => [
    {
      head: words('applications.name'),
      cell: ({ Id, Name }) => <a href={`/console/applications/${Id}`}>{Name}</a>,
      isClipped: true,
    },
    { head: 'client_id', cell: ({ Id }) => <Copy value={Id} label="client_id" /> },
    {
      head: words('applications.kind'),
      cell: ({ IsPublic, IsDeclared }) => (
        <>
          {words(IsPublic ? 'applications.kind.public' : 'applications.kind.secret')}{' '}
          {IsDeclared && <Badge meaning="neutral">{words('applications.declared')}</Badge>}
        </>
      ),
    },
    {
      head: words('applications.who.may'),
      cell: ({ Groups, Roles }) =>
        Groups.join(', ') || Roles.map((role) => wordsFor('role', role)).join(', '),
      isClipped: true,
    },
    { head: words('applications.created'), cell: ({ CreatedAt }) => <Time at={CreatedAt} /> },
  ],
  actions: ({ words, open }) => (
    <Button
      kind="primary"
      icon={<Icon name="plus" />}
      onClick={() => open((close) => <CreateDialog onClose={close} />)}
    >
      {words('applications.create')}
    </Button>
  ),
});
