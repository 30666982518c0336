import { demoPage, escapeHtml } from './demo-page.ts';

/** The page where users choose an identity. `typed`: the input, if it was not an email address. */
export function loginPage({ uid, typed }: { uid: string; typed: string | undefined }): string {
  const fault = typed === undefined ? '' : '<p role="alert">That is not an email address.</p>';
  return demoPage(
    'Demo sign-in',
    `<p>This provider lets anyone in as anyone. It is for trying single sign-on on your own machine.</p>
    ${fault}
    <form method="post" action="/interaction/${uid}" autocomplete="off">
      <label for="login">Email</label>
      <input id="login" name="login" type="text" inputmode="email" value="${escapeHtml(typed ?? '')}" required autofocus>
      <button type="submit">Sign in</button>
    </form>
    <p><a href="/interaction/${uid}/cancel">Cancel</a></p>
    <p><small>An address that begins with <code>unverified-</code> counts as not verified, and so do those of the
      accounts that the stack began with: they have passwords.</small></p>`,
  );
}

/** The page for signing out of this provider. `form`: the form of the library that the button submits. */
export function signOutPage({ email, form }: { email: string; form: string }): string {
  return demoPage(
    'Demo sign-out',
    `<p>You are signed in here as <strong>${escapeHtml(email)}</strong>.</p>
    ${form}
    <button type="submit" form="op.logoutForm" name="logout" value="yes" autofocus>Sign out</button>
    <p><small>Gatehouse gets a logout token, and ends the sessions that this sign-in opened.</small></p>`,
  );
}

/** The page that is shown when nobody is signed in. */
export function signedOutPage(): string {
  return demoPage('Demo sign-out', '<p role="status">You are signed out of this provider.</p>');
}
