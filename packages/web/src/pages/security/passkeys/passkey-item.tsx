import { useId, useState } from 'preact/hooks';
import { call, type Problem } from '../../../ui/api/api.ts';
import { Button } from '../../../ui/form/button.tsx';
import { Field } from '../../../ui/form/field.tsx';
import { Form } from '../../../ui/form/form.tsx';
import { Item, OpenItem } from '../../../ui/layout/items.tsx';
import { useText } from '../../../ui/locale/locale.ts';
import { Time } from '../../../ui/time.tsx';

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
  onDelete: () => Promise<void>;
}

/** One passkey, which can be renamed and deleted. */
export function PasskeyItem({ passkey, onRenamed, onDelete }: PasskeyItemProps) {
  const text = useText();
  const id = useId();
  const [isRenaming, setRenaming] = useState(false);
  const { CreatedAt, LastUsedAt } = passkey;
  const rename = async (Name: string): Promise<Problem | undefined> => {
    const result = await call('PUT', `/account/passkey/${passkey.Id}`, { Name });
    if (!result.ok) return result.problem;
    setRenaming(false);
    onRenamed();
    return undefined;
  };
  if (isRenaming) {
    return (
      <OpenItem>
        <Form submit={text('passkey.save')} onSubmit={async ({ Name = '' }) => rename(Name)}>
          <Field name="Name" label={text('passkey.name')} defaultValue={passkey.Name} required />
        </Form>
      </OpenItem>
    );
  }
  return (
    <Item
      title={passkey.Name}
      titleId={id}
      facts={[
        <>
          {text('passkey.since')} <Time at={CreatedAt} />
        </>,
        LastUsedAt !== null && (
          <>
            {text('passkey.used')} <Time at={LastUsedAt} />
          </>
        ),
      ]}
    >
      <Button aria-describedby={id} onClick={() => setRenaming(true)}>
        {text('passkey.rename')}
      </Button>
      <Button kind="danger" aria-describedby={id} onClick={onDelete}>
        {text('passkey.delete')}
      </Button>
    </Item>
  );
}
