export { handOver } from './hand-over.ts';
export { sendLogin } from './send-login.ts';
export { beginSignOn, completeSignOn } from './sign-on.ts';
