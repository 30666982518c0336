/** A page that shows who is signed in, in all its tabs at the same time, and lets people sign in and out. */
import { createClient } from './client/dist/index.js';

const auth = createClient({ baseUrl: document.querySelector('meta[name=gatehouse]').content });
const element = (id) => document.getElementById(id);
const TEXTS = {
  authentication_failed: 'That was not right.',
  too_many_requests: 'Too many tries. Wait a moment.',
  offline: 'There is no connection.',
  replaced: 'You signed in elsewhere.',
  deactivated: 'An administrator ended your session.',
  expired: 'You were away for long.',
  'logged-out': 'Good-bye.',
};

/** The login step that waits for a code. */
let step;

function show(message = '') {
  const { kind } = auth.getState();
  element('sign-in').hidden = kind !== 'signed-out' || step !== undefined;
  element('code').hidden = kind !== 'signed-out' || step === undefined;
  element('account').hidden = kind !== 'signed-in';
  element('message').textContent = message;
}
const failed = ({ code }) => show(TEXTS[code] ?? 'That did not work.');

/** Shows the outcome of a login step. `waiting`: the step that it answers. */
function goOn(outcome, waiting) {
  step = undefined;
  switch (outcome.kind) {
    case 'signed-in':
      return show(outcome.recoveryCodes && `Keep these codes: ${outcome.recoveryCodes.join(' ')}`);
    case 'second-factor':
      step = outcome;
      return show('Your code, please.');
    case 'set-up-second-factor':
      step = outcome;
      return show(`Add this to your app, and type its code: ${outcome.setup.Secret}`);
    case 'session-exists':
      if (!confirm('You are signed in elsewhere. Sign in here and end that session?')) return show('');
      return outcome.takeOver().then(goOn, failed);
    case 'refused':
      // The user may try another code.
      step = waiting;
      return show(TEXTS[outcome.code] ?? `You cannot sign in: ${outcome.code}`);
  }
}

/** Submits a form with `send`, and clears all fields except the email address. */
function onSubmit(id, send) {
  element(id).addEventListener('submit', (event) => {
    event.preventDefault();
    const fields = Object.fromEntries(new FormData(element(id)));
    send(fields).catch(failed);
    for (const input of element(id).querySelectorAll('input:not([type=email])')) input.value = '';
  });
}
onSubmit('sign-in', async ({ email, password }) =>
  goOn(await auth.login({ Username: email, Password: password, DeviceName: 'Single-page app' })),
);
onSubmit('code', async ({ code }) => {
  const waiting = step;
  goOn(await auth.loginWithCode(waiting.token, code), waiting);
});
element('code').addEventListener('reset', () => {
  step = undefined;
  show();
});
element('sign-out').addEventListener('click', () => void auth.logout().catch(failed));
element('security').addEventListener('click', () => {
  // Opens Gatehouse's account pages in this session, by a URL that is valid for one minute and one use.
  auth.handover('security').then((url) => location.assign(url), failed);
});

/** Also fires in the other tabs, and if another person signs in. */
auth.on('signed-in', async ({ session }) => {
  step = undefined;
  show();
  element('email').textContent = '';
  const { Email } = await auth.api.getProfile().catch((error) => (failed(error), {}));
  const state = auth.getState();
  if (state.kind === 'signed-in' && state.session.id === session.id)
    element('email').textContent = Email ?? '';
});
auth.on('ended', ({ reason }) => show(TEXTS[reason] ?? 'Your session is over.'));
await auth.ready;
show();
auth.keepAlive();
