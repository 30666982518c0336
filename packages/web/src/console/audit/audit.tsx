import type { ComponentChildren } from 'preact';
import { type Answer, useQuery } from '../api/call-api.ts';
import { rowOf } from '../export/csv.ts';
import { defineList } from '../kit/list.tsx';
import { PLACES } from '../objects.tsx';
import { words, wordsFor } from '../text.ts';
import { Dialog } from '../ui/dialog.tsx';
import { listAt } from '../ui/filters.ts';
import { FactList, Facts, Way } from '../ui/screen-page.tsx';
import { localTime } from '../ui/typed.ts';
import { ago, at, Copy, type Fact, None, shortened, Time } from '../ui/values.tsx';
import styles from './audit.module.css';

type Entry = Answer<'GET /admin/audit'>['Items'][number];

export const AUDIT_COLUMNS: readonly Fact<Entry>[] = [
  ['audit.what', actionOf],
  ['audit.who', actorOf],
  ['audit.whom', targetOf],
  ['audit.ip', ({ IpAddress }) => IpAddress],
  ago('audit.when', 'At'),
];

/** The entry in the address is open. */
export const AuditScreen = defineList({
  operation: 'GET /admin/audit',
  query: { names: true, count: true },
  caption: 'c.audit.title',
  none: 'audit.none',
  hrefOf: ({ Id }, { values }) => listAt('audit', { ...values, entry: Id }),
  filters: [
    { name: 'action', label: 'audit.what', texts: 'audit.action' },
    { name: 'actorKind', label: 'audit.who', texts: 'audit.actorKind' },
    { name: 'from', label: 'audit.from', type: 'datetime-local' },
    { name: 'to', label: 'audit.to', type: 'datetime-local' },
    { name: 'actorId', label: 'audit.actorId', isRare: true },
    { name: 'targetId', label: 'audit.targetId', isRare: true },
    { name: 'ipAddress', label: 'audit.ip', isRare: true },
    { name: 'traceId', label: 'state.trace', isRare: true },
  ],
  columns: AUDIT_COLUMNS,
  extra: ({ values, set }, rows) => {
    const { traceId, entry } = values;
    const shown = rows.find(({ Id }) => Id === entry);
    return (
      <>
        {traceId && <MailsOfTrace traceId={traceId} />}
        {shown && <EntryDrawer entry={shown} onClose={() => set({ entry: undefined }, { keepPage: true })} />}
      </>
    );
  },
  // All details are in one cell.
  exported: {
    name: 'audit',
    rowOf: (entry) => ({ ...rowOf(entry, EXPORTED), Details: JSON.stringify(entry.Details) }),
  },
});

const ENTRY: readonly Fact<Entry>[] = [
  at('audit.when', 'At'),
  ['audit.who', (entry) => linkedTo(entry.ActorKind, entry.ActorId, actorOf(entry))],
  ['audit.whom', (entry) => linkedTo(entry.TargetKind, entry.TargetId, targetOf(entry))],
  ['audit.ip', ({ IpAddress: ip }) => ip && <a href={listAt('audit', { ipAddress: ip })}>{ip}</a>],
  ['state.trace', ({ TraceId: id }) => id && <Copy value={id} label={words('state.trace')} />],
  ['audit.action', ({ Action }) => <code>{Action}</code>],
];

function EntryDrawer({ entry, onClose }: { entry: Entry; onClose: () => void }) {
  const { Action, TargetId, At, TraceId } = entry;
  return (
    <Dialog title={actionOf(entry)} layout="drawer" onClose={onClose}>
      <div class={styles['entry']}>
        <FactList facts={ENTRY} row={entry} />
        <h3>{words('audit.details')}</h3>
        <Details details={entry.Details} />
        <div class={styles['ways']}>
          {TraceId !== null && <Way href={listAt('audit', { traceId: TraceId })} label="audit.sameTrace" />}
          <Way href={listAt('audit', around(At))} label="audit.around" />
          {TargetId !== null && <Way href={listAt('audit', { targetId: TargetId })} label="audit.ofTarget" />}
          {TargetId !== null && Action.startsWith('account.eras') && (
            <Way href={listAt('erasures', { userId: TargetId })} label="erasure.ofAccount" />
          )}
        </div>
      </div>
    </Dialog>
  );
}

/** The details of an entry, each former value beside the present one. */
function Details({ details }: { details: Entry['Details'] }) {
  const isSaid = (name: string): boolean =>
    // By the title: that it was enabled again, and so until no time.
    (details['IsDisabled'] === false && ['IsDisabled', 'DisabledUntil'].includes(name)) ||
    (name.startsWith(BEFORE) && Object.hasOwn(details, name.slice(BEFORE.length)));
  const shown = Object.entries(details).filter(([name]) => !isSaid(name));
  if (shown.length === 0) return <p class="quiet">{words('audit.details.none')}</p>;
  return (
    <Facts
      rows={shown.map(([name, value]) => {
        const kind = typeof value === 'string' ? KINDS[name] : undefined;
        const before = details[`${BEFORE}${name}`];
        return [
          wordsFor('audit.detail', name),
          linkedTo(
            kind,
            kind && String(value),
            <>
              {before !== undefined && (
                <>
                  <del>{valueOf(name, before)}</del> →{' '}
                </>
              )}
              {kind === undefined ? valueOf(name, value) : shortened(String(value))}
            </>,
          ),
        ];
      })}
    />
  );
}

/** The details whose values have words in the console, and where these are. */
const VALUES: Readonly<Partial<Record<string, string>>> = {
  Role: 'role',
  Status: 'sessionStatus',
  LoginStatus: 'condition',
  FaceMatchType: 'faceType',
};

const MOMENT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** What a reader is told of a value: words instead of codes, a time as on every screen. */
function valueOf(name: string, value: unknown): ComponentChildren {
  const prefix = VALUES[name];
  if (prefix !== undefined && (typeof value === 'string' || typeof value === 'number'))
    return wordsFor(prefix, value);
  if (typeof value === 'boolean') return words(value ? 'yes' : 'no');
  if (typeof value === 'string' && MOMENT.test(value)) return <Time at={value} exact />;
  return textOf(value);
}

function linkedTo(kind: string | undefined, id: string | null | undefined, shown: ComponentChildren) {
  const [, , screen] = PLACES.find(([one]) => one === kind) ?? [];
  return (
    <span class={styles['linked']}>
      <span>{screen && id ? <a href={`${screen}/${id}`}>{shown}</a> : shown}</span>
      {id && <Copy value={id} label={words('audit.id')} />}
    </span>
  );
}

const AROUND_MS = 5 * 60_000;

function around(time: string): { from: string; to: string } {
  const moment = Date.parse(time);
  return { from: localTime(moment - AROUND_MS), to: localTime(moment + AROUND_MS) };
}

function MailsOfTrace({ traceId }: { traceId: string }) {
  const { data } = useQuery('GET /admin/mail', { query: { traceId, limit: 1, count: true } });
  if (data === undefined || data.Items.length === 0) return null;
  return (
    <p>
      <a href={listAt('mails', { traceId })}>
        {words('audit.mailsOfTrace', { count: data.Count ?? data.Items.length })}
      </a>
    </p>
  );
}

/** What was done: of a change that disables an account or enables it again, that. */
function actionOf({ Action, Details: { IsDisabled } }: Entry) {
  if (Action !== 'account.changed' || typeof IsDisabled !== 'boolean')
    return wordsFor('audit.action', Action);
  return words(IsDisabled ? 'audit.disabled' : 'audit.enabled');
}

function actorOf({ ActorKind, ActorName: name, ActorId }: Entry) {
  if (ActorKind === 'System') return <span class="quiet">{words('audit.system')}</span>;
  return name ?? (ActorId === null ? '–' : shortened(ActorId));
}

function targetOf({ TargetKind, TargetName: name, TargetId }: Entry) {
  // An entry about many objects, such as an import, names none.
  if (!name && TargetId === null) return <None />;
  return (
    <>
      <span class="quiet">{wordsFor('audit.kind', TargetKind)}</span> {name ?? shortened(TargetId ?? '')}
    </>
  );
}

const BEFORE = 'Previous';

/** The details of docs/audit.md that contain ids, and the kind of object that each id belongs to. */
const KINDS: Readonly<Partial<Record<string, string>>> = {
  UserId: 'Account',
  OwnerId: 'Account',
  TransferContentTo: 'Account',
  ContentDefinitionId: 'ContentDefinition',
  PersonId: 'Person',
  ReplacedBy: 'ApiToken',
  ClientId: 'OauthClient',
};

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '–';
  if (Array.isArray(value)) return value.map(textOf).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const EXPORTED = [
  'Id',
  'At',
  'Action',
  'ActorKind',
  'ActorId',
  'ActorName',
  'TargetKind',
  'TargetId',
  'TargetName',
  'IpAddress',
  'TraceId',
] as const;
