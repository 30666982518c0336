export { sendLogin } from './send-login.ts';
export { beginSignOn, completeSignOn } from './sign-on.ts';
