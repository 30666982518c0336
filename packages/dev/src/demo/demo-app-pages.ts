import { demoPage, escapeHtml } from './demo-page.ts';

/** What somebody sees who is not signed in. `message`: why not. */
export function welcomePage(message?: string): string {
  return demoPage(
    'Demo application',
    `${message === undefined ? '' : `<p role="status">${escapeHtml(message)}</p>`}
    <p>An application of somebody else, which signs people in through Gatehouse (OpenID Connect).</p>
    <form method="post" action="/login"><button type="submit">Sign in with Gatehouse</button></form>`,
  );
}

/** What the application knows of who is signed in. */
export function accountPage({ claims, userinfo }: { claims: unknown; userinfo: { email?: string } }): string {
  return demoPage(
    'Demo application',
    `<p>You are signed in as <strong>${escapeHtml(userinfo.email ?? '')}</strong>. End the session at Gatehouse, and
      reload this page.</p>
    <form method="post" action="/refresh"><button type="submit">Refresh the tokens</button></form>
    <form method="post" action="/logout"><button type="submit">Sign out</button></form>
    <h2>ID token</h2>
    <pre>${escapeHtml(JSON.stringify(claims, null, 2))}</pre>
    <h2>Userinfo</h2>
    <pre>${escapeHtml(JSON.stringify(userinfo, null, 2))}</pre>`,
  );
}
