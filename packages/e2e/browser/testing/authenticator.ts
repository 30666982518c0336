import type { Page } from 'playwright-core';
import { openRow } from './on-pages.ts';

export async function addAuthenticator(page: Page) {
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
  /** Whether the owner touches the reader as soon as it asks; initially true. */
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

/** Adds a passkey, and the authenticator that has it, in the account pages, of which one is open and signed in. */
export async function addPasskey(page: Page) {
  const authenticator = await addAuthenticator(page);
  await openRow(page, 'Passkeys', '/profile/security');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByRole('button', { name: 'Rename' }).waitFor();
  return authenticator;
}
