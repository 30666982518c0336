import { Field } from '../../../ui/form/field.tsx';
import { Form, type FieldValues } from '../../../ui/form/form.tsx';
import type { Input } from '../../api/call-api.ts';
import { useConsole } from '../../api/console-context.ts';
import { useRefresh } from '../../api/use-query.ts';
import { useWords } from '../../text.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { LanguageSelect } from '../../ui/language-select.tsx';
import { ListField } from '../../ui/list-field.tsx';
import { labelsIn } from '../../ui/list-in.ts';
import { localTime, momentOf } from '../../ui/moment.ts';
import { SHOWING_ACCOUNTS, type Account } from '../account.ts';

type Change = NonNullable<Input<'PATCH /admin/account/{id}'>['body']>;

/** Changes the name, language and groups of an account, until when its owner may log in, and in how many sessions. */
export function EditDialog({ account, onClose }: { account: Account; onClose: () => void }) {
  const words = useWords();
  const { callApi, toast } = useConsole();
  const refresh = useRefresh();
  const { Id, DisplayName, Locale, ExpiresAt, SessionLimit } = account;
  return (
    <Dialog title={words('account.edit')} onClose={onClose}>
      <Form
        submit={words('account.edit.submit')}
        onSubmit={async (typed) => {
          const path = { id: Id };
          const result = await callApi('PATCH /admin/account/{id}', { path, body: changeOf(account, typed) });
          if (!result.ok) return result.problem;
          toast(words('account.done'));
          onClose();
          await refresh(...SHOWING_ACCOUNTS);
          return undefined;
        }}
      >
        <Field
          name="DisplayName"
          label={words('accounts.name')}
          autocomplete="off"
          defaultValue={DisplayName ?? ''}
        />
        <LanguageSelect label={words('account.language')} locale={Locale} />
        <ListField
          name="Groups"
          label={words('accounts.groups')}
          hint={words('account.groups.hint')}
          values={ownGroups(account)}
        />
        <Field
          name="ExpiresAt"
          type="datetime-local"
          label={words('account.expires')}
          hint={words('account.expires.hint')}
          defaultValue={shownTime(ExpiresAt)}
        />
        <Field
          name="SessionLimit"
          label={words('account.sessionLimit')}
          hint={words('account.sessionLimit.hint')}
          inputMode="numeric"
          autocomplete="off"
          defaultValue={shownLimit(SessionLimit)}
        />
      </Form>
    </Dialog>
  );
}

/** The fields that were changed. */
function changeOf(account: Account, typed: FieldValues): Change {
  const { DisplayName, Locale, ExpiresAt, SessionLimit } = account;
  const name = typed['DisplayName']?.trim() ?? '';
  const limit = typed['SessionLimit']?.trim() ?? '';
  const until = typed['ExpiresAt'] ?? '';
  return {
    ...(name !== (DisplayName ?? '') && { DisplayName: name }),
    ...(typed['Locale'] !== Locale && { Locale: typed['Locale'] }),
    ...(limit !== shownLimit(SessionLimit) && { SessionLimit: limitIn(limit) }),
    ...changedGroups(ownGroups(account), typed['Groups']),
    ...(until !== shownTime(ExpiresAt) && { ExpiresAt: momentOf(until) ?? null }),
  };
}

function shownLimit(limit: number | null): string {
  return limit === null ? '' : String(limit);
}

function shownTime(at: string | null): string {
  return at === null ? '' : localTime(at);
}

/** The groups that administrators give. */
function ownGroups({ GroupSources }: Account): string[] {
  return GroupSources.flatMap(({ Label, Source }) => (Source === 'Administrator' ? [Label] : []));
}

function changedGroups(before: readonly string[], typed: string | undefined): { Groups?: string[] } {
  const groups = labelsIn(typed);
  return groups.join() === before.join() ? {} : { Groups: groups };
}

/** Text that is no number becomes one that the API refuses. */
function limitIn(typed: string): number | null {
  return typed === '' ? null : Number(typed) || 0;
}
