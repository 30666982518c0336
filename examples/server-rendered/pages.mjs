const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** A template tag for HTML that escapes all values. */
function html(strings, ...values) {
  const texts = values.map((value) => String(value).replace(/[&<>"']/g, (sign) => ENTITIES[sign]));
  return String.raw({ raw: strings }, ...texts);
}

const page = (content) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>App</title><main>${content}</main></html>`;

/** The messages for people: how a session ended, or why a login failed. */
const TEXTS = {
  authentication_failed: 'That was not right.',
  too_many_requests: 'Too many tries. Wait a moment.',
  replaced: 'You signed in elsewhere.',
  deactivated: 'An administrator ended your session.',
  expired: 'You were away for long.',
};
const notice = (why) =>
  why === undefined ? '' : html`<p role="alert">${TEXTS[why] ?? `You are not signed in: ${why}`}</p>`;

export const loginPage = (why) =>
  page(`${notice(why)}<form method="post" action="/login">
    <label>Email <input name="email" type="email" autocomplete="username" required></label>
    <label>Password <input name="password" type="password" autocomplete="current-password" required></label>
    <button>Sign in</button></form>`);

/** Asks for a code. Shows the secret if this login sets up the second factor. */
export const codePage = ({ kind, setup }, why) =>
  page(`${notice(why)}${kind === 'set-up-second-factor' ? html`<p>Add this to your app: <code>${setup.Secret}</code></p>` : ''}
    <form method="post" action="/code">
    <label>Code <input name="code" autocomplete="one-time-code" required></label>
    <button>Go on</button></form><form method="post" action="/logout"><button>Start again</button></form>`);

export const accountPage = ({ accountId, role }, recoveryCodes) =>
  page(`${recoveryCodes === undefined ? '' : html`<p>Keep these codes: ${recoveryCodes.join(' ')}</p>`}
    ${html`<p>Signed in as <b>${accountId}</b> (${role}).</p>`}
    <p><a href="/account">Password and security</a></p>
    <form method="post" action="/logout"><button>Sign out</button></form>`);

export const failurePage = (text) =>
  page(
    html`<p role="alert">${text}</p>
      <p><a href="/">Back</a></p>`,
  );
