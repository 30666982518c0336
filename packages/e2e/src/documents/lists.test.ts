import assert from 'node:assert/strict';
import { ALL_ROUTES, COMPONENTS, isSecret, nameOf, readItems, readPart } from '@gatehouse/codegen';
import type { Schema } from '@gatehouse/codegen';
import { audit } from '@gatehouse/db';
import { eventTypes, publishedSchemaOf } from '@gatehouse/events';
import { ERRORS } from '@gatehouse/http';
import { END_REASONS, FAULTS, PAGE_PATHS } from '@gatehouse/schema';
import { examine } from '@gatehouse/schema/testing';
import { filesIn, readPage } from './documents.ts';

describe('docs/audit.md', () => {
  const items = readItems('docs/audit.md', 'audit');

  it('lists every action of the audit, and no other', () => {
    const actions = items.map(([action]) => action);
    assert.deepEqual(actions.toSorted(), audit.AUDIT_ACTIONS.toSorted());
  });

  it('names the target of every action', () => {
    const kinds: readonly string[] = audit.AUDIT_TARGET_KINDS;
    for (const [action, [kind = '']] of items) assert.ok(kinds.includes(kind), `${action}: ${kind}`);
  });

  // That it has words for every action is a matter of types.
  it('names no kind of target that the console has no words for', () => {
    const texts = readPage('packages/web/src/console/audit/texts.ts');
    for (const kind of audit.AUDIT_TARGET_KINDS) assert.ok(texts.includes(`  'audit.kind.${kind}': [`), kind);
  });
});

describe('docs/errors.md', () => {
  it('lists every error code with what to do, below the status that it has', () => {
    let status = '';
    const documented = [
      ...readPart('docs/errors.md', 'errors').matchAll(/^### (\d+)$|^- `(\w+)`: \S/gm),
    ].flatMap(([, heading, code]) => {
      status = heading ?? status;
      return code === undefined ? [] : [[code, status]];
    });
    const real = Object.entries(ERRORS).map(([code, { status: own }]) => [code, String(own)]);
    assert.deepEqual(documented, real);
  });

  it('lists the code of every field error with its meaning', () => {
    const documented = [
      ...readPart('docs/errors.md', 'faults').matchAll(/^- `(\w+)`: ((?:.|\n {2})+)/gm),
    ].map(([, code, meaning = '']) => [code, meaning.replaceAll('\n ', '')]);
    assert.deepEqual(documented, Object.entries(FAULTS));
  });
});

describe('what other documents list', () => {
  it('docs/events.md lists every type of event with its data', () => {
    const documented = readItems('docs/events.md', 'events').map(([type, [data]]) => [
      type,
      data || 'UserId',
    ]);
    const real = eventTypes.map((type) => {
      // `publishedSchemaOf` always builds schemas of this form.
      const schema = publishedSchemaOf(type) as {
        properties: { data: { properties: Record<string, object>; required?: string[] } };
      };
      const { properties, required = [] } = schema.properties.data;
      const names = Object.keys(properties).map((name) => `${name}${required.includes(name) ? '' : '?'}`);
      return [type, names.join(', ')];
    });
    assert.deepEqual(documented, real);
  });

  /** What our own pages call, and not applications. */
  const OF_PAGES = ['/oauth/authorization', '/oauth/device', '/oauth/end-session'];

  it('docs/openid.md lists every endpoint for applications', () => {
    const documented = readItems('docs/openid.md', 'endpoints').map(([name]) => name.split(' ').at(-1));
    const paths = ALL_ROUTES.map(({ route }) => route.path);
    const forApps = paths.filter((path) => path.startsWith('/oauth/') && !OF_PAGES.includes(path));
    assert.deepEqual(new Set(documented), new Set([PAGE_PATHS.authorize, PAGE_PATHS.endSession, ...forApps]));
  });

  it('docs/applications/README.md names every field of an application', () => {
    const { route } =
      ALL_ROUTES.find((entry) => nameOf(entry.route) === 'POST /admin/oauth-client') ?? assert.fail();
    const { properties = {} }: { properties?: object } = route.body ?? {};
    const text = readPage('docs/applications/README.md');
    const missing = Object.keys(properties).filter((name) => !text.includes(`\`${name}\``));
    assert.deepEqual(missing, []);
  });

  it('docs/sessions.md lists every reason for which sessions end', () => {
    const documented = readItems('docs/sessions.md', 'end-reasons').map(([reason]) => reason);
    assert.deepEqual(new Set(documented), new Set(END_REASONS));
  });
});

describe('the settings of a service', () => {
  for (const [name, schema] of Object.entries(COMPONENTS))
    it(`have a valid schema: ${name}`, () => assert.doesNotThrow(() => examine(schema)));
});

describe('the settings in docs/configuration.md', () => {
  const items = readItems('docs/configuration.md', 'settings');

  it('are those of the services, with their defaults', () => {
    const documented = items.map(([name, [services = '', standard = 'none']]) => {
      return `${name} (${services}; ${standard})`;
    });
    assert.deepEqual(documented.toSorted(), settingsOfCode().toSorted());
  });
});

/** One line per setting: its name, its services, with whether it is a secret, and its default. */
function settingsOfCode(): string[] {
  const names = new Set(Object.values(COMPONENTS).flatMap(({ properties }) => Object.keys(properties)));
  return [...names].map((name) => {
    const readers = Object.entries(COMPONENTS).filter(([, { properties }]) => name in properties);
    const standards = new Set(readers.map(([, schema]) => standardOf(schema, name)));
    const isHidden = readers.some(([, { properties }]) => isSecret(properties[name]));
    const services = `${servicesOf(readers)}${isHidden ? ', secret' : ''}`;
    return `${name} (${services}; ${[...standards].join(', ')})`;
  });
}

function standardOf({ properties, required }: Schema, name: string): string {
  const { default: standard }: { default?: string | number | boolean } = properties[name] ?? {};
  // A default is applied before validation, so it matters even if the schema requires the setting.
  if (standard !== undefined) return standard === '' ? 'empty' : String(standard);
  return required?.includes(name) === true ? 'required' : 'none';
}

function servicesOf(readers: [string, unknown][]): string {
  const names = readers
    .map(([service]) => service)
    .join(', ')
    .replace('mailWorker', 'mail-worker')
    .replace('hookWorker', 'hook-worker');
  // All services that we have written; the gateway is nginx.
  if (names === 'core, portal, admin, mail-worker, hook-worker') return 'all';
  return names === 'core, portal, admin, gateway' ? 'HTTP' : names.replace('core, portal, admin', 'APIs');
}

/** Contains all operations. Only calls in the screens themselves count. */
const GENERATED = 'packages/web/src/console/api/operations.ts';

describe('the routes of Admin', () => {
  const routes = new Set(ALL_ROUTES.filter(({ api }) => api === 'Admin').map(({ route }) => nameOf(route)));
  const called = calledByScreens();
  const items = readPart('docs/console.md', 'api-only').matchAll(/^- `([^`]+)`: (.+)$/gm);
  const listed = new Map([...items].map(([, name = '', why = '']) => [name, why]));

  it('are each used by a screen of the console, or listed in docs/console.md with a reason', () => {
    const left = [...routes].filter((name) => !called.has(name) && !listed.has(name));
    assert.deepEqual(left, []);
  });

  it('are listed only if they exist, with a reason', () => {
    for (const [name, why] of listed) {
      assert.ok(routes.has(name), `${name} is no route of Admin`);
      assert.ok(why.length > 20, name);
    }
  });
});

/** Calls such as `GET /admin/account`, as arguments of `callApi` and `useQuery`, and the calls around the sign-in. */
function calledByScreens(): Set<string> {
  const found = filesIn('packages/web/src/console')
    .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.test.ts') && file !== GENERATED)
    .flatMap((file) => {
      const source = readPage(file);
      const asked = [...source.matchAll(/'((?:GET|POST|PUT|PATCH|DELETE) \/[^'\s]+)'/g)];
      return asked.map(([, name = '']) => name);
    });
  return new Set(found);
}
