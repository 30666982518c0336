import { typedEmails } from '@gatehouse/intake';
import { useState, useId } from 'preact/hooks';
import type { Problem } from '../../ui/api.ts';
import { Button } from '../../ui/button.tsx';
import { Actions } from '../../ui/form.tsx';
import { pageData } from '../../ui/locale.ts';
import { Notice } from '../../ui/notice.tsx';
import { type Answer, refresh, useConsole } from '../api/call-api.ts';
import { words, wordsFor } from '../text.ts';
import { Dialog } from '../ui/dialog.tsx';
import { LanguageSelect } from '../ui/language-select.tsx';
import { ProblemBox } from '../ui/screen-page.tsx';
import { DataTable } from '../ui/table.tsx';
import { Badge, type Meaning } from '../ui/values.tsx';
import fieldStyles from '../../ui/field.module.css';
import { Icon } from '../ui/icon.tsx';
import styles from '../ui/text-area.module.css';

const EMAILS_MAX = 100;

type Content = Answer<'GET /admin/content-definition/{id}'>;
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
  const invite = async (): Promise<void> => {
    if (emails.length === 0) return setFault(words('content.invite.empty'));
    if (emails.length > EMAILS_MAX)
      return setFault(words('content.invite.tooMany', { count: emails.length }));
    if (bad.length > 0) return setFault(words('content.invite.wrong', { emails: bad.join(', ') }));
    const operation = 'POST /admin/content-definition/{id}/invite';
    const body = { Emails: emails, Locale };
    const result = await callApi(operation, { path: { id: content.Id }, body });
    if (result.ok) {
      setInvited(result.value);
      return refresh();
    }
    const wrong = invalidAddressesIn(result.problem, emails);
    setFault(wrong.length > 0 ? words('content.invite.wrong', { emails: wrong.join(', ') }) : undefined);
    setProblem(wrong.length > 0 ? undefined : result.problem);
    return undefined;
  };
  if (invited) return <InviteResults items={invited.Items} onClose={onClose} />;
  return (
    <Dialog title={words('content.invite.title', { name: content.Name })} onClose={onClose}>
      {problem && <ProblemBox problem={problem} />}
      <p>{words('content.invite.lead')}</p>
      <TextArea
        label={words('content.invite.emails')}
        hint={words('content.invite.hint')}
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
      <LanguageSelect label={words('content.invite.language')} onChange={setLocale} />
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

const MEANINGS: Record<Invited['Items'][number]['Result'], Meaning> = {
  Invited: 'success',
  AccessGranted: 'success',
  Reinvited: 'information',
  AlreadyHasAccess: 'neutral',
};

function InviteResults({ items, onClose }: { items: Invited['Items']; onClose: () => void }) {
  return (
    <Dialog title={words('content.invited')} onClose={onClose}>
      <p role="status">{words('content.invited.count', { count: items.length })}</p>
      <DataTable
        caption={words('content.invited')}
        rows={items}
        keyOf={({ UserId }) => UserId}
        columns={[
          ['content.email', ({ Email }) => Email],
          [
            'content.invited.result',
            ({ Result }) => <Badge meaning={MEANINGS[Result]}>{wordsFor('content.invited', Result)}</Badge>,
          ],
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

interface TextAreaProps {
  label: string;
  hint: string;
  value: string;
  error?: string | undefined;
  onInput: (value: string) => void;
}

function TextArea({ label, hint, value, error, onInput }: TextAreaProps) {
  const id = useId();
  return (
    <div class={fieldStyles['field']}>
      <label class={fieldStyles['label']} for={id}>
        {label}
      </label>
      <p class={fieldStyles['hint']} id={`${id}-hint`}>
        {hint}
      </p>
      <textarea
        class={[fieldStyles['input'], styles['area']].join(' ')}
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
