/**
 * A television, or any program in a terminal, that signs somebody in without a browser of its own (RFC 8628): it shows a
 * QR code and a code, waits, and stays signed in until its owner ends it at /profile/apps.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { generate } from 'lean-qr';
import * as oidc from 'openid-client';

// oxlint-disable-next-line no-restricted-properties -- its own settings
const { ISSUER = 'http://127.0.0.1:8080', CLIENT_ID } = process.env;
const LOOK_MS = 1000;

/** Two rows of the code in each line, dark on light also where the terminal is dark. */
function draw(text) {
  const code = generate(text);
  const isLight = (x, y) => !code.get(x, y);
  const lines = [];
  for (let y = -2; y < code.size + 2; y += 2) {
    const parts = [];
    for (let x = -2; x < code.size + 2; x += 1)
      parts.push(' ▀▄█'.charAt((isLight(x, y) ? 1 : 0) + (isLight(x, y + 1) ? 2 : 0)));
    lines.push(parts.join(''));
  }
  return lines.join('\n');
}

function print(line) {
  process.stdout.write(`${line}\n`);
}

async function main() {
  const insecure = { execute: [oidc.allowInsecureRequests] };
  const config = await oidc.discovery(new URL(ISSUER), CLIENT_ID, undefined, oidc.None(), insecure);
  const asked = await oidc.initiateDeviceAuthorization(config, { scope: 'openid email offline_access' });
  print(draw(asked.verification_uri_complete));
  print(`Scan this, or open ${asked.verification_uri} and type ${asked.user_code}`);
  // Waits as long as the service says, and more if it says slow_down.
  let tokens = await oidc.pollDeviceAuthorizationGrant(config, asked);
  const { sub } = tokens.claims();
  const { email } = await oidc.fetchUserInfo(config, tokens.access_token, sub);
  print(`Signed in as ${email}. To end it: ${new URL('/profile/apps', asked.verification_uri).href}`);
  for (;;) {
    await sleep(LOOK_MS);
    try {
      await oidc.fetchUserInfo(config, tokens.access_token, sub);
    } catch (error) {
      if (!(error instanceof oidc.WWWAuthenticateChallengeError)) throw error;
      // The access token has expired, or its owner has ended the sign-in.
      tokens = await oidc.refreshTokenGrant(config, tokens.refresh_token);
    }
  }
}

/** What to do about a refusal, by its code. */
const WORDS = {
  access_denied: 'Denied.',
  expired_token: 'Nobody has answered in time. Begin again.',
  invalid_client: `There is no client ${CLIENT_ID} at ${ISSUER}: begin with npm start -- --demo, or register one.`,
  invalid_grant: 'Signed out by its owner.',
};

try {
  await main();
} catch (error) {
  process.stderr.write(`${WORDS[error.error] ?? String(error)}\n`);
  process.exitCode = 1;
}
