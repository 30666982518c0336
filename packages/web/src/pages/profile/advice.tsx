import { CircleIcon, SuccessIcon } from '../../ui/icon.tsx';
import { useText } from '../../ui/locale.ts';
import { Row, Rows, Section } from '../../ui/row.tsx';
import { useAccountOptions } from '../account-options.ts';
import { type Profile, useOwn } from '../account/own-account.tsx';
import { PATHS } from '../paths.ts';
import styles from './profile.module.css';

/** What protects the account, how much of it there is, and where to add the rest. */
export function Advice({ profile }: { profile: Profile }) {
  const text = useText();
  const options = useAccountOptions(undefined);
  const passkeys = useOwn<{ Items: readonly unknown[] }>('/account/passkey').value?.Items.length;
  if (options === undefined || passkeys === undefined) return null;
  const passkey = { title: 'passkey.title', why: 'advice.passkey', begin: 'passkey.begin' } as const;
  const twoFactor = { title: 'twoFactor.title', why: 'advice.twoFactor', begin: 'twoFactor.setUp' } as const;
  const steps = [
    // Nobody signs in before.
    { title: 'advice.email', why: 'advice.done', begin: 'row.change', isDone: true } as const,
    ...(options.Passkeys || passkeys > 0 ? [{ ...passkey, isDone: passkeys > 0 }] : []),
    { ...twoFactor, isDone: profile.TwoFactorEnabled },
  ];
  const done = steps.filter(({ isDone }) => isDone).length;
  return (
    <Section title={text('advice.title')} lead={text('advice.count', { done, all: steps.length })}>
      <Rows>
        {steps.map(({ title, why, begin, isDone }) => (
          <Row
            key={title}
            icon={
              isDone ? (
                <span class={styles['done']}>
                  <SuccessIcon />
                </span>
              ) : (
                <CircleIcon />
              )
            }
            title={text(title)}
            state={text(isDone ? 'advice.done' : why)}
            action={isDone ? undefined : { words: text(begin), href: PATHS.profileSecurity }}
          />
        ))}
      </Rows>
    </Section>
  );
}
