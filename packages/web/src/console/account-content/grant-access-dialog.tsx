import { Field } from '../../ui/form/field.tsx';
import { Form, type FieldValues } from '../../ui/form/form.tsx';
import type { Problem } from '../../ui/api/api.ts';
import type { Account } from '../account/account.ts';
import { useConsole } from '../api/console-context.ts';
import { useRefresh } from '../api/use-query.ts';
import { useWords, useWordsFor } from '../text.ts';
import { Dialog } from '../ui/dialog.tsx';
import { momentOf } from '../ui/moment.ts';
import { ContentChoice } from './content-choice.tsx';

/** Gives an account access to content, optionally until a given time. */
export function GrantAccessDialog({ account, onClose }: { account: Account; onClose: () => void }) {
  const words = useWords();
  const wordsFor = useWordsFor();
  const { callApi, toast } = useConsole();
  const refresh = useRefresh();
  const give = async ({ ContentDefinitionId: id, ExpiresAt = '' }: FieldValues) => {
    if (!id) return NOTHING_CHOSEN;
    const until = momentOf(ExpiresAt);
    const result = await callApi('POST /admin/content-definition/{id}/invite', {
      path: { id },
      body: { Emails: [account.Email], ...(until !== undefined && { ExpiresAt: until }) },
    });
    if (!result.ok) return result.problem;
    toast(wordsFor('accountContent.result', result.value.Items[0]?.Result ?? 'AccessGranted'));
    onClose();
    await refresh(
      'GET /admin/account/{id}/content',
      'GET /admin/content-definition/{id}/member',
      'GET /admin/invitation',
    );
    return undefined;
  };
  return (
    <Dialog title={words('accountContent.give')} onClose={onClose}>
      <p>{words('accountContent.give.lead', { email: account.Email })}</p>
      <Form submit={words('accountContent.give')} onSubmit={give}>
        <ContentChoice />
        <Field
          name="ExpiresAt"
          type="datetime-local"
          label={words('accountContent.until')}
          hint={words('accountContent.until.hint')}
        />
      </Form>
    </Dialog>
  );
}

/** Has the same form as an error of the API. */
const NOTHING_CHOSEN: Problem = {
  status: 400,
  code: 'invalid_request',
  errors: [{ pointer: '/search', message: 'is required', code: 'required' }],
  body: {},
};
