import { ConfigError, readConfig } from '@gatehouse/runtime';
import { compile, Type, type Static } from '@gatehouse/schema';
import { StackError } from '../output/stack-error.ts';

/** What a stack tells of single sign-on. */
export interface SignOn {
  /** The provider's name in addresses; the first, where there are several, and empty where there is none. */
  provider: string;
  /** The names of all. */
  providers: string[];
  /** Where it may send browsers back to; the first by default. */
  returnUrls: string[];
}

/** The part of `SSO_PROVIDERS` that is known here; Admin checks the rest when it starts. */
const Providers = Type.Array(Type.Object({ id: Type.String(), returnUrls: Type.Array(Type.String()) }));

/**
 * Single sign-on by the caller's own `SSO_PROVIDERS`; nothing where that is not set.
 *
 * @throws {StackError} when it is no list of providers.
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
  const checked = providers as Static<typeof Providers>; // as just checked
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
    // What the parser would say quotes the text, which holds secrets.
    return undefined;
  }
}
