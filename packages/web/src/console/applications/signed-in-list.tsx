import { List } from '../list/list.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { Time } from '../ui/time.tsx';
import type { Application } from './application.ts';
import { SignOutDialog } from './sign-out-dialog.tsx';

/** Who is signed in to an application. */
export function SignedInList({ application }: { application: Application }) {
  return (
    <List
      operation="GET /admin/oauth-client/{id}/session"
      path={{ id: application.Id }}
      caption="applications.signedIn"
      none="applications.signedIn.none"
      columns={({ words, open }) => [
        {
          head: words('applications.who'),
          cell: ({ UserId, Email }) => <a href={`/console/accounts/${UserId}`}>{Email}</a>,
          isClipped: true,
        },
        {
          head: words('applications.session'),
          cell: ({ SessionId }) => (
            <a href={`/console/sessions/${SessionId}`}>{words('applications.session.open')}</a>
          ),
        },
        { head: words('applications.since'), cell: ({ CreatedAt }) => <Time at={CreatedAt} /> },
        { head: words('applications.seen'), cell: ({ LastSeenAt }) => <Time at={LastSeenAt} /> },
        {
          head: words('tokens.do'),
          isPinned: true,
          cell: (session) => (
            <Menu label={words('tokens.menu', { name: session.Email })}>
              <MenuItem
                danger
                onClick={() =>
                  open((close) => (
                    <SignOutDialog application={application} session={session} onClose={close} />
                  ))
                }
              >
                {words('applications.signOut')}
              </MenuItem>
            </Menu>
          ),
        },
      ]}
    />
  );
}
