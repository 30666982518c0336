import { SessionStatus } from 'gatehouse-client';
import { useState } from 'preact/hooks';
import type { Problem } from '../../ui/api.ts';
import { Select } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { type Answer, useConsole, useQuery } from '../api/call-api.ts';
import { ActButton, actsOn, defineScreen } from '../kit/act.tsx';
import { BulkDialog, type Look, NAMED_MAX, naming } from '../kit/bulk.tsx';
import { TextField } from '../kit/fields.tsx';
import { defineList, type ListOf } from '../kit/list.tsx';
import { ActorLink, DEVICE, IP_ADDRESS, ProviderName, StatusBadge } from '../objects.tsx';
import { choicesOf, counted, type CountedKey, words, wordsFor } from '../text.ts';
import { listAt } from '../ui/filters.ts';
import { Card, ProblemBox } from '../ui/screen-page.tsx';
import { ago, at, Badge, Copy, linkTo, Person, shortened, Time, whether } from '../ui/values.tsx';
import { isOfEnded, SESSION_FILTERS, type SessionFilter } from './session-filter.ts';
import styles from './session-history.module.css';

type Session = Answer<'GET /admin/user-session/{id}'>;
type Listed = Answer<'GET /admin/user-session'>['Items'][number];

/** Signs one device out. Administrators end their own session by signing out. */
const END = actsOn<Pick<Session, 'Id' | 'Status' | 'Email'>>()({
  label: 'sessions.end',
  button: 'button',
  kind: 'danger',
  if: ({ Id, Status }, me) => !isOfEnded({ Status }) && Id !== me.SessionId,
  run: (callApi, { Id: SessionId }) =>
    callApi('POST /admin/user-session', { body: { SessionId, Status: SessionStatus.Deactivated } }),
});

function EndButton({ session }: { session: Listed }) {
  const { me } = useConsole();
  return END.if?.(session, me) ? <ActButton act={END} row={session} /> : null;
}

const SESSION_LIST: Omit<ListOf<'GET /admin/user-session'>, 'none'> = {
  operation: 'GET /admin/user-session',
  caption: 'c.sessions.title',
  hrefOf: ({ Id }) => `/console/sessions/${Id}`,
  columns: [
    ['account.one', ({ Email }) => <Person email={Email} />, 'clipped'],
    ['sessions.status', ({ Status }) => <StatusBadge of={Status} />],
    DEVICE,
    ['sessions.tag', ({ Tag }) => Tag, 'secondary'],
    IP_ADDRESS,
    ago('sessions.created', 'CreatedAt'),
    [
      'sessions.seen',
      ({ IsOnline, LastSeenAt }) =>
        IsOnline ? <Badge meaning="success">{words('sessions.online')}</Badge> : <Time at={LastSeenAt} />,
    ],
    [
      'content.one',
      ({ ContentDefinitionId: id }) => id && <a href={`/console/content/${id}`}>{shortened(id)}</a>,
      'secondary',
    ],
    ['sessions.end', (session) => <EndButton session={session} />, 'pinned'],
  ],
  nameOf: ({ Email, IpAddress }) => [Email, IpAddress].filter(Boolean).join(' '),
  change: (target, close) => (
    <ChangeDialog
      target={target.selected ? { SessionIds: [...target.selected.keys()] } : { Filter: target.filter }}
      selected={target.selected}
      onClose={close}
    />
  ),
};

/** The sessions of one account, which need not name it in each row. */
export const SESSIONS_OF_ACCOUNT: typeof SESSION_LIST = {
  ...SESSION_LIST,
  columns: SESSION_LIST.columns.slice(1),
};

export const SessionsScreen = defineList({
  ...SESSION_LIST,
  none: 'sessions.none',
  filters: SESSION_FILTERS,
});

export const SessionScreen = defineScreen({
  operation: 'GET /admin/user-session/{id}',
  texts: 'sessions',
  title: ({ Email }) => Email,
  state: ({ Status }) => <StatusBadge of={Status} />,
  facts: () => [
    ['audit.id', ({ Id }) => <Copy value={Id} label={words('id.session')} />],
    linkTo('account.one', 'accounts', 'UserId', 'Email'),
    whether('sessions.online', 'IsOnline'),
    DEVICE,
    ['sessions.tag', ({ Tag }) => Tag],
    ['sessions.userAgent', ({ UserAgent }) => UserAgent],
    IP_ADDRESS,
    ['sessions.provider', ({ SsoProvider: id }) => (id ? <ProviderName id={id} /> : words('field.password'))],
    at('sessions.created', 'CreatedAt'),
    at('sessions.seen', 'LastSeenAt'),
    at('sessions.expires', 'ExpiresAt'),
    at('sessions.ended', 'EndedAt'),
    ['content.one', ({ ContentDefinitionId: id }) => id && <ContentLink id={id} />],
  ],
  acts: [
    END,
    {
      label: 'sessions.change.one',
      button: 'button',
      Part: ({ row, onClose }) => <ChangeDialog target={{ SessionId: row.Id }} onClose={onClose} />,
    },
  ],
  more: (session) => (
    <>
      <Card title={words('sessions.history')}>
        <ol class={styles['timeline']}>
          {session.History.map(({ Status, ChangedAt, ChangedBy, Reason }) => (
            <li key={ChangedAt}>
              <StatusBadge of={Status} />
              <Time at={ChangedAt} exact />
              <span>{wordsFor('sessionReason', Reason)}</span>
              {ChangedBy && (
                <span class="quiet">
                  {words('sessions.by')} <ActorLink id={ChangedBy} />
                </span>
              )}
            </li>
          ))}
        </ol>
      </Card>
      <Card title={words('sessions.related')}>
        <Related session={session} />
      </Card>
    </>
  ),
});

function ContentLink({ id }: { id: string }) {
  const { data } = useQuery('GET /admin/content-definition/{id}', { path: { id } });
  return <a href={`/console/content/${id}`}>{data?.Name ?? id}</a>;
}

function Related({ session: { Id, UserId, Email, IpAddress, DeviceName } }: { session: Session }) {
  return (
    <ul class={styles['timeline']}>
      <Counted label="sessions.related.account" filter={{ userId: UserId }} />
      {IpAddress && <Counted label="sessions.related.address" filter={{ ipAddress: IpAddress }} />}
      {DeviceName && <Counted label="sessions.related.device" filter={{ deviceName: DeviceName }} />}
      <li>
        <a href={listAt('mails', { email: Email })}>{words('sessions.related.mails')}</a>
      </li>
      <li>
        <a href={`/console/audit?targetId=${Id}`}>{words('sessions.related.audit')}</a>
      </li>
    </ul>
  );
}

/** A link to the sessions of a filter. Its text may name the value by which it filters. */
function Counted({ label, filter }: { label: CountedKey; filter: Record<string, string> }) {
  const [value = ''] = Object.values(filter);
  const values = { address: value, device: value };
  const { data } = useQuery('GET /admin/user-session', { query: { ...filter, count: true, limit: 1 } });
  const count = data?.CountIsExact ? data.Count : undefined;
  return (
    <li>
      <a href={listAt('sessions', filter)}>
        {count === undefined ? words(label, { ...values, count: '…' }) : counted(label, count, values)}
      </a>
    </li>
  );
}

type Changed = Answer<'POST /admin/user-session'>;

type Target =
  { Filter: SessionFilter } | { SessionId: string } | { SessionIds: readonly string[] } | { UserId: string };

interface Wanted {
  Status: SessionStatus;
  Reason?: string;
}

/** `selected`: the names of the selected sessions, by their ids. */
export function ChangeDialog({ target, selected, onClose }: ChangeDialogProps) {
  return (
    <BulkDialog<Wanted, Changed>
      title={words('sessions.change.title')}
      form={(look, conflict) => (
        <ChangeForm choices={'UserId' in target ? OF_ACCOUNT : CHOICES} conflict={conflict} onSubmit={look} />
      )}
      send={(callApi, wanted, preview) => {
        const body = preview ? seen(target, preview) : { ...target, DryRun: true };
        return callApi('POST /admin/user-session', { body: { ...body, ...wanted } });
      }}
      lead={({ Count, UserCount }, { Status }) => (
        <p role="status">
          {Count === 0
            ? words('sessions.change.nothing')
            : words('sessions.change.lead', {
                sessions: counted('sessions.count', Count),
                accounts: counted('accounts.count', UserCount),
                status: wordsFor('sessionStatus', Status),
              })}
        </p>
      )}
      action={(count) => counted('sessions.change.apply', count)}
      {...naming<Changed['Items'][number]>(nameOf, selected, onClose)}
      onClose={onClose}
    />
  );
}

interface ChangeDialogProps {
  target: Target;
  selected?: ReadonlyMap<string, string> | undefined;
  onClose: () => void;
}

/**
 * Limits a change to the previewed sessions: the administrator has not seen those that match only since then. This is
 * not possible for ended sessions, because `SessionIds` selects only active ones.
 */
function seen(target: Target, { Ids }: Changed): Target {
  const isNameable = 'Filter' in target && !isOfEnded(target.Filter) && Ids.length <= NAMED_MAX;
  return isNameable ? { SessionIds: Ids } : target;
}

function nameOf({ Email, IpAddress }: { Email: string; IpAddress: string | null }) {
  return (
    <>
      {Email} <span class="quiet">{IpAddress}</span>
    </>
  );
}

/** The most likely first. */
const CHOICES = [
  SessionStatus.Deactivated,
  SessionStatus.ChatDisabled,
  SessionStatus.Normal,
  SessionStatus.Expired,
  SessionStatus.SessionReplaced,
  SessionStatus.DeletedInvite,
  SessionStatus.SharedAccess,
] as const;

/** For all sessions of an account: `PendingInvite` restores the deleted invitations of a pending guest. */
const OF_ACCOUNT = [...CHOICES, SessionStatus.PendingInvite] as const;

interface ChangeFormProps {
  choices: readonly SessionStatus[];
  /** Too many sessions, a session that is too old, or an account that is closed: the API's message says which. */
  conflict: Problem | undefined;
  onSubmit: Look<Wanted>;
}

function ChangeForm({ choices, conflict, onSubmit }: ChangeFormProps) {
  const [chosen, setChosen] = useState<SessionStatus>(SessionStatus.Deactivated);
  return (
    <>
      {conflict && <ProblemBox problem={conflict} />}
      <Form
        submit={words('bulk.preview')}
        onSubmit={({ Reason }) => onSubmit({ Status: chosen, ...(Reason && { Reason }) })}
      >
        <Select
          name="Status"
          label={words('sessions.change.status')}
          defaultValue={String(chosen)}
          options={choicesOf('sessionStatus', choices)}
          onChange={(value) => setChosen(choices.find((status) => String(status) === value) ?? chosen)}
        />
        <p role="status">{wordsFor('sessionEffect', chosen)}</p>
        <TextField name="Reason" label="sessions.change.reason" />
      </Form>
    </>
  );
}
