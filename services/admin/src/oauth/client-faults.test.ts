import assert from 'node:assert/strict';
import { createEgressRules } from '@gatehouse/runtime';
import { logoutUriFault } from './client-faults.ts';

describe('an address that the hook worker calls', () => {
  it('has https on the Internet, or is allowed', () => {
    const rules = createEgressRules('localhost');
    for (const uri of ['https://app.example.com/logout?of=gatehouse', 'http://localhost:3000/logout'])
      assert.equal(logoutUriFault(uri, rules), undefined, uri);
    const wrong = ['com.example.app:/out', 'http://app.example.com/', 'https://x.com/#', 'https://10.0.0.1/'];
    for (const uri of wrong) assert.ok(logoutUriFault(uri, rules), uri);
  });
});
