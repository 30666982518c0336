import assert from 'node:assert/strict';
import { readItems } from '@gatehouse/codegen';
import { anchorsOf, readPage, withoutCode } from '../documents/documents.ts';
import { casesOfAlerts, panels, rulesOf } from './monitoring-files.ts';

describe('the files for Prometheus and Grafana', () => {
  const expressions = [
    ...panels().flatMap((panel) => panel.expressions),
    ...[...rulesOf('rules.yml'), ...rulesOf('alerts.yml')].map(({ expr }) => expr),
  ].join('\n');

  const metricsIn = (text: string): string[] =>
    [...text.matchAll(/`((?:gatehouse|http|nodejs|process)_\w+)`/g)].map(([, name = '']) => name);
  /** Those that no panel and no alert asks for, whole or as the parts of a histogram. */
  const unshown = (metrics: string[]): string[] =>
    metrics.filter((name) => !new RegExp(`\\b${name}(_bucket|_count|_sum)?\\b`).test(expressions));

  it('show every metric that docs/operations.md names, in a panel or an alert', () => {
    const metrics = metricsIn(readPage('docs/operations.md'));
    assert.ok(metrics.length > readItems('docs/operations.md', 'metrics').length);
    assert.deepEqual(unshown(metrics), []);
  });

  it('have an alert for each section of docs/alerts.md, which begins with its severity, and no other', () => {
    const sections = readPage('docs/alerts.md').matchAll(/^### (\w+)\n\n(Critical|Warning): /gm);
    const documented = [...sections].map(([, name, severity = '']) => [name, severity.toLowerCase()]);
    const real = rulesOf('alerts.yml').map(({ alert, labels }) => [alert, labels?.['severity']]);
    assert.deepEqual(documented, real);
  });

  it('try each alert where it fires and where it stays silent', () => {
    const tried = casesOfAlerts();
    const due = rulesOf('alerts.yml').flatMap(({ alert }) => [`${alert} fires`, `${alert} stays silent`]);
    const untried = due.filter((name) => !tried.includes(name));
    assert.deepEqual(untried, []);
  });

  it('link from each alert to its own section, which says what to check and what to do', () => {
    const sections = readPage('docs/alerts.md').split(/^#+ /m);
    for (const { alert = '', annotations } of rulesOf('alerts.yml')) {
      assert.equal(annotations?.['runbook_url'], `docs/alerts.md#${alert.toLowerCase()}`);
      assert.ok(anchorsOf('docs/alerts.md').has(alert.toLowerCase()), alert);
      const section = sections.find((text) => text.startsWith(`${alert}\n`)) ?? '';
      assert.match(section, /^- \*\*Look at\*\* panels? \*\*[^]*^- \*\*Do:\*\* /m, alert);
    }
  });

  it('have the panels and metrics, and the services the log lines, that docs/alerts.md names', () => {
    const page = withoutCode(readPage('docs/alerts.md'))
      .split('\n')
      .map((line) => line.trim())
      .join(' ');
    const real = panels().map(({ dashboard, title }) => `${dashboard.replace('Gatehouse: ', '')}: ${title}`);
    const named = [...page.matchAll(/\*\*([a-z]+: [^*]+)\*\*/g)].map(([, name = '']) => name);
    const unknown = named.filter((name) => !real.includes(name));
    assert.deepEqual(unknown, []);
    assert.deepEqual(unshown(metricsIn(page)), []);
    const phrases = [...page.matchAll(/`([^`]+)`/g)].map(([, phrase = '']) => phrase);
    const lines = phrases.filter((phrase) => /^(?!npm|rabbitmq|redis-cli)[a-z].* /.test(phrase));
    const documented = readItems('docs/operations.md', 'log').map(([message]) => message);
    assert.ok(named.length > 30 && lines.length > 5);
    const undocumented = lines.filter((line) => !documented.includes(line));
    assert.deepEqual(undocumented, []);
  });
});
