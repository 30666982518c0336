import { useId, useState } from 'preact/hooks';
import { call, type Problem } from '../../../ui/api/api.ts';
import { Button } from '../../../ui/form/button.tsx';
import { Field } from '../../../ui/form/field.tsx';
import { Form } from '../../../ui/form/form.tsx';
import { useText } from '../../../ui/locale/locale.ts';
import { Time } from '../../../ui/time.tsx';
import styles from '../../sessions/sessions.module.css';

/** A passkey, as shown to its owner. */
export interface OwnPasskey {
  Id: string;
  Name: string;
  CreatedAt: string;
  LastUsedAt: string | null;
}

interface PasskeyItemProps {
  passkey: OwnPasskey;
  onRenamed: () => void;
  onDelete: () => void;
}

/** One passkey, which can be renamed and deleted. */
export function PasskeyItem({ passkey, onRenamed, onDelete }: PasskeyItemProps) {
  const text = useText();
  const id = useId();
  const [isRenaming, setRenaming] = useState(false);
  const rename = async (Name: string): Promise<Problem | undefined> => {
    const result = await call('PUT', `/account/passkey/${passkey.Id}`, { Name });
    if (!result.ok) return result.problem;
    setRenaming(false);
    onRenamed();
    return undefined;
  };
  if (isRenaming) {
    return (
      <li class={styles['item']}>
        <Form submit={text('passkey.save')} onSubmit={async ({ Name = '' }) => rename(Name)}>
          <Field name="Name" label={text('passkey.name')} defaultValue={passkey.Name} required />
        </Form>
      </li>
    );
  }
  return (
    <li class={styles['item']}>
      <div class={styles['facts']}>
        <p class={styles['device']} id={id}>
          {passkey.Name}
        </p>
        <p class={styles['quiet']}>
          {text('passkey.since')} <Time at={passkey.CreatedAt} />
          {passkey.LastUsedAt !== null && (
            <>
              {' · '}
              {text('passkey.used')} <Time at={passkey.LastUsedAt} />
            </>
          )}
        </p>
      </div>
      <Button aria-describedby={id} onClick={() => setRenaming(true)}>
        {text('passkey.rename')}
      </Button>
      <Button kind="danger" aria-describedby={id} onClick={onDelete}>
        {text('passkey.delete')}
      </Button>
    </li>
  );
}
