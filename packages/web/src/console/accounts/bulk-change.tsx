import { useEffect, useRef, useState } from 'preact/hooks';
import type { Problem, Result } from '../../ui/api.ts';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/fields.tsx';
import { Actions, type FieldValues, Form } from '../../ui/form.tsx';
import { BanFields, banOf } from '../account/actions.tsx';
import { type Answer, type CallApi, type Input, useConsole } from '../api/call-api.ts';
import { BulkDialog, type Look, NAMED_MAX, NameList, naming } from '../kit/bulk.tsx';
import { TextField } from '../kit/fields.tsx';
import { collect, type Target } from '../kit/list.tsx';
import { choicesOf, counted, words } from '../text.ts';
import { ProblemBox, Skeleton } from '../ui/screen-page.tsx';
import { momentOf } from '../ui/typed.ts';

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
  const filter: Body['Filter'] = target.selected ? { Ids: [...target.selected.keys()] } : target.filter;
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
      {...naming<Changed['Items'][number]>(({ Email }) => Email, target.selected, onClose)}
      onClose={onClose}
    />
  );
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
          <TextField name="ExpiresAt" type="datetime-local" label="accounts.bulk.expire.at" required />
        )}
        {name === 'disable' && <BanFields />}
        {CHANGES[name] && <TextField name="Reason" label="accounts.bulk.reason" />}
      </Form>
    </>
  );
}

type Listed = Answer<'GET /admin/account'>['Items'][number];

type ResetMailsProps = Pick<BulkFormProps, 'target' | 'onClose'> & { onBack: () => void };

function ResetMails({ target, onBack, onClose }: ResetMailsProps) {
  const { found, sent, isOver, send, stop } = useResetMails(target);
  if (found === undefined) return <Skeleton lines={3} />;
  if (!found.ok) return <ProblemBox problem={found.problem} />;
  const accounts = found.value;
  if (accounts === undefined)
    return <p role="status">{words('accounts.reset.tooMany', { most: RESETS_MAX })}</p>;
  if (sent === undefined) {
    return (
      <>
        <p role="status">{counted('accounts.reset.lead', accounts.length)}</p>
        <NameList names={accounts.map(({ Id, Email }) => ({ id: Id, words: Email }))} />
        <Actions>
          <Button onClick={onBack}>{words('bulk.back')}</Button>
          {accounts.length > 0 && (
            <Button kind="danger" onClick={() => void send(accounts)}>
              {counted('accounts.reset.apply', accounts.length)}
            </Button>
          )}
        </Actions>
      </>
    );
  }
  const refused = words('accounts.reset.refused', { count: sent.refused.length });
  return (
    <>
      {sent.problem && <ProblemBox problem={sent.problem} />}
      <p role="status">{words('accounts.reset.sent', { count: sent.count, all: accounts.length })}</p>
      {sent.refused.length > 0 && <p>{refused}</p>}
      <NameList label={refused} names={sent.refused} />
      <Actions>
        {isOver ? (
          <Button kind="primary" onClick={onClose}>
            {words('dialog.close')}
          </Button>
        ) : (
          <Button onClick={stop}>{words('accounts.reset.stop')}</Button>
        )}
      </Actions>
    </>
  );
}

interface Sent {
  count: number;
  refused: { id: string; words: string }[];
  /** Why the remaining accounts were not tried: the API is unavailable. */
  problem?: Problem;
}

function useResetMails(target: Target) {
  const { callApi } = useConsole();
  const [found, setFound] = useState<Found>();
  const [sent, setSent] = useState<Sent>();
  const [isOver, setOver] = useState(false);
  const isStopped = useRef(false);
  useEffect(() => {
    void findTargets(callApi, target).then(setFound);
    return () => void (isStopped.current = true);
  }, []);
  const send = async (accounts: readonly Listed[]): Promise<void> => {
    const state: Sent = { count: 0, refused: [] };
    for (const { Id, Email } of accounts) {
      setSent({ ...state });
      if (isStopped.current || state.problem) break;
      const result = await callApi('POST /admin/account/{id}/reset-password', { path: { id: Id } });
      if (result.ok) state.count += 1;
      else if (result.problem.status === 0 || result.problem.status >= 500) state.problem = result.problem;
      else {
        const isConflict = result.problem.code === 'conflict';
        const why = words(isConflict ? 'accounts.reset.conflict' : 'accounts.reset.no');
        state.refused.push({ id: Id, words: `${Email}: ${why}` });
      }
    }
    setSent({ ...state });
    setOver(true);
  };
  return { found, sent, isOver, send, stop: () => void (isStopped.current = true) };
}

/** The accounts that a change targets; `undefined` if there are more than `RESETS_MAX`. */
type Found = Result<readonly Listed[] | undefined>;

/** The maximum number of reset mails, because they are requested one by one. */
const RESETS_MAX = 1000;
const IDS_MAX = 100;

async function findTargets(callApi: CallApi, target: Target): Promise<Found> {
  if (!target.selected) return findMatching(callApi, target.query);
  const accounts: Listed[] = [];
  const wanted = [...target.selected.keys()];
  for (let at = 0; at < wanted.length; at += IDS_MAX) {
    const ids = wanted.slice(at, at + IDS_MAX).join(',');
    const result = await callApi('GET /admin/account', { query: { ids } });
    if (!result.ok) return result;
    accounts.push(...result.value.Items);
  }
  return { ok: true, value: accounts.length > RESETS_MAX ? undefined : accounts };
}

async function findMatching(callApi: CallApi, query: object): Promise<Found> {
  let count = 0;
  const { rows, problem } = await collect<Listed>(
    (cursor) => callApi('GET /admin/account', { query: { ...query, limit: 200, ...(cursor && { cursor }) } }),
    { rows: [], isWhole: false },
    () => count > RESETS_MAX,
    (read) => (count = read),
  );
  if (problem) return { ok: false, problem };
  return { ok: true, value: rows.length > RESETS_MAX ? undefined : rows };
}
