import type { ManagedProcess } from '../processes/supervisor.ts';
import type { Ports } from '../servers/ports.ts';
import type { Secrets } from '../stack/secrets.ts';
import { demoApp } from './demo-app.ts';
import { DEMO_PROVIDER, demoProvider, returnUrlsOf } from './demo-provider.ts';
import type { SignOn } from './sign-on.ts';

/** What people try things with: an identity provider, unless there is another one, and with `--demo` an application. */
export function demosOf(
  { place, ports, demo }: { place: string; ports: Ports; demo?: boolean | undefined },
  given: {
    own: SignOn | undefined;
    secrets: Secrets;
    baseUrl: string;
    adminUrl: string;
    bindAddress: string;
  },
): { processes: [string, ManagedProcess][]; ssoProviders: string; oauthClients: string } {
  const { own, secrets, baseUrl, adminUrl, bindAddress } = given;
  const clientSecretFile = secrets.file('demo-provider-client');
  const common = { directory: place, baseUrl, bindAddress };
  const idp = demoProvider({ ...common, port: ports.idp, adminUrl, clientSecretFile });
  const app = demo === true ? demoApp({ ...common, port: ports.app }) : undefined;
  return {
    processes: [
      ...(own === undefined ? [['the demo identity provider', idp.server] as [string, ManagedProcess]] : []),
      ...(app === undefined ? [] : [['the demo application', app.server] as [string, ManagedProcess]]),
    ],
    ssoProviders: idp.providers,
    oauthClients: app?.clients ?? '',
  };
}

/** The sign-on of the stack by its demo provider. */
export function demoSignOn(baseUrl: string): SignOn {
  return { provider: DEMO_PROVIDER, providers: [DEMO_PROVIDER], returnUrls: returnUrlsOf(baseUrl) };
}
