import assert from 'node:assert/strict';
import { readAgentRules } from './agent-settings.ts';

const read = (changes: Partial<Parameters<typeof readAgentRules>[0]>) =>
  readAgentRules({
    ...{ AGENT_HOSTS: 'off', AGENT_RESOURCES: '', AGENT_SCOPES: '' },
    ...{ AUDIENCE: 'gatehouse', WEBHOOKS: 'on', ...changes },
  });

const many = (name: string, count: number) => Array.from({ length: count }, (_, n) => name + n).join();

describe('AGENT_HOSTS', () => {
  it('is off, or names hosts, or all', () => {
    assert.equal(read({}), undefined);
    assert.equal(read({ WEBHOOKS: 'off' }), undefined);
    const scopes = ['openid', 'profile', 'email', 'offline_access'];
    assert.deepEqual(read({ AGENT_HOSTS: '*' }), { hosts: null, scopes, resources: [] });
    assert.deepEqual(
      read({
        AGENT_HOSTS: 'a.example.com, b.example.com,',
        AGENT_RESOURCES: 'https://mcp.example.com/mcp',
        AGENT_SCOPES: 'tools.read,tools.write,openid',
      }),
      {
        hosts: ['a.example.com', 'b.example.com'],
        scopes: [...scopes, 'tools.read', 'tools.write'],
        resources: ['https://mcp.example.com/mcp'],
      },
    );
  });

  for (const [changes, message] of [
    [{ AGENT_HOSTS: 'on' }, /AGENT_HOSTS: "on" is no host/],
    [{ AGENT_HOSTS: 'off,a.example.com' }, /AGENT_HOSTS: "off" is no host/],
    [{ AGENT_HOSTS: 'a.example.com,*' }, /AGENT_HOSTS: "\*" is no host/],
    [{ AGENT_HOSTS: '*.example.com' }, /AGENT_HOSTS: "\*\.example\.com" is no host/],
    [{ AGENT_HOSTS: 'https://a.example.com' }, /AGENT_HOSTS/],
    [{ AGENT_HOSTS: 'A.example.com' }, /lower case/],
    [{ AGENT_HOSTS: '10.0.0.1' }, /AGENT_HOSTS/],
    [{ AGENT_HOSTS: ',' }, /AGENT_HOSTS/],
    [{ AGENT_HOSTS: '*', WEBHOOKS: 'off' }, /set WEBHOOKS to on/],
    [{ AGENT_RESOURCES: 'mcp' }, /AGENT_RESOURCES: "mcp"/],
    [{ AGENT_RESOURCES: 'urn:gatehouse', AUDIENCE: 'urn:gatehouse' }, /AGENT_RESOURCES/],
    [{ AGENT_SCOPES: 'tools"' }, /AGENT_SCOPES/],
    [{ AGENT_RESOURCES: many('urn:', 21) }, /AGENT_RESOURCES names more than 20/],
    [{ AGENT_SCOPES: many('tools.', 47) }, /AGENT_SCOPES.* more than 50/],
  ] as const)
    it(`is refused with ${JSON.stringify(changes).slice(0, 80)}`, () =>
      assert.throws(() => read(changes), message));
});
