import { typedEmails } from '@gatehouse/intake';
import { SessionStatus } from 'gatehouse-client';
import { useId, useState } from 'preact/hooks';
import type { Problem } from '../../ui/api.ts';
import { Button } from '../../ui/button.tsx';
import fieldStyles from '../../ui/field.module.css';
import { Actions } from '../../ui/form.tsx';
import { pageData } from '../../ui/locale.ts';
import { Notice } from '../../ui/notice.tsx';
import { type Answer, refresh, useConsole, useQuery } from '../api/call-api.ts';
import { ActButton, actsOn, menuOf, sends } from '../kit/act.tsx';
import { LanguageSelect } from '../kit/fields.tsx';
import { List } from '../kit/list.tsx';
import { AccountLink, DEVICE, StatusBadge } from '../objects.tsx';
import { words } from '../text.ts';
import { Dialog, DialogPlace } from '../ui/dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import { Loaded, ProblemBox } from '../ui/screen-page.tsx';
import { DataTable } from '../ui/table.tsx';
import areaStyles from '../ui/text-area.module.css';
import { ago, badgesOf } from '../ui/values.tsx';
import styles from './content.module.css';

type Content = Answer<'GET /admin/content-definition/{id}'>;
type Member = Answer<'GET /admin/content-definition/{id}/member'>['Items'][number];

const REMOVE = actsOn<{ content: Content; member: Member }>()({
  label: ({ member }) => (member.Relation === 'Access' ? 'content.revoke' : 'content.uninvite'),
  kind: 'danger',
  if: ({ member }) => member.Relation !== 'Owner',
  values: ({ content, member }) => ({ email: member.Email, name: content.Name }),
  more: ({ member }) => member.IsGuest && <p>{words('content.takeBack.guest')}</p>,
  run: (callApi, { content, member: { UserId } }) =>
    callApi('POST /admin/content-definition/{id}/remove', { path: { id: content.Id }, body: { UserId } }),
});

export const RelationBadge = badgesOf<Member['Relation']>('content.relation', {
  Owner: 'information',
  Access: 'success',
  Pending: 'neutral',
});

export function Members({ content }: { content: Content }) {
  return (
    <div class={styles['part']}>
      <h2>{words('content.members')}</h2>
      <List
        operation="GET /admin/content-definition/{id}/member"
        path={{ id: content.Id }}
        caption="content.members"
        none="content.noMembers"
        keyOf={({ UserId, Relation }) => `${UserId} ${Relation}`}
        hrefOf={({ UserId }) => `/console/accounts/${UserId}`}
        accountOf={({ By }) => By}
        filters={[{ name: 'relation', label: 'content.relation', texts: 'content.relation' }]}
        columns={[
          ['fact.email', ({ Email }) => Email],
          ['field.name', ({ DisplayName }) => DisplayName],
          ['content.relation', ({ Relation }) => <RelationBadge of={Relation} />],
          ago('fact.since', 'Since'),
          ['fact.by', ({ By }) => <AccountLink id={By} />],
          ago('content.ends', 'ExpiresAt'),
          ago('content.linkExpires', 'LinkExpiresAt'),
          menuOf([REMOVE], 'Email', (member: Member) => ({ content, member })),
        ]}
      />
    </div>
  );
}

type Watcher = Answer<'GET /admin/user-session'>['Items'][number];

function isChatOff({ Status }: Watcher): boolean {
  return Status === SessionStatus.ChatDisabled;
}

const CHAT = actsOn<Watcher>()({
  label: (session) => (isChatOff(session) ? 'content.chat.on' : 'content.chat.off'),
  kind: 'danger',
  run: (callApi, session) => {
    const withChat = session.IsGuest ? SessionStatus.SharedAccess : SessionStatus.Normal;
    const Status = isChatOff(session) ? withChat : SessionStatus.ChatDisabled;
    return callApi('POST /admin/user-session', { body: { SessionId: session.Id, Status } });
  },
});

export function Watching({ id }: { id: string }) {
  const query = { contentDefinitionId: id, isOnline: true, limit: 200 };
  const result = useQuery('GET /admin/user-session', { query }, { everyMs: 10_000 });
  return (
    <div class={styles['part']}>
      <h2>{words('content.watching')}</h2>
      <DialogPlace>
        <Loaded result={result} lines={2}>
          {({ Items, NextCursor }) => (
            <>
              <p class="quiet" role="status">
                {Items.length === 0
                  ? words('content.watching.none')
                  : words(NextCursor === undefined ? 'content.watching.count' : 'content.watching.more', {
                      count: Items.length,
                    })}
              </p>
              {Items.length > 0 && (
                <DataTable
                  caption="content.watching"
                  rows={Items}
                  hrefOf={({ Id }) => `/console/sessions/${Id}`}
                  isOld={result.isOld}
                  columns={[
                    ['fact.email', ({ Email }) => Email],
                    ['sessions.status', ({ Status }) => <StatusBadge of={Status} />],
                    [DEVICE[0], DEVICE[1]],
                    ago('sessions.seen', 'LastSeenAt'),
                    ['content.chat', (session) => <ActButton act={CHAT} row={session} />, 'end'],
                  ]}
                />
              )}
            </>
          )}
        </Loaded>
      </DialogPlace>
    </div>
  );
}

const EMAILS_MAX = 100;

type Invited = Answer<'POST /admin/content-definition/{id}/invite'>;

export function InviteDialog({ content, onClose }: { content: Content; onClose: () => void }) {
  const { callApi } = useConsole();
  const [pasted, setPasted] = useState('');
  const [problem, setProblem] = useState<Problem>();
  const [invited, setInvited] = useState<Invited>();
  const [fault, setFault] = useState<string>();
  const [Locale, setLocale] = useState(pageData.Locale);
  const emails = typedEmails(pasted);
  const bad = emails.filter((email) => !isEmail(email));
  const count = emails.length - bad.length;
  const wrong = (those: readonly string[]) => words('content.invite.wrong', { emails: those.join(', ') });
  const invite = async (): Promise<void> => {
    if (emails.length === 0) return setFault(words('content.invite.empty'));
    if (emails.length > EMAILS_MAX)
      return setFault(words('content.invite.tooMany', { count: emails.length }));
    if (bad.length > 0) return setFault(wrong(bad));
    const send = sends('POST /admin/content-definition/{id}/invite');
    const result = await send(callApi, content, { Emails: emails, Locale });
    if (result.ok) {
      setInvited(result.value);
      return refresh();
    }
    const refused = invalidAddressesIn(result.problem, emails);
    setFault(refused.length > 0 ? wrong(refused) : undefined);
    setProblem(refused.length > 0 ? undefined : result.problem);
    return undefined;
  };
  if (invited) return <InviteResults items={invited.Items} onClose={onClose} />;
  return (
    <Dialog title={words('content.invite.title', { name: content.Name })} onClose={onClose}>
      {problem && <ProblemBox problem={problem} />}
      <p>{words('content.invite.lead')}</p>
      <EmailsField
        value={pasted}
        error={fault}
        onInput={(value) => {
          setPasted(value);
          setFault(undefined);
        }}
      />
      {bad.length > 0 && fault === undefined && (
        <Notice meaning="warning">{words('content.invite.bad', { emails: bad.join(', ') })}</Notice>
      )}
      <LanguageSelect label="content.invite.language" locale={pageData.Locale} onChange={setLocale} />
      <Actions cancel={onClose}>
        <Button kind="primary" onClick={invite}>
          {count > 1 ? words('content.invite.many', { count }) : words('content.invite')}
        </Button>
      </Actions>
    </Dialog>
  );
}

/** Whether a text looks like an email address; the API decides. */
function isEmail(text: string): boolean {
  return /^[^\s@]+@[^\s@]+\.[^\s@.]+$/.test(text);
}

/** The addresses that the API rejects as invalid, by pointers like `/Emails/3`. */
function invalidAddressesIn({ errors }: Problem, emails: readonly string[]): string[] {
  return errors.flatMap(({ pointer }) => emails[Number(pointer.split('/')[2])] ?? []);
}

const ResultBadge = badgesOf<Invited['Items'][number]['Result']>('content.invited', {
  Invited: 'success',
  AccessGranted: 'success',
  Reinvited: 'information',
  AlreadyHasAccess: 'neutral',
});

function InviteResults({ items, onClose }: { items: Invited['Items']; onClose: () => void }) {
  return (
    <Dialog title={words('content.invited')} onClose={onClose}>
      <p role="status">{words('content.invited.count', { count: items.length })}</p>
      <DataTable
        caption="content.invited"
        rows={items}
        columns={[
          ['fact.email', ({ Email }) => Email],
          ['content.invited.result', ({ Result }) => <ResultBadge of={Result} />],
        ]}
      />
      <Actions>
        <Button kind="primary" onClick={onClose}>
          {words('content.invited.done')}
        </Button>
      </Actions>
    </Dialog>
  );
}

interface EmailsFieldProps {
  value: string;
  error: string | undefined;
  onInput: (value: string) => void;
}

function EmailsField({ value, error, onInput }: EmailsFieldProps) {
  const id = useId();
  return (
    <div class={fieldStyles['field']}>
      <label class={fieldStyles['label']} for={id}>
        {words('content.invite.emails')}
      </label>
      <p class={fieldStyles['hint']} id={`${id}-hint`}>
        {words('content.invite.hint')}
      </p>
      <textarea
        class={[fieldStyles['input'], areaStyles['area']].join(' ')}
        id={id}
        rows={6}
        value={value}
        spellcheck={false}
        autocomplete="off"
        aria-describedby={error === undefined ? `${id}-hint` : `${id}-hint ${id}-error`}
        aria-invalid={error === undefined ? undefined : 'true'}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      {error !== undefined && (
        <p class={fieldStyles['error']} id={`${id}-error`} role="alert">
          <Icon name="alert" />
          <span>{error}</span>
        </p>
      )}
    </div>
  );
}
