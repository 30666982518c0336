import { useEffect, useState } from 'preact/hooks';
import type { Problem } from '../../ui/api.ts';
import { Button } from '../../ui/button.tsx';
import { Actions } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import type { Answer, Input } from '../api/call-api.ts';
import { type Act, Acts, actsOn, calls, menuOf } from '../kit/act.tsx';
import { CountDialog, type Look } from '../kit/bulk.tsx';
import { defineList } from '../kit/list.tsx';
import { AccountLink, MailStatus } from '../objects.tsx';
import { words } from '../text.ts';
import { bulkFilterOf, type Filter, listAt } from '../ui/filters.ts';
import { ProblemBox, Skeleton } from '../ui/screen-page.tsx';
import { ago, Badge, linkTo, Person, Time } from '../ui/values.tsx';

type Invitation = Answer<'GET /admin/invitation'>['Items'][number];

const act = actsOn<Invitation>();
const named = ({ ContentName: name }: Invitation) => ({ name });

const RESEND = act({
  label: 'invitations.resend',
  values: named,
  run: calls('POST /admin/invitation/{id}/resend'),
});

const DELETE = act({
  label: 'invitations.delete',
  kind: 'danger',
  values: named,
  run: calls('DELETE /admin/invitation/{id}'),
});

const FILTERS: readonly Filter[] = [
  { name: 'email', label: 'fact.email', type: 'search' },
  { name: 'isExpired', label: 'invitations.link', type: 'boolean', texts: 'invitations.isExpired' },
  { name: 'contentDefinitionId', label: 'content.id', isRare: true },
  { name: 'invitedBy', label: 'invitations.byId', isRare: true },
  { name: 'id', label: 'invitations.id', isRare: true },
];

export const InvitationsScreen = defineList({
  operation: 'GET /admin/invitation',
  caption: 'c.invitations.title',
  none: 'invitations.none',
  first: ['content', 'invitations.none.first'],
  hrefOf: ({ UserId }) => `/console/accounts/${UserId}`,
  accountOf: ({ InvitedBy }) => InvitedBy,
  filters: FILTERS,
  columns: [
    ['fact.email', ({ Email }) => <Person email={Email} />, 'clipped'],
    linkTo('content.one', 'content', 'ContentDefinitionId', 'ContentName'),
    [
      'invitations.by',
      ({ InvitedBy: by }) => (by === null ? words('invitations.byToken') : <AccountLink id={by} />),
      'clipped',
    ],
    ago('invitations.sent', 'InvitedAt'),
    ['content.linkExpires', ({ ExpiresAt }) => <Expiry at={ExpiresAt} />],
    ['invitations.mail', (invitation) => <MailLink invitation={invitation} />],
    menuOf([RESEND, DELETE], 'Email'),
  ],
  actions: ({ values }) => (
    <Acts
      acts={[RESEND_ALL, DELETE_ALL]}
      row={bulkFilterOf(FILTERS, values)}
      menu={words('bulk.all')}
      labelled
    />
  ),
});

function Expiry({ at }: { at: string }) {
  const isExpired = Date.parse(at) <= Date.now();
  return (
    <>
      {isExpired && <Badge meaning="warning">{words('invitations.link.expired')}</Badge>} <Time at={at} />
    </>
  );
}

function MailLink({ invitation: { Email, MailStatus: status } }: { invitation: Invitation }) {
  if (!status) return null;
  return (
    <a href={listAt('mails', { email: Email })}>
      <MailStatus of={status} />
    </a>
  );
}

type Wanted = NonNullable<Input<'POST /admin/invitation/bulk'>['body']>['Filter'];

const RESEND_ALL = bulk('resend');
const DELETE_ALL: Act<Wanted | undefined> = { ...bulk('delete'), kind: 'danger' };

function bulk(change: 'resend' | 'delete'): Act<Wanted | undefined> {
  const texts = `invitations.bulk.${change}` as const;
  return {
    label: texts,
    Part: ({ row: filter, onClose }) => (
      <CountDialog<Wanted>
        texts={texts}
        form={(look, tooMany) => tooMany ?? <Start filter={filter} onStart={look} onClose={onClose} />}
        send={(callApi, body) =>
          callApi('POST /admin/invitation/bulk', { body: { ...body, Change: change } })
        }
        kind={change === 'delete' ? 'danger' : 'primary'}
        hasForm={false}
        onClose={onClose}
      />
    ),
  };
}

interface StartProps {
  /** That of the list; `undefined` if there is none. */
  filter: Wanted | undefined;
  onStart: Look<Wanted>;
  onClose: () => void;
}

/** Previews the change at once. Without a filter, it would apply to all invitations: asks for one instead. */
function Start({ filter, onStart, onClose }: StartProps) {
  const [problem, setProblem] = useState<Problem>();
  const start = (): void => {
    setProblem(undefined);
    if (filter) void onStart(filter).then(setProblem);
  };
  useEffect(start, []);
  return (
    <>
      {filter === undefined && <Notice meaning="information">{words('invitations.bulk.noFilter')}</Notice>}
      {problem && <ProblemBox problem={problem} retry={start} />}
      {filter && !problem && <Skeleton lines={2} />}
      <Actions>
        <Button onClick={onClose}>{words(filter ? 'form.cancel' : 'dialog.close')}</Button>
      </Actions>
    </>
  );
}
