import assert from 'node:assert/strict';
import { COMPONENTS, readItems, readPart, type Schema } from '@gatehouse/codegen';
import { examine } from '@gatehouse/schema/testing';

/** The fields of a setting's schema that are documented. */
interface Setting {
  default?: string | number | boolean;
  writeOnly?: boolean;
}

describe('the settings of a service', () => {
  for (const [name, schema] of Object.entries(COMPONENTS)) {
    it(`have a valid schema: ${name}`, () => assert.doesNotThrow(() => examine(schema)));
  }
});

describe('the settings in docs/configuration.md', () => {
  const items = readItems('docs/configuration.md', 'settings');

  it('are those of the services, with their defaults', () => {
    const documented = items.map(([name, [services = '', standard = 'none']]) => [name, standard, services]);
    assert.deepEqual(documented.toSorted(byName), settingsOfCode().toSorted(byName));
  });

  it('have a description each', () => {
    const text = readPart('docs/configuration.md', 'settings');
    for (const [name] of items) assert.match(text, new RegExp(`^- \`${name}\` \\([^)]+\\):\\s`, 'm'));
  });
});

/** One row per setting: its name, default, and services, with whether it is a secret. */
function settingsOfCode(): string[][] {
  const names = new Set(Object.values(COMPONENTS).flatMap(({ properties }) => Object.keys(properties)));
  return [...names].map((name) => {
    const readers = Object.entries(COMPONENTS).filter(([, { properties }]) => name in properties);
    const standards = new Set(readers.map(([, schema]) => standardOf(schema, name)));
    const isSecret = readers.some(([, schema]) => settingOf(schema, name).writeOnly === true);
    return [name, [...standards].join(', '), `${servicesOf(readers)}${isSecret ? ', secret' : ''}`];
  });
}

function standardOf(schema: Schema, name: string): string {
  const { default: standard } = settingOf(schema, name);
  // A default is applied before validation, so it matters even if the schema requires the setting.
  if (standard !== undefined) return standard === '' ? 'empty' : String(standard);
  return schema.required?.includes(name) === true ? 'required' : 'none';
}

function settingOf({ properties }: Schema, name: string): Setting {
  return properties[name] ?? {};
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

function byName([one = '']: (string | undefined)[], [other = '']: (string | undefined)[]): number {
  return one.localeCompare(other);
}
