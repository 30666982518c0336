import { cp, mkdir, mkdtemp, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleModules } from '@gatehouse/build';
import { freePorts } from '@gatehouse/dev';
import { Proxy } from '@gatehouse/runtime/testing';
import { PASSWORD, startWorld, type World } from '../../testing/index.ts';
import { runProgram } from '../../testing/run-program.ts';

const EXAMPLE = fileURLToPath(new URL('../../../../../examples/mcp/', import.meta.url));
const PACKAGES = fileURLToPath(new URL('../../../node_modules/', import.meta.url));
const VERIFY = fileURLToPath(new URL('../../../../verify/src/index.ts', import.meta.url));
export const REDIRECT_URI = 'http://127.0.0.1:33418/callback';

export type Films = Awaited<ReturnType<typeof startFilms>>;

/** The example in front of a whole system, with the application that its agents are, and somebody who uses them. */
export async function startFilms() {
  const world = await startWorld();
  const proxy = await Proxy.to(world.stack.facts.baseUrl);
  const { app: port } = await freePorts();
  const resource = `http://127.0.0.1:${port}/mcp`;
  const { Token: feed } = await world.administer('/admin/api-token', { Name: 'Films', Role: 'Feed' });
  const { Id: clientId } = await world.administer('/admin/oauth-client', {
    ...{ Name: 'Agent', IsPublic: true, RedirectUris: [REDIRECT_URI], Grants: 'own' },
    ...{ Scopes: ['films:read', 'films:write', 'offline_access'], Resources: [resource] },
  });
  const server = await runExample({
    ISSUER: world.stack.facts.baseUrl,
    GATEHOUSE: proxy.url.replace(/\/$/, ''),
    GATEHOUSE_TOKEN: String(feed),
    RESOURCE: resource,
    PORT: String(port),
  });
  return {
    ...{ world, proxy, resource },
    clientId: String(clientId),
    owner: ownerOf(world, await world.newAccount()),
    stop: async () => {
      await server.stop();
      await proxy.close();
      await world.stop();
    },
  };
}

async function runExample(settings: Record<string, string>) {
  const folder = await mkdtemp(join(await realpath(tmpdir()), 'gatehouse-mcp-'));
  const packages = join(folder, 'node_modules');
  await cp(join(EXAMPLE, 'server.mjs'), join(folder, 'server.mjs'));
  await mkdir(join(packages, '@modelcontextprotocol'), { recursive: true });
  for (const name of ['@modelcontextprotocol/sdk', 'express', 'zod'])
    await symlink(await realpath(join(PACKAGES, name)), join(packages, name));
  const verify = await bundleModules({ index: VERIFY });
  await writeFile(join(verify, 'package.json'), '{ "type": "module", "exports": "./index.mjs" }');
  await rename(verify, join(packages, 'gatehouse-verify'));
  const program = runProgram(process.execPath, [join(folder, 'server.mjs')], { settings, errors: 'ignore' });
  await program.greeting; // it listens
  return {
    stop: async () => {
      await program.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Somebody with a browser, who allows what agents ask for, and a phone, on which they end it. */
function ownerOf(world: World, email: string) {
  const { baseUrl } = world.stack.facts;
  const browse = (path: string, body: object, cookie = '') =>
    fetch(baseUrl + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', cookie },
      body: JSON.stringify(body),
    });
  return {
    /** Signs in on the page to which an agent has sent them, and allows it; returns where the page leads. */
    allow: async ({ search }: URL): Promise<URL> => {
      const login = { Username: email, Password: PASSWORD, Delivery: 'Cookie' };
      const { headers } = await browse('/account/login', login);
      const cookie = headers.getSetCookie()[0]?.split(';')[0] ?? '';
      const asked = { Request: search.slice(1) };
      const ask = async (more: object) =>
        (await (await browse('/oauth/authorization', { ...asked, ...more }, cookie)).json()) as Answer;
      const { Kind, ConsentTo, Since, Scopes } = await ask({});
      if (Kind !== 'Consent') throw new Error(`not asked, but ${Kind}`);
      const { Location } = await ask({ Consent: 'granted', ConsentTo, Since });
      if (Location === undefined) throw new Error(`no way back with ${Scopes?.join(' ')}`);
      return new URL(Location);
    },
    /** Ends what stays signed in, from another session, which has replaced that of the browser. */
    switchOff: async (): Promise<number> => {
      const { Token } = await world.login(email);
      const { body } = await world.call('GET', '/account/grant', undefined, Token);
      const { Items } = body as { Items: { Id: string }[] };
      for (const { Id } of Items) await world.call('DELETE', `/account/grant/${Id}`, undefined, Token);
      return Items.length;
    },
  };
}

interface Answer {
  Kind: string;
  ConsentTo?: string;
  Since?: number;
  Scopes?: string[];
  Location?: string;
}
