import { readFileSync } from 'node:fs';
import { format } from 'prettier';
import { COMPONENTS, openSettings } from './component-settings.ts';
import { helm } from './helm.ts';
import { valuesSchema } from './values-schema.ts';

export const ROOT = new URL('../../../../', import.meta.url);
/** The folder of the chart. */
export const CHART = 'deploy/helm/gatehouse';
/** Helm cannot read files outside of the chart. */
const COPIES = {
  'files/rules.yml': 'deploy/prometheus/rules.yml',
  'files/alerts.yml': 'deploy/prometheus/alerts.yml',
  'files/inbox-guard.cjs': 'packages/stack/src/servers/inbox-guard.cjs',
};
const MANIFESTS_HEAD = `# Written by \`npm run chart\` from the chart, with the values beside it. docs/kubernetes.md says how to use it.\n`;

/** The generated files of the chart, as names and texts. */
export async function chartFiles(): Promise<[string, string][]> {
  const settings = Object.keys(COMPONENTS).map((name) => [
    name,
    openSettings(name).map(([setting]) => setting),
  ]);
  return [
    ...Object.entries(COPIES).map(([copy, source]): [string, string] => [
      `${CHART}/${copy}`,
      readFileSync(new URL(source, ROOT), 'utf8'),
    ]),
    [`${CHART}/files/settings.json`, await json(Object.fromEntries(settings))],
    [`${CHART}/values.schema.json`, await json(valuesSchema())],
  ];
}

/**
 * The manifests for installations without Helm: the chart as it is on disk, rendered with
 * `deploy/kubernetes/values.yaml`.
 */
export function plainManifests(): [string, string] {
  const rendered = helm('template', 'gatehouse', CHART, '--values', 'deploy/kubernetes/values.yaml');
  return ['deploy/kubernetes/gatehouse.yaml', MANIFESTS_HEAD + rendered];
}

function json(value: unknown): Promise<string> {
  return format(JSON.stringify(value), { parser: 'json', printWidth: 110 });
}
