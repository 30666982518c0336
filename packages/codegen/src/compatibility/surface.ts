import { DOCUMENT_FILE } from '../openapi/merged-document.ts';
import { itemsIn } from '../tables/markdown-table.ts';
import { openapiBreaks, type ApiDocument } from './openapi-breaks.ts';

/** What is stable from 1.0.0 on (CHANGELOG.md), as the documents of one version describe it. */
export interface Surface {
  version: string;
  api: ApiDocument;
  /** The fields of each type of event; optional ones end with `?`. */
  events: Readonly<Record<string, readonly string[]>>;
  /** The default of each setting; `required` if it has none and must be set. */
  settings: Readonly<Record<string, string>>;
  /** The labels of each metric. */
  metrics: Readonly<Record<string, readonly string[]>>;
}

/** Reads the surface of a version from its files. Tests keep the lists in line with the code. */
export function readSurface(read: (path: string) => string): Surface {
  const items = (path: string, name: string) => itemsIn(read(path), path, name);
  return {
    version: (JSON.parse(read('package.json')) as { version: string }).version,
    api: JSON.parse(read(DOCUMENT_FILE)) as ApiDocument, // written by the build
    events: Object.fromEntries(
      items('docs/events.md', 'events').map(([type, [data]]) => [type, words(data || 'UserId')]),
    ),
    settings: Object.fromEntries(
      items('docs/configuration.md', 'settings').map(([name, [, standard = 'none']]) => [name, standard]),
    ),
    metrics: Object.fromEntries(
      items('docs/operations.md', 'metrics').map(([name, [, labels = '']]) => [name, words(labels)]),
    ),
  };
}

/** The surface of the last release, as `npm run release` writes it. */
export const LAST_RELEASE = 'packages/codegen/src/compatibility/last-release.json';

/** Keys of an OpenAPI document that say nothing to `openapiBreaks`; no field of the API has such a name. */
const NOT_COMPARED = new Set(
  [
    'description',
    'summary',
    'example',
    'examples',
    'default',
    'format',
    'pattern',
    'tags',
    'security',
  ].concat(['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems', 'headers', 'servers']),
);

/** A surface as a small file: what is compared, with a line for each path, schema, event, setting and metric. */
export function surfaceText({
  version,
  api: { paths, components },
  events,
  settings,
  metrics,
}: Surface): string {
  const { schemas, responses } = components;
  const api = { paths, components: { schemas, responses } };
  const text = (value: unknown, depth: number): string => {
    const line = JSON.stringify(value, (key, part: unknown) => (NOT_COMPARED.has(key) ? undefined : part));
    if (depth === 0 || typeof value !== 'object' || value === null || Array.isArray(value)) return line;
    const parts = Object.entries(value).map(
      ([key, part]) => `${JSON.stringify(key)}:${text(part, depth - 1)}`,
    );
    return `{\n${parts.join(',\n')}\n}`;
  };
  return `${text({ version, events, settings, metrics, api }, 4)}\n`;
}

/** What no longer holds for clients, consumers and operators of an earlier version. */
export function breaksBetween(before: Surface, after: Surface): string[] {
  return [
    ...new Set(openapiBreaks(before.api, after.api)),
    ...removed('event', before.events, after.events),
    ...removed('setting', before.settings, after.settings),
    ...Object.entries(after.settings)
      .filter(([name, standard]) => standard === 'required' && before.settings[name] !== 'required')
      .map(([name]) => `setting ${name}: now required`),
    ...removed('metric', before.metrics, after.metrics),
  ];
}

/** Whether a version may break what an earlier one promised: only a new major version, or one before 1.0.0. */
export function mayBreak(before: string, after: string): boolean {
  const [major = ''] = before.split('.');
  return major === '0' || major !== after.split('.')[0];
}

type Parts = Readonly<Record<string, string | readonly string[]>>;

function removed(kind: string, before: Parts, after: Parts): string[] {
  return Object.entries(before).flatMap(([name, parts]) => {
    const now = after[name];
    if (now === undefined) return [`${kind} ${name}: removed`];
    if (typeof parts === 'string') return [];
    return parts
      .filter((part) => !now.includes(part) && !now.includes(part.replace(/\?$/, '')))
      .map(
        (part) =>
          `${kind} ${name}: ${part} ${now.includes(`${part}?`) ? 'no longer always there' : 'removed'}`,
      );
  });
}

function words(cell: string): string[] {
  return cell.split(', ').filter(Boolean);
}
