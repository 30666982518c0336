import { useState } from 'preact/hooks';
import { Checkbox } from '../../../ui/form/checkbox.tsx';
import { Field } from '../../../ui/form/field.tsx';
import type { FieldValues } from '../../../ui/form/form.tsx';
import { Select } from '../../../ui/form/select.tsx';
import type { Input } from '../../api/call-api.ts';
import { useWords } from '../../text.ts';
import { localTime, momentOf } from '../../ui/moment.ts';

const DAY_MS = 24 * 3600 * 1000;

/** How long an account can be disabled, in days; `always` until an administrator enables it, `time` until a time. */
const LENGTHS = { always: undefined, day: 1, week: 7, month: 30, time: undefined } as const;

type Length = keyof typeof LENGTHS;

function isLength(value: string): value is Length {
  return Object.hasOwn(LENGTHS, value);
}

/** Asks until when accounts are disabled, and whether their owners are told. `until`: the present end. */
export function BanFields({ until, tells = false }: { until?: string | null; tells?: boolean }) {
  const words = useWords();
  const [length, setLength] = useState<Length>(until ? 'time' : 'always');
  return (
    <>
      <Select
        name="Length"
        label={words('ban.until')}
        defaultValue={length}
        options={(Object.keys(LENGTHS) as Length[]).map((value) => ({ value, words: words(`ban.${value}`) }))}
        onChange={(value) => isLength(value) && setLength(value)}
      />
      {length === 'time' && (
        <Field
          name="DisabledUntil"
          type="datetime-local"
          label={words('ban.time')}
          hint={words('ban.time.hint')}
          defaultValue={until ? localTime(until) : ''}
          required
        />
      )}
      <Checkbox name="TellReason" checked={tells}>
        {words('ban.tell')}
      </Checkbox>
    </>
  );
}

/** What these fields say, besides the reason. */
export function banOf({ Length: length = '', DisabledUntil = '', TellReason }: FieldValues) {
  const days = isLength(length) ? LENGTHS[length] : undefined;
  const until = days === undefined ? undefined : new Date(Date.now() + days * DAY_MS).toISOString();
  return {
    IsDisabled: true,
    DisabledUntil: length === 'time' ? (momentOf(DisabledUntil) ?? '') : (until ?? null),
    TellReason: TellReason !== undefined,
  } satisfies Input<'PATCH /admin/account/{id}'>['body'];
}
