import assert from 'node:assert/strict';
import { ALL_ROUTES, nameOf, readItems, readPart } from '@gatehouse/codegen';
import { audit } from '@gatehouse/db';
import { eventTypes, publishedSchemaOf } from '@gatehouse/events';
import { ERRORS } from '@gatehouse/http';
import { END_REASONS, FAULTS, PAGE_PATHS } from '@gatehouse/schema';
import { readPage } from './documents.ts';

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

describe('docs/events.md', () => {
  it('lists every type of event with its data', () => {
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
});

/** What our own pages call, and not applications. */
const OF_PAGES = ['/oauth/authorization', '/oauth/end-session'];

describe('docs/openid.md', () => {
  it('lists every endpoint for applications', () => {
    const documented = readItems('docs/openid.md', 'endpoints').map(([name]) => name.split(' ').at(-1));
    const paths = ALL_ROUTES.map(({ route }) => route.path);
    const forApps = paths.filter((path) => path.startsWith('/oauth/') && !OF_PAGES.includes(path));
    assert.deepEqual(new Set(documented), new Set([PAGE_PATHS.authorize, PAGE_PATHS.endSession, ...forApps]));
  });
});

describe('docs/applications/README.md', () => {
  it('names every field of an application', () => {
    const { route } =
      ALL_ROUTES.find((entry) => nameOf(entry.route) === 'POST /admin/oauth-client') ?? assert.fail();
    const { properties = {} }: { properties?: object } = route.body ?? {};
    const text = readPage('docs/applications/README.md');
    assert.deepEqual(
      Object.keys(properties).filter((name) => !text.includes(`\`${name}\``)),
      [],
    );
  });
});

describe('docs/sessions.md', () => {
  it('lists every reason for which sessions end', () => {
    const documented = readItems('docs/sessions.md', 'end-reasons').map(([reason]) => reason);
    assert.deepEqual(new Set(documented), new Set(END_REASONS));
  });
});
