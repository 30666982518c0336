import { ConfigError, readConfig } from '@gatehouse/runtime';
import { compile, Type, type Static } from '@gatehouse/schema';
import { StackError } from '../command.ts';

/** The single sign-on facts in `stack.json`. */
export interface SignOn {
  /** The provider's name in URLs: the first if there are several, empty if there is none. */
  provider: string;
  /** The names of all providers. */
  providers: string[];
  /** Where the provider may send browsers back to; the first is the default. */
  returnUrls: string[];
}

/** The part of `SSO_PROVIDERS` that is used here. Admin checks the rest when it starts. */
const Providers = Type.Array(Type.Object({ id: Type.String(), returnUrls: Type.Array(Type.String()) }));

/**
 * Single sign-on according to the caller's `SSO_PROVIDERS`; undefined if this is not set.
 *
 * @throws {StackError} if it is not a list of providers.
 */
export function ownSignOn(settings: NodeJS.ProcessEnv): SignOn | undefined {
  const json = given(settings);
  if (json === undefined) return undefined;
  const providers = parse(json);
  if (compile(Providers, { unknownFields: 'drop' })(structuredClone(providers)) !== undefined) {
    throw new StackError(
      'SSO_PROVIDERS must be a JSON list of identity providers, each with its id and returnUrls',
      'See docs/sso.md for an example. Without this setting, npm start runs a demo provider.',
    );
  }
  const checked = providers as Static<typeof Providers>; // checked above
  const [first] = checked;
  return {
    provider: first?.id ?? '',
    providers: checked.map(({ id }) => id),
    returnUrls: first?.returnUrls ?? [],
  };
}

function given(settings: NodeJS.ProcessEnv): string | undefined {
  try {
    const schema = Type.Object({ SSO_PROVIDERS: Type.Optional(Type.String()) });
    return readConfig(schema, settings).SSO_PROVIDERS;
  } catch (cause) {
    if (!(cause instanceof ConfigError)) throw cause;
    throw new StackError(cause.message, 'See docs/sso.md for SSO_PROVIDERS.', { cause });
  }
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    // The message of the parser would quote the text, which contains secrets.
    return undefined;
  }
}
