import { Checkbox } from '../../ui/form/checkbox.tsx';
import { Field } from '../../ui/form/field.tsx';
import { Form, type FieldValues } from '../../ui/form/form.tsx';
import type { Input } from '../api/call-api.ts';
import { useConsole } from '../api/console-context.ts';
import { useRefresh } from '../api/use-query.ts';
import { useWords } from '../text.ts';
import { Dialog } from '../ui/dialog.tsx';
import { ListField } from '../ui/list-field.tsx';
import { labelsIn, listIn } from '../ui/list-in.ts';
import { SHOWING_APPLICATIONS, type Application } from './application.ts';

type Change = NonNullable<Input<'PATCH /admin/oauth-client/{id}'>['body']>;

/** Changes where browsers return to, who may sign in, whether they are asked for consent, and what a sign-in needs. */
export function EditDialog({ application, onClose }: { application: Application; onClose: () => void }) {
  const words = useWords();
  const { callApi, toast } = useConsole();
  const refresh = useRefresh();
  const { Id, Name, Groups, Roles, IsTrusted, IsPublic, RequiresPkce, RequiresNonce } = application;
  return (
    <Dialog title={words('applications.edit')} onClose={onClose}>
      <Form
        submit={words('applications.edit.submit')}
        onSubmit={async (values) => {
          const result = await callApi('PATCH /admin/oauth-client/{id}', {
            path: { id: Id },
            body: changeOf(application, values),
          });
          if (!result.ok) return result.problem;
          toast(words('applications.edited'));
          onClose();
          await refresh(...SHOWING_APPLICATIONS);
          return undefined;
        }}
      >
        <Field
          name="Name"
          label={words('applications.name')}
          autocomplete="off"
          defaultValue={Name}
          required
        />
        <Addresses application={application} />
        <ListField
          name="Groups"
          label={words('applications.groups')}
          hint={words('applications.groups.hint')}
          values={Groups}
        />
        <Checkbox name="Guests" checked={Roles.includes('Guest')}>
          {words('applications.guests.choose')}
        </Checkbox>
        <Checkbox name="IsTrusted" checked={IsTrusted}>
          {words('applications.trusted.choose')}
        </Checkbox>
        {!IsPublic && (
          <>
            <Checkbox name="RequiresPkce" checked={RequiresPkce}>
              {words('applications.pkce')}
            </Checkbox>
            <Checkbox name="RequiresNonce" checked={RequiresNonce}>
              {words('applications.nonce')}
            </Checkbox>
          </>
        )}
      </Form>
    </Dialog>
  );
}

/** Where browsers return to, and where the application is told of ended sessions. */
function Addresses({ application }: { application: Application }) {
  const words = useWords();
  return (
    <>
      <ListField
        name="RedirectUris"
        label={words('applications.redirectUris')}
        hint={words('applications.redirectUris.hint')}
        values={application.RedirectUris}
        separator=" "
      />
      <ListField
        name="PostLogoutRedirectUris"
        label={words('applications.logoutUris')}
        hint={words('applications.logoutUris.hint')}
        values={application.PostLogoutRedirectUris}
        separator=" "
      />
      <Field
        name="BackchannelLogoutUri"
        label={words('applications.backchannel')}
        hint={words('applications.backchannel.hint')}
        autocomplete="off"
        defaultValue={application.BackchannelLogoutUri ?? ''}
      />
    </>
  );
}

function changeOf({ Roles: roles, IsPublic }: Application, values: FieldValues): Change {
  const others = roles.filter((role) => role !== 'Guest');
  return {
    Name: values['Name']?.trim() ?? '',
    RedirectUris: listIn(values['RedirectUris']),
    PostLogoutRedirectUris: listIn(values['PostLogoutRedirectUris']),
    BackchannelLogoutUri: values['BackchannelLogoutUri']?.trim() || null,
    Groups: labelsIn(values['Groups']),
    Roles: values['Guests'] === undefined ? others : [...others, 'Guest'],
    IsTrusted: values['IsTrusted'] !== undefined,
    RequiresPkce: IsPublic || values['RequiresPkce'] !== undefined,
    RequiresNonce: IsPublic || values['RequiresNonce'] !== undefined,
  };
}
