import { useState } from 'preact/hooks';
import { Button, ButtonLink } from '../../ui/form/button.tsx';
import { Items } from '../../ui/layout/items.tsx';
import { Notice } from '../../ui/layout/notice.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { useText } from '../../ui/locale/locale.ts';
import { Loaded } from '../account/loaded.tsx';
import { useOwn } from '../account/own-account.ts';
import { PATHS } from '../paths.ts';
import { OtherSessions } from './other-sessions.tsx';
import { SignInItem, type OwnSignIn } from './sign-in-item.tsx';

/** The last sign-ins and refused attempts, and what to do about those of a stranger. */
export function SignInsSection({ onEnded }: { onEnded: () => void }) {
  const text = useText();
  const own = useOwn<{ Items: OwnSignIn[] }>('/account/sign-in');
  return (
    <Section title={text('sessions.signIns.title')} lead={text('sessions.signIns.lead')}>
      <Loaded own={own}>
        {({ Items: signIns }) =>
          signIns.length === 0 ? (
            <p>{text('sessions.signIns.none')}</p>
          ) : (
            <>
              <Items>
                {signIns.map((signIn) => (
                  <SignInItem key={signIn.Id} signIn={signIn} />
                ))}
              </Items>
              <NotMe onEnded={onEnded} />
            </>
          )
        }
      </Loaded>
    </Section>
  );
}

/** Leads somebody who sees a stranger's sign-in to a new password, and to ending the other sessions. */
function NotMe({ onEnded }: { onEnded: () => void }) {
  const text = useText();
  const [isOpen, setOpen] = useState(false);
  if (!isOpen) {
    return (
      <div>
        <Button onClick={() => setOpen(true)}>{text('sessions.notMe')}</Button>
      </div>
    );
  }
  return (
    <>
      <Notice meaning="warning">
        <p>{text('sessions.notMe.lead')}</p>
        <ButtonLink href={PATHS.profileSecurity}>{text('sessions.notMe.password')}</ButtonLink>
      </Notice>
      <OtherSessions lead="sessions.notMe.others" onEnded={onEnded} />
    </>
  );
}
