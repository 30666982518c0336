import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const SOURCE = import.meta.dirname;
const FILES = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' });
const read = (name: string): string => readFileSync(join(SOURCE, name), 'utf8');

const ALL = FILES.filter((name) => /\.tsx?$/.test(name))
  .map(read)
  .join('\n');
const NONE = { classes: new Set<string>(), used: new Set<string>() };

/** The types cannot say which classes a CSS module has, and an unknown class is no error: only its style is missing. */
describe('the classes of CSS modules', () => {
  const modules = new Map(
    FILES.filter((name) => name.endsWith('.module.css')).map((name) => [
      name,
      { classes: classesIn(read(name)), used: new Set<string>() },
    ]),
  );
  const unknown: string[] = [];
  for (const file of FILES.filter((name) => name.endsWith('.tsx'))) {
    const text = read(file);
    for (const [, local = '', from = ''] of text.matchAll(/import (\w+) from '(.+\.module\.css)';/g)) {
      const { classes, used } = modules.get(join(dirname(file), from)) ?? NONE;
      for (const name of namesOf(local, text, classes)) {
        if (classes.has(name)) used.add(name);
        else unknown.push(`${file}: ${local}['${name}']`);
      }
    }
  }

  it('exist', () => assert.deepEqual(unknown, []));

  it('are used', () => {
    const unused = [...modules].flatMap(([file, { classes, used }]) =>
      [...classes].filter((name) => !used.has(name)).map((name) => `${file}: .${name}`),
    );
    assert.deepEqual(unused, []);
  });
});

function classesIn(css: string): Set<string> {
  const selectors = css.replaceAll(/\/\*.*?\*\//gs, '').replaceAll(/\{[^{}]*;\s*\}/g, '');
  return new Set(Array.from(selectors.matchAll(/\.([a-z][\w-]*)/gi), ([, name = '']) => name));
}

/** The classes that a file takes from a module. If it takes some by a variable, each that is quoted anywhere may be one. */
function* namesOf(local: string, text: string, classes: ReadonlySet<string>): Generator<string> {
  for (const [, name = ''] of text.matchAll(new RegExp(String.raw`\b${local}\['([\w-]+)'\]`, 'g')))
    yield name;
  if (!new RegExp(String.raw`\b${local}\[\w`).test(text)) return;
  for (const name of classes) if (ALL.includes(`'${name}'`)) yield name;
}
