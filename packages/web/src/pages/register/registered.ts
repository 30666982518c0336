import { useEffect, useRef, useState } from 'preact/hooks';
import { call } from '../../ui/api.ts';
import { keptIn } from '../../ui/browser.ts';
import { type Step, takeStep } from '../login/steps.ts';
import { type Return, usePage } from '../page.ts';

/** What shows that an account was registered in this browser: only then does its password remain. */
interface KeptRegistration {
  Email: string;
  RegistrationToken: string;
  /** Where to go after the login: the link of the mail opens another tab. */
  back?: Return;
}

const KEPT = keptIn<KeptRegistration>('localStorage', 'registration');

/** Keeps the last registration in this browser until its email is confirmed. Else the owner chooses a password then. */
export const keepRegistration = KEPT.keep;
export const forgetRegistration = KEPT.forget;

export function keptRegistration(email: string): KeptRegistration | undefined {
  const { Email, RegistrationToken, back } = KEPT.find();
  if (Email === undefined || RegistrationToken === undefined || !isSame(Email, email)) return undefined;
  return { Email, RegistrationToken, ...(back && { back }) };
}

const LOOK_MS = 4000;

/** Whether the email was verified elsewhere, without this password: looks every few seconds, as long as it is shown. */
export function useIsDiscarded(registration: KeptRegistration | undefined): boolean {
  const { Email, RegistrationToken } = registration ?? {};
  const [isDiscarded, setDiscarded] = useState(false);
  useEffect(() => {
    if (Email === undefined || isDiscarded) return undefined;
    const look = async (): Promise<void> => {
      if (document.hidden) return;
      const asked = { Email, RegistrationToken };
      const found = await call<{ IsDiscarded: boolean }>('POST /account/registration', asked);
      if (found.ok && found.value.IsDiscarded) setDiscarded(true);
    };
    const timer = setInterval(() => void look(), LOOK_MS);
    const onShow = (): void => void look();
    document.addEventListener('visibilitychange', onShow);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', onShow);
    };
  }, [Email, RegistrationToken, isDiscarded]);
  return isDiscarded;
}

/** Signs in with a password that was just chosen. Returns whether that is all; else the login page goes on. */
export function useSignInAnew() {
  const { set } = usePage();
  return async (Username: string, Password: string): Promise<boolean> => {
    let next: Step | undefined;
    await takeStep({ Username, Password }, (step) => void (next = step));
    const isDone = next?.kind === 'signed-in';
    set({ begun: isDone ? undefined : next });
    return isDone;
  };
}

/** The tabs of this browser. Only pages of the same origin hear it. */
const CHANNEL = 'gatehouse-registration';
/** A tab that registered answers at once, unless the browser has frozen it. */
const HERE_WITHIN_MS = 500;
const SIGNED_IN_WITHIN_MS = 10_000;

type Message = { verified: string } | { here: string } | { signedIn: string; isSignedIn: boolean };

/**
 * Signs in after the email has been confirmed, with the password that was typed at the registration. Only the tab of
 * the registration knows it: `signIn` does it here or lets that tab do it, and returns whether it is done.
 *
 * @param onSignedIn called if this tab has signed in because another tab has confirmed the email.
 */
export function useSignInOfRegistered(onSignedIn: () => void): (email: string) => Promise<boolean> {
  const { registered, set } = usePage();
  const signInAnew = useSignInAnew();
  const done = useRef(onSignedIn);
  done.current = onSignedIn;
  useEffect(() => {
    if (registered === undefined) return undefined;
    const channel = new BroadcastChannel(CHANNEL);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no other origin than its own
    const post = (message: Message): void => channel.postMessage(message);
    channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
      if (!('verified' in data) || !isSame(data.verified, registered.email)) return;
      post({ here: data.verified });
      void signInAnew(registered.email, registered.password).then((isSignedIn) => {
        post({ signedIn: data.verified, isSignedIn });
        set({ registered: undefined });
        if (isSignedIn) done.current();
      });
    });
    return () => channel.close();
  }, [registered]);
  return async (email) => {
    if (registered === undefined || !isSame(registered.email, email)) return elsewhere(email);
    const isSignedIn = await signInAnew(registered.email, registered.password);
    set({ registered: undefined });
    return isSignedIn;
  };
}

/** Lets the tab of the registration sign in, if it is still open. */
function elsewhere(email: string): Promise<boolean> {
  const channel = new BroadcastChannel(CHANNEL);
  return new Promise<boolean>((resolve) => {
    let timer = setTimeout(() => resolve(false), HERE_WITHIN_MS);
    channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
      if ('here' in data && data.here === email) {
        clearTimeout(timer);
        timer = setTimeout(() => resolve(false), SIGNED_IN_WITHIN_MS);
      }
      if ('signedIn' in data && data.signedIn === email) resolve(data.isSignedIn);
    });
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- as above
    channel.postMessage({ verified: email } satisfies Message);
  }).finally(() => channel.close());
}

function isSame(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase();
}
