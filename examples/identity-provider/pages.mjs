const escapeHtml = (text) => text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const page = (title, content) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title}</title>
    <style>
      body { font: 1rem/1.5 system-ui, sans-serif; max-width: 24rem; margin: 15vh auto; padding: 0 1rem; }
      label, input, button { display: block; width: 100%; box-sizing: border-box; font: inherit; }
      input, button { padding: 0.5rem; margin: 0.25rem 0 1rem; }
      small { color: #555; }
    </style>
  </head>
  <body>
    <h1>${title}</h1>
    ${content}
  </body>
</html>
`;

/** The page where people choose an identity. `typed`: the input, if it was not an email address. */
export const loginPage = ({ uid, typed }) =>
  page(
    'Demo sign-in',
    `<p>This provider lets anyone in as anyone. It is for trying single sign-on on your own machine.</p>
    ${typed === undefined ? '' : '<p role="alert">That is not an email address.</p>'}
    <form method="post" action="/interaction/${uid}" autocomplete="off">
      <label for="login">Email</label>
      <input id="login" name="login" type="text" inputmode="email" value="${escapeHtml(typed ?? '')}" required autofocus>
      <button type="submit">Sign in</button>
    </form>
    <p><a href="/interaction/${uid}/cancel">Cancel</a></p>
    <p><small>An address that begins with <code>unverified-</code> counts as not verified, and so do those of the
      accounts that the stack began with: they have passwords.</small></p>`,
  );

/** The page for signing out of this provider. `form`: the form of the library that the button submits. */
export const signOutPage = ({ email, form }) =>
  page(
    'Demo sign-out',
    `<p>You are signed in here as <strong>${escapeHtml(email)}</strong>.</p>
    ${form}
    <button type="submit" form="op.logoutForm" name="logout" value="yes" autofocus>Sign out</button>
    <p><small>Gatehouse gets a logout token, and ends the sessions that this sign-in opened.</small></p>`,
  );

export const signedOutPage = () =>
  page('Demo sign-out', '<p role="status">You are signed out of this provider.</p>');
