import { Actions } from '../../ui/form.tsx';
import type { Answer } from '../api/call-api.ts';
import { ActButton, actsOn } from '../kit/act.tsx';
import { List } from '../kit/list.tsx';
import { DEVICE, ipAddress } from '../objects.tsx';
import { ago } from '../ui/fact.tsx';
import type { Account } from './account.ts';

type Grant = Answer<'GET /admin/account/{id}/grant'>['Items'][number];

/** Signs out one of them, or all. */
const END = actsOn<{ account: Account; grant?: Grant }>()({
  label: ({ grant }) => (grant ? 'applications.signOut' : 'grants.endAll'),
  title: ({ grant }) => (grant ? 'applications.signOut' : 'grants.endAll'),
  kind: 'danger',
  values: ({ account: { Email: email }, grant }) => ({ email, name: grant?.Name ?? '' }),
  run: (callApi, { account: { Id: id }, grant }) =>
    grant
      ? callApi('DELETE /admin/account/{id}/grant/{grantId}', { path: { id, grantId: grant.Id } })
      : callApi('DELETE /admin/account/{id}/grant', { path: { id } }),
  done: 'applications.signOut.done',
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
      extra={(_, grants) =>
        grants.length > 0 && (
          <Actions>
            <ActButton act={END} row={{ account }} />
          </Actions>
        )
      }
      columns={[
        [
          'applications.one',
          ({ AppId, Name }) => <a href={`/console/applications/${AppId}`}>{Name}</a>,
          'clipped',
        ],
        DEVICE,
        ipAddress('sessions.address'),
        ago('applications.since', 'CreatedAt'),
        ago('applications.seen', 'LastUsedAt'),
        ['applications.scopes', ({ Scopes }) => Scopes.join(', '), 'clipped'],
        ago('sessions.expires', 'ExpiresAt'),
        ['applications.signOut', (grant) => <ActButton act={END} row={{ account, grant }} />, 'pinned'],
      ]}
    />
  );
}
