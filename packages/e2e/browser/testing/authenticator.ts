import type { Page } from 'playwright-core';

/** A device with a fingerprint reader, as a page sees it. */
interface Authenticator {
  /** Whether its owner touches the reader as soon as it asks, as at the beginning. */
  touch: (isTouched: boolean) => Promise<void>;
  countPasskeys: () => Promise<number>;
  /** The id of the newest passkey, as pages see it. */
  newestId: () => Promise<string>;
}

/** Gives the page one that keeps passkeys and knows its owner. */
export async function addAuthenticator(page: Page): Promise<Authenticator> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  const touch = async (enabled: boolean): Promise<void> => {
    await devtools.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled });
  };
  const countPasskeys = async (): Promise<number> => {
    const { credentials } = await devtools.send('WebAuthn.getCredentials', { authenticatorId });
    return credentials.length;
  };
  const newestId = async (): Promise<string> => {
    const { credentials } = await devtools.send('WebAuthn.getCredentials', { authenticatorId });
    return Buffer.from(credentials.at(-1)?.credentialId ?? '', 'base64').toString('base64url');
  };
  return { touch, countPasskeys, newestId };
}
