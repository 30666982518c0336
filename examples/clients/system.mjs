import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Starts the system (`npm start`) with these settings. It runs until this program ends. */
export async function startSystem({ root, settings }) {
  const launcher = spawn(process.execPath, [`${root}packages/dev/run.mjs`, 'start'], {
    cwd: root,
    // oxlint-disable-next-line no-restricted-properties -- handed on whole, as a shell does
    env: { PORT_BASE: '23000', ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const facts = () => JSON.parse(readFileSync(`${root}.local/stack.json`, 'utf8'));
  await new Promise((resolve, reject) => {
    launcher.once('exit', () => reject(new Error('npm start failed')));
    // The last line that it prints.
    launcher.stdout.on('data', (text) => String(text).includes('stack.json') && resolve());
  });

  const call = async (url, body, token) => {
    const headers = {
      'content-type': 'application/json',
      ...(token && { authorization: `Bearer ${token}` }),
    };
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
    return response.json();
  };

  return {
    facts,
    people: () => ({ user: facts().seed.user, admin: facts().admin }),
    /** Kills the services in turn; the launcher starts them again. */
    async restart(services, everyMs, endsAt) {
      for (let turn = 0; Date.now() + everyMs < endsAt; turn += 1) {
        await sleep(everyMs);
        process.kill(facts().pids[services[turn % services.length]], 'SIGKILL');
      }
    },
    /** Ends the sessions of an account as an administrator. Returns when, in milliseconds since 1970. */
    async kick(admin, email) {
      const { baseUrl, adminUrl } = facts();
      const login = { Username: admin.Email, Password: admin.Password, DeviceName: 'tabs.mjs' };
      const { Token } = await call(`${baseUrl}/account/login`, login);
      const kickedAt = Date.now();
      const change = { Filter: { Search: email }, Status: 'Deactivated' };
      await call(`${adminUrl}/admin/user-session`, change, Token);
      return kickedAt;
    },
    async stop() {
      if (launcher.exitCode !== null) return;
      launcher.kill('SIGTERM');
      await once(launcher, 'exit');
    },
  };
}
