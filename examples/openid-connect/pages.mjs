const escapeHtml = (text) => text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
const json = (value) => escapeHtml(JSON.stringify(value, null, 2));

const page = (content) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Demo application</title>
    <style>
      body { font: 1rem/1.5 system-ui, sans-serif; max-width: 24rem; margin: 15vh auto; padding: 0 1rem; }
      button { display: block; width: 100%; font: inherit; padding: 0.5rem; margin: 0.25rem 0 1rem; }
      pre { overflow-x: auto; font-size: 0.8rem; }
    </style>
  </head>
  <body>
    <h1>Demo application</h1>
    ${content}
  </body>
</html>
`;

/** For somebody who is not signed in. `message`: why not. */
export const welcomePage = (message) =>
  page(`${message === undefined ? '' : `<p role="status">${escapeHtml(message)}</p>`}
    <p>An application of somebody else, which signs people in through Gatehouse (OpenID Connect).</p>
    <form method="post" action="/login"><button type="submit">Sign in with Gatehouse</button></form>`);

/** What the application knows of who is signed in. */
export const accountPage = ({ claims, userinfo }) =>
  page(`<p>You are signed in as <strong>${escapeHtml(userinfo.email ?? '')}</strong>. End the session at Gatehouse, and
      reload this page.</p>
    <form method="post" action="/refresh"><button type="submit">Refresh the tokens</button></form>
    <form method="post" action="/logout"><button type="submit">Sign out</button></form>
    <h2>ID token</h2>
    <pre>${json(claims)}</pre>
    <h2>Userinfo</h2>
    <pre>${json(userinfo)}</pre>`);
