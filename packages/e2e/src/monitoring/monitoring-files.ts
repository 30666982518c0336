import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

export const PROMETHEUS = fileURLToPath(new URL('../../../../deploy/prometheus/', import.meta.url));
const GRAFANA = fileURLToPath(new URL('../../../../deploy/grafana/', import.meta.url));

export function panels() {
  return readdirSync(GRAFANA).flatMap((file) => {
    const dashboard = JSON.parse(readFileSync(GRAFANA + file, 'utf8')) as {
      title: string;
      panels: { title: string; targets: { expr: string }[] }[];
    };
    return dashboard.panels.map(({ title, targets }) => ({
      dashboard: dashboard.title,
      title,
      expressions: targets.map(({ expr }) => expr),
    }));
  });
}

export function casesOfAlerts(): string[] {
  const { tests } = parse(readFileSync(`${PROMETHEUS}tests/alerts.yml`, 'utf8')) as {
    tests: { name: string }[];
  };
  return tests.map(({ name }) => name);
}

interface Rule {
  alert?: string;
  expr: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
}

export function rulesOf(file: 'rules.yml' | 'alerts.yml'): Rule[] {
  const { groups } = parse(readFileSync(PROMETHEUS + file, 'utf8')) as { groups: { rules: Rule[] }[] };
  return groups.flatMap(({ rules }) => rules);
}
