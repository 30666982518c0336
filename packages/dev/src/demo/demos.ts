import { join } from 'node:path';
import { programArguments, type ProgramName } from '@gatehouse/build';
import { ConfigError, readConfig } from '@gatehouse/runtime';
import { compile, DEVICE_GRANT, Type, type Static } from '@gatehouse/schema';
import { StackError } from '../command.ts';
import { DEMO_ADMIN_EMAILS } from './seed-demo.ts';
import { bindAddressOf } from '../gateway/gateway.ts';
import type { ManagedProcess } from '../processes/supervisor.ts';
import { makeHome } from '../servers/home.ts';
import { answersHttp } from '../servers/probes.ts';
import type { Ports } from '../stack/ports.ts';
import type { Secrets } from '../stack/secrets.ts';
import { SEEDED_EMAILS } from '../stack/seed.ts';

const PROVIDER = { id: 'demo', name: 'Demo provider' };
const CLIENT_ID = 'gatehouse';
const APP_CLIENT_ID = '0190a000-0000-7000-8000-0000000000a1';
export const DEMO_TELEVISION = '0190a000-0000-7000-8000-0000000000a2';

interface Options {
  directory: string;
  ports: Ports;
  baseUrl: string;
  adminUrl: string;
  settings: NodeJS.ProcessEnv;
  secrets: Secrets;
  /** Whether the database is filled with demo data, too. */
  hasData: boolean;
}

/** With the settings by which services know them. @throws {StackError} if `SSO_PROVIDERS` is no list of providers. */
export function demos(options: Options) {
  const own = ownSignOn(options.settings);
  const idp = demoProvider(options);
  const app = options.hasData ? demoApp(options) : undefined;
  return {
    /** The caller's own providers replace the demo provider. */
    idp: own === undefined ? idp : undefined,
    app,
    issuer: idp.issuer,
    sso: own ?? demoSignOn(options.baseUrl),
    settings: {
      SSO_PROVIDERS: idp.providers,
      SSO_PROVIDER_NAMES: own?.providers.join(',') ?? `${PROVIDER.id}=${PROVIDER.name}`,
      OAUTH_CLIENTS: app?.clients ?? '',
      FACE_IMAGE_ORIGINS: options.hasData ? idp.issuer : '',
    },
  };
}

/** It signs in any email except those that the stack was seeded with. `providers` is its entry for Admin. */
function demoProvider(options: Options) {
  const clientSecret = options.secrets.value('demo-provider-client');
  const { server, url: issuer } = demo('idp', 'demo-provider', '/.well-known/openid-configuration', options, {
    CLIENT_ID,
    CLIENT_SECRET: clientSecret,
    ADMIN_URL: options.adminUrl,
    PROVIDER_ID: PROVIDER.id,
    KEYS_FILE: join(options.directory, 'idp/keys.json'),
    // They have passwords that other users of this machine do not know.
    UNVERIFIED_EMAILS: [...SEEDED_EMAILS, ...DEMO_ADMIN_EMAILS].join(','),
  });
  const provider = {
    ...PROVIDER,
    issuer,
    clientId: CLIENT_ID,
    clientSecret,
    trustEmail: true,
    provisioning: 'jit',
    returnUrls: demoSignOn(options.baseUrl).returnUrls,
  };
  return { server, issuer, providers: JSON.stringify([provider]) };
}

/** `path`: where it answers once it can work. */
function demo(
  name: 'idp' | 'app',
  program: ProgramName,
  path: string,
  { directory, ports, settings }: Options,
  env: Record<string, string>,
) {
  const home = makeHome(join(directory, name));
  const url = `http://127.0.0.1:${ports[name]}`;
  const own = { PORT: String(ports[name]), BIND_ADDRESS: bindAddressOf(settings) };
  const server: ManagedProcess = {
    name,
    command: process.execPath,
    args: programArguments(program),
    ...home.process,
    env: { ...home.process.env, ...own, ...env },
    isReady: () => answersHttp(`${url}${path}`, 200),
  };
  return { server, url };
}

/** An application that signs people in through the stack, and a television; `clients` are both for Admin. */
function demoApp(options: Options) {
  const env = { ISSUER: options.baseUrl, CLIENT_ID: APP_CLIENT_ID };
  const { server, url: origin } = demo('app', 'demo-app', '/health', options, env);
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
  return { server, clients: JSON.stringify([client, television]) };
}

/** The single sign-on facts in `stack.json`. */
export type SignOn = ReturnType<typeof demoSignOn>;

function demoSignOn(baseUrl: string) {
  return {
    /** The provider's name in URLs: the first if there are several, empty if there is none. */
    provider: PROVIDER.id,
    providers: [PROVIDER.id],
    /** The first is the default: a page that only says Pong. The other is usual for a client under development. */
    returnUrls: [`${baseUrl}/ping`, 'http://localhost:3000/auth/callback'],
  };
}

/** The part of `SSO_PROVIDERS` that is used here. Admin checks the rest when it starts. */
const Providers = Type.Array(Type.Object({ id: Type.String(), returnUrls: Type.Array(Type.String()) }));
const checkProviders = compile(Providers, { unknownFields: 'drop' });

/** Single sign-on according to the caller's `SSO_PROVIDERS`; undefined if this is not set. */
function ownSignOn(settings: NodeJS.ProcessEnv): SignOn | undefined {
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
