import { useId } from 'preact/hooks';
import { Button } from '../../ui/form/button.tsx';
import { Item, Mark } from '../../ui/layout/items.tsx';
import { useText } from '../../ui/locale/locale.ts';
import { Time } from '../../ui/time.tsx';
import { scopeText } from '../authorize/scope-text.ts';

/** An app, as shown to the owner of the account. */
export interface OwnApp {
  Id: string;
  Name: string;
  Scopes: string[];
  /** When the owner consented. Apps that the installation trusts need no consent. */
  GrantedAt: string | null;
  /** How often the account is signed in to it. */
  SignIns: number;
  LastUsedAt: string | null;
}

/** One app: what it may know, and whether the account is signed in to it. */
export function AppItem({ app, busy, onRemove }: { app: OwnApp; busy: boolean; onRemove: () => void }) {
  const text = useText();
  const id = useId();
  const { Name, Scopes, GrantedAt, SignIns, LastUsedAt } = app;
  return (
    <Item
      titleId={id}
      title={
        <>
          {Name}
          {SignIns > 0 && <Mark>{text('apps.signedIn')}</Mark>}
        </>
      }
      facts={[
        Scopes.map((scope) => scopeText(scope, text)).join(' · '),
        <>
          {GrantedAt === null ? (
            text('apps.trusted')
          ) : (
            <>
              {text('apps.granted')} <Time at={GrantedAt} />
            </>
          )}
          {LastUsedAt !== null && (
            <>
              {' · '}
              {text('apps.used')} <Time at={LastUsedAt} />
            </>
          )}
        </>,
      ]}
    >
      <Button busy={busy} onClick={onRemove} aria-describedby={id}>
        {text('apps.remove')}
      </Button>
    </Item>
  );
}
