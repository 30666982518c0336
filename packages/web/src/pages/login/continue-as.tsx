import { useLocation } from 'preact-iso';
import { useEffect, useState } from 'preact/hooks';
import { call } from '../../ui/api/api.ts';
import { Button } from '../../ui/form/button.tsx';
import { Or } from '../../ui/layout/or.tsx';
import { useText } from '../../ui/locale/locale.ts';
import { Avatar } from '../../ui/person/avatar.tsx';
import type { Profile } from '../account/own-account.ts';

/** The parameter of the login page with which a signed-in user is asked to sign in again, to prove their identity. */
export const AGAIN = 'again';

/** Offers those who are signed in already to go on as they are. Renders nothing for all others. */
export function ContinueAs({ onContinue }: { onContinue: () => void }) {
  const text = useText();
  const { query } = useLocation();
  const [profile, setProfile] = useState<Profile>();
  // Whoever was sent here because the session is over, or must sign in again, has no other choice.
  const isChoice = query['reason'] === undefined && query[AGAIN] === undefined;
  useEffect(() => {
    if (!isChoice) return;
    void call<Profile>('GET', '/account/profile').then((result) => {
      if (result.ok) setProfile(result.value);
    });
  }, [isChoice]);
  if (profile === undefined) return null;
  const { DisplayName, Email } = profile;
  return (
    <>
      <Button wide icon={<Avatar name={DisplayName ?? Email} />} onClick={onContinue}>
        {text('login.continue', { email: Email })}
      </Button>
      <Or>{text('login.another')}</Or>
    </>
  );
}
