import assert from 'node:assert/strict';
import { readPage } from '../documents/documents.ts';
import { readTable } from '../documents/markdown-table.ts';
import { casesOfAlerts, panels, rulesOf } from './monitoring-files.ts';

describe('the files for Prometheus and Grafana', () => {
  const expressions = [
    ...panels().flatMap((panel) => panel.expressions),
    ...[...rulesOf('rules.yml'), ...rulesOf('alerts.yml')].map(({ expr }) => expr),
  ].join('\n');

  it('show every metric that docs/operations.md names, in a panel or an alert', () => {
    const metrics = readTable('docs/operations.md', 'metrics').map(([name = '']) => name);
    assert.ok(metrics.length > 10);
    assert.deepEqual(
      metrics.filter((name) => !expressions.includes(name)),
      [],
    );
  });

  it('have an alert for each line of the table of alerts, and no other', () => {
    const documented = readTable('docs/operations.md', 'alerts').map(([name]) => name);
    assert.deepEqual(
      documented,
      rulesOf('alerts.yml').map(({ alert }) => alert),
    );
  });

  it('try each alert where it fires and where it stays silent', () => {
    const tried = casesOfAlerts();
    const due = rulesOf('alerts.yml').flatMap(({ alert }) => [`${alert} fires`, `${alert} stays silent`]);
    assert.deepEqual(
      due.filter((name) => !tried.includes(name)),
      [],
    );
  });

  it('link from each alert to an existing heading', () => {
    assert.match(readPage('docs/operations.md'), /^### Alerts$/m);
    for (const { alert, annotations } of rulesOf('alerts.yml'))
      assert.equal(annotations?.['runbook_url'], 'docs/operations.md#alerts', alert);
  });
});
