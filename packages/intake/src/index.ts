export { isVisible, typedCode, typedEmail, typedEmails, typedName } from './typed.ts';
export { describeUserAgent } from './user-agent.ts';
