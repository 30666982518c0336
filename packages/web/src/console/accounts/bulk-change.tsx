import { useState } from 'preact/hooks';
import type { Problem } from '../../ui/api.ts';
import { Field, Select } from '../../ui/fields.tsx';
import { type FieldValues, Form } from '../../ui/form.tsx';
import { BanFields, banOf } from '../account/actions.tsx';
import type { Answer, Input } from '../api/call-api.ts';
import { BulkDialog, type Look, naming } from '../kit/bulk.tsx';
import { NAMED_MAX } from '../kit/difference.ts';
import type { Target } from '../kit/list.tsx';
import { choicesOf, counted, words } from '../text.ts';
import { ProblemBox } from '../ui/screen-page.tsx';
import { momentOf } from '../ui/typed.ts';
import { ResetMails } from './reset-mails.tsx';

type Body = NonNullable<Input<'POST /admin/account/bulk'>['body']>;
type Change = Body['Change'];
type Changed = Answer<'POST /admin/account/bulk'>;

/** The changes that can be made to many accounts at once; their texts are `accounts.bulk.<name>`. */
const CHANGES = {
  disable: banOf,
  enable: () => ({ IsDisabled: false }),
  require2fa: () => ({ TwoFactorRequired: true }),
  release2fa: () => ({ TwoFactorRequired: false }),
  newPassword: () => ({ NewPasswordRequired: true }),
  expire: ({ ExpiresAt }) => ({ ExpiresAt: momentOf(ExpiresAt) ?? '' }),
  neverExpire: () => ({ ExpiresAt: null }),
  // Mails are no change: reset codes are requested one by one, invitations at once.
  reset: undefined,
  invite: undefined,
} as const satisfies Record<string, ((typed: FieldValues) => Change) | undefined>;

type Name = keyof typeof CHANGES;
const NAMES = Object.keys(CHANGES) as Name[]; // of the object above

interface Wanted {
  name: Name;
  /** `undefined` for invitations. */
  Change?: Change;
  Reason?: string | undefined;
}

export function BulkChange({ target, onClose }: { target: Target; onClose: () => void }) {
  const selected = 'selected' in target ? target.selected : undefined;
  const filter: Body['Filter'] = 'selected' in target ? { Ids: [...target.selected.keys()] } : target.filter;
  return (
    <BulkDialog<Wanted, Changed>
      title={words('accounts.bulk.title')}
      form={(look, conflict) => (
        <BulkForm target={target} conflict={conflict} onSubmit={look} onClose={onClose} />
      )}
      send={(callApi, { Change, Reason }, preview) => {
        // Excludes accounts that did not match at the time of the preview.
        const seen = preview && preview.Ids.length <= NAMED_MAX && { Ids: preview.Ids };
        const body = { Filter: { ...filter, ...seen }, ...(!preview && { DryRun: true }) };
        return Change === undefined
          ? callApi('POST /admin/account/bulk/invite', { body })
          : callApi('POST /admin/account/bulk', { body: { ...body, Change, ...(Reason && { Reason }) } });
      }}
      lead={({ Count, Skipped }, { name }) => (
        <div role="status">
          <p>
            {Count === 0
              ? words('accounts.bulk.nothing')
              : words('accounts.bulk.lead', {
                  accounts: counted('accounts.count', Count),
                  change: words(`accounts.bulk.${name}`),
                })}
          </p>
          {Skipped > 0 && <p class="quiet">{counted('accounts.bulk.skipped', Skipped)}</p>}
        </div>
      )}
      action={(count) => counted('accounts.bulk.apply', count)}
      {...naming<Changed['Items'][number]>(emailOf, selected, onClose)}
      onClose={onClose}
    />
  );
}

function emailOf({ Email }: { Email: string }): string {
  return Email;
}

interface BulkFormProps {
  target: Target;
  /** Too many accounts, or the last administrator: the API's message says which. */
  conflict: Problem | undefined;
  onSubmit: Look<Wanted>;
  onClose: () => void;
}

/** Password reset mails do not change accounts, and are sent from here. */
function BulkForm({ target, conflict, onSubmit, onClose }: BulkFormProps) {
  const [name, setName] = useState<Name>('disable');
  const [isReset, setReset] = useState(false);
  const start = (): void => {
    setName('disable');
    setReset(false);
  };
  if (isReset) return <ResetMails target={target} onBack={start} onClose={onClose} />;
  return (
    <>
      {conflict && <ProblemBox problem={conflict} />}
      <p role="status">{words(`accounts.bulk.${name}.effect`)}</p>
      <Form
        submit={words('bulk.preview')}
        onSubmit={async (typed) => {
          const change = CHANGES[name];
          if (change) return onSubmit({ name, Change: change(typed), Reason: typed['Reason']?.trim() });
          if (name === 'invite') return onSubmit({ name });
          setReset(true);
          return undefined;
        }}
      >
        <Select
          name="Change"
          label={words('accounts.bulk.change')}
          defaultValue="disable"
          options={choicesOf('accounts.bulk', NAMES)}
          onChange={(value) => setName(NAMES.find((one) => one === value) ?? 'disable')}
        />
        {name === 'expire' && (
          <Field
            name="ExpiresAt"
            type="datetime-local"
            label={words('account.expires')}
            hint={words('accounts.bulk.expire.hint')}
            required
          />
        )}
        {name === 'disable' && <BanFields />}
        {CHANGES[name] && (
          <Field
            name="Reason"
            label={words('accounts.bulk.reason')}
            hint={words('accounts.bulk.reason.hint')}
          />
        )}
      </Form>
    </>
  );
}
