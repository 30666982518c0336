import assert from 'node:assert/strict';
import { createMetrics } from '@gatehouse/runtime';
import { createActivityRecorder } from './activity-recorder.ts';

describe('the recorder of activity', () => {
  it('exports logins by kind and result, ends of sessions and invitations to Prometheus', async () => {
    const metrics = createMetrics('test');
    const recorder = createActivityRecorder({ metrics });
    recorder.count('login.password');
    recorder.count('login.sso.corp', 2);
    recorder.count('session.replaced', 3);
    recorder.count('session.expired', 0);
    recorder.count('invitation.accepted');
    recorder.count('refresh');
    recorder.refused('password', 'throttled');
    recorder.refused('sso', 'account_disabled');

    const lines = (await metrics.metrics()).split('\n').filter((line) => line.startsWith('gatehouse_'));
    assert.deepEqual(lines.toSorted(), [
      'gatehouse_invitations_total{result="accepted",service="test"} 1',
      'gatehouse_logins_total{kind="password",result="success",service="test"} 1',
      'gatehouse_logins_total{kind="password",result="throttled",service="test"} 1',
      'gatehouse_logins_total{kind="sso",result="account_disabled",service="test"} 1',
      'gatehouse_logins_total{kind="sso",result="success",service="test"} 2',
      'gatehouse_sessions_ended_total{reason="replaced",service="test"} 3',
    ]);
  });
});
