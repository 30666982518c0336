/**
 * A client as it is often written: tokens in localStorage, and each tab refreshes on its own, before the token expires
 * and after a 401. If a refresh fails, it logs out. With `isLenient` it does so only if the server responded with 401.
 */
export function createClient({ baseUrl, lifetimeSeconds, isLenient }) {
  const listeners = { 'signed-in': [], ended: [] };
  const tell = (name) => listeners[name].forEach((listener) => listener({}));
  const kept = () => JSON.parse(localStorage.getItem('tokens'));
  const keep = (tokens) => localStorage.setItem('tokens', JSON.stringify(tokens));
  const post = (path, body) =>
    fetch(baseUrl + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

  const refresh = async () => {
    if (kept() === null) throw new Error('nobody is signed in');
    const response = await post('/account/refresh-token', { RefreshToken: kept().RefreshToken }).catch(
      () => undefined,
    );
    if (response?.ok) return keep(await response.json());
    if (isLenient && response?.status !== 401) throw new Error('it is tried again later');
    if (kept() !== null) tell('ended');
    localStorage.removeItem('tokens');
    throw new Error('logged out');
  };
  setInterval(() => kept() && refresh().catch(() => {}), lifetimeSeconds * 800);
  addEventListener('storage', ({ key, oldValue, newValue }) => {
    if (key === 'tokens' && (oldValue === null) !== (newValue === null)) {
      tell(newValue === null ? 'ended' : 'signed-in');
    }
  });

  const send = (url) => fetch(url, { headers: { authorization: `Bearer ${kept()?.Token}` } });
  return {
    async login(credentials) {
      const response = await post('/account/login', credentials);
      if (!response.ok) throw new Error(`the login was answered ${response.status}`);
      keep(await response.json());
      tell('signed-in');
      return { kind: 'signed-in' };
    },
    async fetch(url) {
      const response = await send(url);
      if (response.status !== 401) return response;
      await refresh();
      return send(url);
    },
    token: async () => kept()?.Token,
    getState: () => ({ kind: kept() === null ? 'signed-out' : 'signed-in' }),
    on: (name, listener) => listeners[name].push(listener),
  };
}
