import { ConfigError } from '../settings/config.ts';

/**
 * The public key in a setting: `MAIL_PUBLIC_KEY` or `HOOK_PUBLIC_KEY`.
 *
 * @throws {ConfigError} for a malformed key.
 */
export function publicKeyOf(setting: `${string}_PUBLIC_KEY`, text: string): Buffer {
  const publicKey = Buffer.from(text, 'base64url');
  if (publicKey.length === 32 && publicKey.toString('base64url') === text) return publicKey;
  const key = setting.replace('_PUBLIC', '');
  const command = setting.toLowerCase().replaceAll('_', '-');
  throw new ConfigError(`${setting} is not what \`keys ${command}\` makes of ${key}`);
}
