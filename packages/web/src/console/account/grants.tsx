import { deviceName } from '../../ui/device-name.ts';
import { Actions } from '../../ui/form.tsx';
import type { Answer } from '../api/call-api.ts';
import { ActButton, actsOn } from '../kit/act.tsx';
import { List } from '../kit/list.tsx';
import { Time } from '../ui/values.tsx';
import { type Account, SHOWING_ACCOUNTS } from './account.ts';

type Grant = Answer<'GET /admin/account/{id}/grant'>['Items'][number];

/** Signs out one of them, or all. */
const END = actsOn<{ account: Account; grant?: Grant }>(...SHOWING_ACCOUNTS)({
  label: ({ grant }) => (grant ? 'applications.signOut' : 'grants.endAll'),
  lead: ({ grant }) => (grant ? 'applications.signOut.lead' : 'grants.endAll.lead'),
  kind: 'danger',
  values: ({ account: { Email: email }, grant }) => ({ email, name: grant?.Name ?? '' }),
  run: (callApi, { account: { Id: id }, grant }) =>
    grant
      ? callApi('DELETE /admin/account/{id}/grant/{grantId}', { path: { id, grantId: grant.Id } })
      : callApi('DELETE /admin/account/{id}/grant', { path: { id } }),
  done: 'applications.signedOut',
});

/** The agents and devices that stay signed in to an account by themselves. */
export function AccountGrants({ account }: { account: Account }) {
  return (
    <List
      operation="GET /admin/account/{id}/grant"
      path={{ id: account.Id }}
      query={{}}
      caption="grants.title"
      none="grants.none"
      extra={({ open }, grants) =>
        grants.length > 0 && (
          <Actions>
            <ActButton act={END} row={{ account }} open={open} />
          </Actions>
        )
      }
      columns={({ words, open }) => [
        {
          head: words('applications.one'),
          cell: ({ AppId, Name }) => <a href={`/console/applications/${AppId}`}>{Name}</a>,
          isClipped: true,
        },
        {
          head: words('sessions.device'),
          cell: (grant) => deviceName(grant) ?? words('sessions.device.unknown'),
          isClipped: true,
        },
        {
          head: words('sessions.address'),
          cell: ({ IpAddress }) => IpAddress ?? '–',
          isClipped: ({ IpAddress }) => IpAddress?.includes(':') === true,
        },
        { head: words('applications.since'), cell: ({ CreatedAt }) => <Time at={CreatedAt} /> },
        { head: words('applications.seen'), cell: ({ LastUsedAt }) => <Time at={LastUsedAt} /> },
        { head: words('applications.scopes'), cell: ({ Scopes }) => Scopes.join(', '), isClipped: true },
        { head: words('sessions.expires'), cell: ({ ExpiresAt }) => <Time at={ExpiresAt} /> },
        {
          head: words('applications.signOut'),
          isPinned: true,
          cell: (grant) => <ActButton act={END} row={{ account, grant }} open={open} />,
        },
      ]}
    />
  );
}
