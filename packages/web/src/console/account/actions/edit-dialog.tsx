import { Field } from '../../../ui/form/field.tsx';
import { Form } from '../../../ui/form/form.tsx';
import { useConsole } from '../../api/console-context.ts';
import { useRefresh } from '../../api/use-query.ts';
import { useWords } from '../../text.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { LanguageSelect } from '../../ui/language-select.tsx';
import { listIn } from '../../ui/list-in.ts';
import { localTime, momentOf } from '../../ui/moment.ts';
import { SHOWING_ACCOUNTS, type Account } from '../account.ts';

/** Changes the name, language and groups of an account, until when its owner may log in, and in how many sessions. */
export function EditDialog({ account, onClose }: { account: Account; onClose: () => void }) {
  const words = useWords();
  const { callApi, toast } = useConsole();
  const refresh = useRefresh();
  const { Id, DisplayName, Locale, ExpiresAt, SessionLimit, Groups } = account;
  const limit = SessionLimit === null ? '' : String(SessionLimit);
  const groups = Groups.join(', ');
  const expiry = ExpiresAt === null ? '' : localTime(ExpiresAt);
  return (
    <Dialog title={words('account.edit')} onClose={onClose}>
      <Form
        submit={words('account.edit.submit')}
        onSubmit={async (typed) => {
          const name = typed['DisplayName']?.trim() ?? '';
          const typedLimit = typed['SessionLimit']?.trim() ?? '';
          const typedGroups = typed['Groups'] ?? '';
          const until = typed['ExpiresAt'] ?? '';
          const result = await callApi('PATCH /admin/account/{id}', {
            path: { id: Id },
            body: {
              ...(name !== (DisplayName ?? '') && { DisplayName: name }),
              ...(typed['Locale'] !== Locale && { Locale: typed['Locale'] }),
              ...(typedLimit !== limit && { SessionLimit: limitIn(typedLimit) }),
              ...(typedGroups !== groups && { Groups: listIn(typedGroups) }),
              ...(until !== expiry && { ExpiresAt: momentOf(until) ?? null }),
            },
          });
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
        <Field
          name="Groups"
          label={words('accounts.groups')}
          hint={words('accounts.groups.hint')}
          autocomplete="off"
          spellcheck={false}
          defaultValue={groups}
        />
        <Field
          name="ExpiresAt"
          type="datetime-local"
          label={words('account.expires')}
          hint={words('account.expires.hint')}
          defaultValue={expiry}
        />
        <Field
          name="SessionLimit"
          label={words('account.sessionLimit')}
          hint={words('account.sessionLimit.hint')}
          inputMode="numeric"
          autocomplete="off"
          defaultValue={limit}
        />
      </Form>
    </Dialog>
  );
}

/** Text that is no number becomes one that the API refuses. */
function limitIn(typed: string): number | null {
  return typed === '' ? null : Number(typed) || 0;
}
