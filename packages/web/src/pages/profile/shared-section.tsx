import { useState } from 'preact/hooks';
import { Button } from '../../ui/form/button.tsx';
import { Item, Items } from '../../ui/layout/items.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { useText } from '../../ui/locale/locale.ts';
import { Time } from '../../ui/time.tsx';
import { Loaded } from '../account/loaded.tsx';
import { useOwn } from '../account/own-account.ts';

interface OwnContent {
  Id: string;
  Name: string;
  Kind: 'LiveChannel' | 'Recording' | 'Document';
  Relation: 'Owner' | 'Access';
  Since: string;
  ExpiresAt: string | null;
  Url?: string;
}

const SHOWN = 10;
const PAGE = 100;

/** The content that others share with the account; nothing if there is none. */
export function SharedSection() {
  const text = useText();
  const own = useOwn<{ Items: OwnContent[] }>(`/account/content?limit=${PAGE}`);
  const [isOpen, setOpen] = useState(false);
  const shared = own.value?.Items.filter(({ Relation }) => Relation === 'Access') ?? [];
  if (own.problem === undefined && shared.length === 0) return null;
  return (
    <Section title={text('shared.title')} lead={text('shared.lead')}>
      <Loaded own={own}>
        {() => (
          <>
            <Items>
              {(isOpen ? shared : shared.slice(0, SHOWN)).map((content) => (
                <SharedItem key={content.Id} content={content} />
              ))}
            </Items>
            {!isOpen && shared.length > SHOWN && (
              <div>
                <Button onClick={() => setOpen(true)}>{text('shared.all', { count: shared.length })}</Button>
              </div>
            )}
          </>
        )}
      </Loaded>
    </Section>
  );
}

function SharedItem({ content: { Name, Kind, Since, ExpiresAt, Url } }: { content: OwnContent }) {
  const text = useText();
  return (
    <Item
      title={Url === undefined ? Name : <a href={Url}>{Name}</a>}
      facts={[
        <>
          {text(`shared.kind.${Kind}`)} · {text('shared.since')} <Time at={Since} />
        </>,
        ExpiresAt !== null && (
          <>
            {text('shared.until')} <Time at={ExpiresAt} />
          </>
        ),
      ]}
    />
  );
}
