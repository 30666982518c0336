import { AlertIcon, SuccessIcon } from '../../ui/icon.tsx';
import { Item } from '../../ui/layout/items.tsx';
import { useText, type MessageKey } from '../../ui/locale/locale.ts';
import { Time } from '../../ui/time.tsx';
import { deviceName } from '../device.ts';

/** A sign-in or a refused attempt, as shown to the owner of the account. */
export interface OwnSignIn {
  Id: string;
  At: string;
  Method: string | null;
  Provider: string | null;
  Result: string;
  Reason: string | null;
  IpAddress: string | null;
  UserAgent: string | null;
}

/** One sign-in: how it ended, from where and when. */
export function SignInItem({ signIn }: { signIn: OwnSignIn }) {
  const text = useText();
  const { At, IpAddress, Provider, Result } = signIn;
  return (
    <Item
      icon={Result === 'Refused' ? <AlertIcon /> : <SuccessIcon />}
      title={text(resultOf(signIn), { provider: Provider ?? '' })}
      facts={[
        <>
          {deviceName(signIn) ?? text('sessions.unknown')} · {IpAddress ?? text('sessions.noAddress')} ·{' '}
          <Time at={At} />
        </>,
      ]}
    />
  );
}

function resultOf({ Result, Method, Reason }: OwnSignIn): MessageKey {
  if (Result === 'SecondFactorAsked') return 'sessions.signIn.secondFactorAsked';
  const [texts, value] = Result === 'Succeeded' ? [METHODS, Method] : [REASONS, Reason];
  const found = value !== null && Object.hasOwn(texts, value) ? texts[value] : undefined;
  return found ?? (Result === 'Succeeded' ? 'sessions.signIn.succeeded' : 'sessions.signIn.refused');
}

const METHODS: Readonly<Record<string, MessageKey>> = {
  Password: 'sessions.signIn.password',
  MailCode: 'sessions.signIn.mailCode',
  Passkey: 'sessions.signIn.passkey',
  SignOn: 'sessions.signIn.signOn',
};

/** The texts for reasons of docs/sign-ins.md. Any other reason is shown as "refused". */
const REASONS: Readonly<Record<string, MessageKey>> = {
  password: 'sessions.signIn.wrongPassword',
  'second-factor': 'sessions.signIn.wrongSecondFactor',
  passkey: 'sessions.signIn.wrongPasskey',
  'mail-code': 'sessions.signIn.wrongMailCode',
  throttled: 'sessions.signIn.throttled',
  session_exists: 'sessions.signIn.exists',
};
