import { join } from 'node:path';
import { programArguments, type ProgramName } from '@gatehouse/build';
import { ConfigError, readConfig } from '@gatehouse/runtime';
import { compile, DEVICE_GRANT, Type, type Static } from '@gatehouse/schema';
import { StackError } from '../command.ts';
import { DEMO_ADMIN_EMAILS } from './seed-demo.ts';
import type { ManagedProcess } from '../processes/supervisor.ts';
import { makeHome } from '../servers/home.ts';
import { answersHttp } from '../servers/probes.ts';
import { SEEDED_EMAILS } from '../stack/seed.ts';

export const DEMO_PROVIDER = 'demo';
export const DEMO_PROVIDER_NAME = 'Demo provider';
const CLIENT_ID = 'gatehouse';
const APP_CLIENT_ID = '0190a000-0000-7000-8000-0000000000a1';
/** The client of the television in the terminal. */
export const DEMO_TELEVISION = '0190a000-0000-7000-8000-0000000000a2';

interface Options {
  directory: string;
  port: number;
  baseUrl: string;
  bindAddress: string;
}

/**
 * An OpenID provider for trying single sign-on. It signs in any email except those that the stack was seeded with.
 * `server` runs it; `providers` is its entry for Admin (`SSO_PROVIDERS`).
 */
export function demoProvider(options: Options & { adminUrl: string; clientSecret: string }) {
  const { directory, port, baseUrl, adminUrl, clientSecret } = options;
  const issuer = demoIssuer(port);
  const server = demo('idp', 'demo-provider', options, {
    CLIENT_ID,
    CLIENT_SECRET: clientSecret,
    ADMIN_URL: adminUrl,
    PROVIDER_ID: DEMO_PROVIDER,
    KEYS_FILE: join(directory, 'idp/keys.json'),
    // They have passwords that other users of this machine do not know.
    UNVERIFIED_EMAILS: [...SEEDED_EMAILS, ...DEMO_ADMIN_EMAILS].join(','),
  });
  const provider = {
    id: DEMO_PROVIDER,
    name: DEMO_PROVIDER_NAME,
    issuer,
    clientId: CLIENT_ID,
    clientSecret,
    trustEmail: true,
    provisioning: 'jit',
    returnUrls: demoSignOn(baseUrl).returnUrls,
  };
  const isReady = () => answersHttp(`${issuer}/.well-known/openid-configuration`, 200);
  return { server: { ...server, isReady }, providers: JSON.stringify([provider]) };
}

function demo(
  name: 'idp' | 'app',
  program: ProgramName,
  { directory, port, bindAddress }: Options,
  env: Record<string, string>,
): Omit<ManagedProcess, 'isReady'> {
  const home = makeHome(join(directory, name));
  return {
    name,
    command: process.execPath,
    args: programArguments(program),
    ...home.process,
    env: { ...home.process.env, PORT: String(port), BIND_ADDRESS: bindAddress, ...env },
  };
}

/** The issuer of the demo provider, which is also its URL. */
export function demoIssuer(port: number): string {
  return `http://127.0.0.1:${port}`;
}

/**
 * The URL of the drawn faces of the demo data. The provider's process serves them, because it too exists only for
 * trying things.
 */
export function demoFacesUrl(issuer: string): string {
  return `${issuer}/faces`;
}

/**
 * An application that signs people in through the stack, and a television. `server` runs the first; `clients` is for Admin
 * (`OAUTH_CLIENTS`).
 */
export function demoApp(options: Options) {
  const origin = `http://127.0.0.1:${options.port}`;
  const server = demo('app', 'demo-app', options, { ISSUER: options.baseUrl, CLIENT_ID: APP_CLIENT_ID });
  const client = {
    Id: APP_CLIENT_ID,
    Name: 'Demo application',
    IsPublic: true,
    RedirectUris: [`${origin}/callback`],
    PostLogoutRedirectUris: [`${origin}/`],
    Scopes: ['openid', 'profile', 'email', 'groups', 'offline_access'],
    Roles: ['User', 'Admin', 'Guest'],
  };
  const television = {
    ...{ Id: DEMO_TELEVISION, Name: 'Demo television', IsPublic: true, Grants: 'own' },
    GrantTypes: [DEVICE_GRANT, 'refresh_token'],
    Scopes: ['openid', 'email', 'offline_access'],
  };
  const isReady = () => answersHttp(`${origin}/health`, 200);
  return { server: { ...server, isReady }, clients: JSON.stringify([client, television]) };
}

/** The single sign-on facts in `stack.json`. */
export type SignOn = ReturnType<typeof demoSignOn>;

export function demoSignOn(baseUrl: string) {
  return {
    /** The provider's name in URLs: the first if there are several, empty if there is none. */
    provider: DEMO_PROVIDER,
    providers: [DEMO_PROVIDER],
    /**
     * Where the provider may send browsers back to; the first is the default: a page that only says Pong, to look at the
     * parameters, and the usual address of a client under development.
     */
    returnUrls: [`${baseUrl}/ping`, 'http://localhost:3000/auth/callback'],
  };
}

/** The part of `SSO_PROVIDERS` that is used here. Admin checks the rest when it starts. */
const Providers = Type.Array(Type.Object({ id: Type.String(), returnUrls: Type.Array(Type.String()) }));
const checkProviders = compile(Providers, { unknownFields: 'drop' });

/**
 * Single sign-on according to the caller's `SSO_PROVIDERS`; undefined if this is not set.
 *
 * @throws {StackError} if it is not a list of providers.
 */
export function ownSignOn(settings: NodeJS.ProcessEnv): SignOn | undefined {
  try {
    const schema = Type.Object({ SSO_PROVIDERS: Type.Optional(Type.String()) });
    const json = readConfig(schema, settings).SSO_PROVIDERS;
    if (json === undefined) return undefined;
    const providers = JSON.parse(json) as Static<typeof Providers>; // checked next
    if (checkProviders(providers) !== undefined) throw new SyntaxError();
    const [{ id: provider, returnUrls } = { id: '', returnUrls: [] }] = providers;
    return { provider, providers: providers.map(({ id }) => id), returnUrls };
  } catch (cause) {
    if (cause instanceof ConfigError)
      throw new StackError(cause.message, 'See docs/sso.md for SSO_PROVIDERS.', { cause });
    // Without the message of the parser, which would quote the text, and that contains secrets.
    throw new StackError(
      'SSO_PROVIDERS must be a JSON list of identity providers, each with its id and returnUrls',
      'See docs/sso.md for an example. Without this setting, npm start runs a demo provider.',
    );
  }
}
