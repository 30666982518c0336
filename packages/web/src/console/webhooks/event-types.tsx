import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useFieldError } from '../../ui/form.tsx';
import { type Answer, type Input, useQuery } from '../api/call-api.ts';
import type { FormField } from '../kit/fields.tsx';
import { words } from '../text.ts';
import { listIn } from '../ui/typed.ts';
import { type EventGroup, groupsOf, isIncluded, toggled } from './event-groups.ts';
import styles from './event-types.module.css';

type Webhook = Answer<'GET /admin/webhook/{id}'>;
type Types = NonNullable<Input<'POST /admin/webhook'>['body']>['Types'];

/** The events that a webhook gets; all, if there is none yet. */
export const EVENT_TYPES: FormField<Webhook | undefined, 'Types', Types> = {
  name: 'Types',
  initial: (webhook) => (webhook?.Types ?? ['*']).join(','),
  Show: ({ initial }) => <EventTypes initial={initial} />,
  read: (typed = '') => listIn(typed) as Types, // names that the API has given
};

/** A box for each event type of the API's schemas, grouped by subject. */
function EventTypes({ initial }: { initial: string }) {
  const { data } = useQuery('GET /events.json');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set(listIn(initial)));
  const error = useFieldError('Types');
  const box: Box = (type, label) => (
    <label key={type}>
      <input
        type="checkbox"
        checked={chosen.has(type) || isIncluded(chosen, type)}
        disabled={isIncluded(chosen, type)}
        onChange={({ currentTarget }) => setChosen(toggled(chosen, type, currentTarget.checked))}
      />
      {label}
    </label>
  );
  return (
    // It has the name of the field so that it takes the focus if nothing is chosen.
    <fieldset class={styles['types']} name="Types" tabIndex={-1}>
      <legend>{words('webhooks.types')}</legend>
      <input type="hidden" name="Types" value={[...chosen].join(',')} required />
      {error && <p class={styles['error']}>{error}</p>}
      {box('*', words('webhooks.types.all'))}
      {groupsOf(Object.keys(data ?? {})).map((group) => (
        <Group key={group.subject} group={group} chosen={chosen} box={box} />
      ))}
    </fieldset>
  );
}

type Box = (type: string, label: ComponentChildren) => ComponentChildren;

interface GroupProps {
  group: EventGroup;
  chosen: ReadonlySet<string>;
  box: Box;
}

/** The types of one subject; open at first if some of them are chosen. */
function Group({ group: { subject, types }, chosen, box }: GroupProps) {
  const count = types.filter((type) => chosen.has(type) || isIncluded(chosen, type)).length;
  const [isOpen] = useState(count > 0 && count < types.length);
  return (
    <details class={styles['group']} open={isOpen}>
      <summary>
        {subject} <span class="quiet">{words('webhooks.types.count', { count, all: types.length })}</span>
      </summary>
      <div>
        {box(`${subject}.*`, words('webhooks.types.group', { subject }))}
        {types.map((type) => box(type, <code>{type}</code>))}
      </div>
    </details>
  );
}
