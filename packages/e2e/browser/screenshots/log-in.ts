import { callAt, type TokenSet } from '../../src/testing/index.ts';
import type { Site } from '../testing/index.ts';

/** What devices send, as far as the pictures show it. */
export const USER_AGENTS = {
  computer:
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  phone:
    'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
  tablet:
    'Mozilla/5.0 (iPad; CPU OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
};

/** Logs in as a device does: `fetch` alone would say that it is Node.js. */
export async function logIn(
  { stack }: Site,
  userAgent: string,
  fields: { Username: string; Password: string; DeviceName?: string },
): Promise<TokenSet> {
  const given = { body: fields, headers: { 'user-agent': userAgent } };
  const { body } = await callAt(stack.facts.baseUrl, 'POST', '/account/login', given);
  return body as unknown as TokenSet; // public-openapi.json
}
